package harm

import (
	"errors"
	"sync"
)

// An entry that is refused while another stands is a claim: its holder gives it up, and no one
// else takes it out.
type berths struct {
	mu    sync.Mutex
	ships map[string]*ship
	quays map[string]*ship
}

type ship struct{ loads chan string }

func (s *ship) run(k string) { s.loads <- k }

func (s *ship) Close() error { close(s.loads); return nil }

var errTaken = errors.New("taken")

func (b *berths) Claim(k string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.ships[k]; ok {
		return errTaken
	}
	b.ships[k] = &ship{loads: make(chan string)}
	return nil
}

func (b *berths) holdBad(k string) {
	b.mu.Lock()
	s, ok := b.ships[k]
	b.mu.Unlock()
	if !ok {
		return
	}
	go s.run(k)
	s.run("")
	b.mu.Lock()
	delete(b.ships, k) // want `split-lock: .*, low`
	b.mu.Unlock()
}

// Here an entry is there for all who ask.
func (b *berths) Get(k string) *ship {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.quays[k]
	if !ok {
		s = &ship{loads: make(chan string)}
		b.quays[k] = s
	}
	return s
}

func (b *berths) CloseBad(k string) error {
	b.mu.Lock()
	s, ok := b.quays[k]
	b.mu.Unlock()
	if !ok {
		return nil
	}
	err := s.Close()
	b.mu.Lock()
	delete(b.quays, k) // want `split-lock: .*medium`
	b.mu.Unlock()
	return err
}

// Who is asked to end it is not the holder alone.
type docks struct {
	mu    sync.Mutex
	ships map[string]*ship
}

func (d *docks) Claim(k string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.ships[k]; ok {
		return errTaken
	}
	d.ships[k] = &ship{loads: make(chan string)}
	return nil
}

func (d *docks) FreeBad(k string) {
	d.mu.Lock()
	s, ok := d.ships[k]
	d.mu.Unlock()
	if !ok {
		return
	}
	s.Close()
	d.mu.Lock()
	delete(d.ships, k) // want `split-lock: .*medium`
	d.mu.Unlock()
}
