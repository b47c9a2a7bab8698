package lockstates

import (
	"errors"
	"os"
	"sync"
)

// A cabin is given locked: the one that was there, or the one that is made for the guest.
type cabin struct {
	mu    sync.Mutex
	bags  map[string]int
	empty bool
}

type ferry struct {
	mu     sync.RWMutex
	cabins map[string]*cabin
}

func (c *cabin) Carry(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bags[k]++
}

func (c *cabin) Bags() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.bags)
}

func (f *ferry) find(name string) (*cabin, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	c, ok := f.cabins[name]
	return c, ok
}

func (f *ferry) board(name string) (*cabin, bool) {
	for {
		if c, ok := f.find(name); ok {
			c.mu.Lock()
			if !c.empty {
				return c, false
			}
			c.mu.Unlock()
			continue
		}
		mine := &cabin{bags: map[string]int{}}
		mine.mu.Lock()
		f.mu.Lock()
		if c, ok := f.cabins[name]; ok {
			f.mu.Unlock()
			c.mu.Lock()
			return c, false
		}
		f.cabins[name] = mine
		f.mu.Unlock()
		return mine, true
	}
}

func (f *ferry) StowOk(name, bag string) {
	c, _ := f.board(name)
	defer c.mu.Unlock()
	if _, ok := c.bags[bag]; !ok {
		c.bags[bag] = 1
	}
}

func (f *ferry) StowThenBad(name, bag string) {
	c, _ := f.board(name)
	c.mu.Unlock()
	if _, ok := c.bags[bag]; !ok { // want `check-then-act: .*bags is read here, then written.*, low`
		c.bags[bag] = 1
	}
}

// One helper gives what another one has given, with its lock.
func (f *ferry) boardFor(name string, seats int) (*cabin, error) {
	if seats == 0 {
		return nil, errors.New("full")
	}
	c, made := f.board(name)
	if made {
		c.empty = false
	}
	return c, nil
}

func (f *ferry) StowForOk(name, bag string) error {
	c, err := f.boardFor(name, len(bag))
	if err != nil {
		return err
	}
	if c.bags[bag] == 0 {
		c.bags[bag] = 1
	}
	c.mu.Unlock()
	return nil
}

// What is equal to an error that there is, or is of some kind, is no nil: the other tries end without a lock.
var errSold = errors.New("sold")

func (f *ferry) try(name string) (*cabin, error) {
	c, ok := f.find(name)
	if !ok {
		return nil, errSold
	}
	c.mu.Lock()
	if c.empty {
		c.mu.Unlock()
		return nil, errSold
	}
	return c, nil
}

func (f *ferry) retry(name string) (*cabin, error) {
	for range 3 {
		c, err := f.try(name)
		if err == errSold {
			continue
		}
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	return nil, errSold
}

func (f *ferry) retryKinds(name string) (*cabin, error) {
	for {
		c, err := f.try(name)
		if errors.Is(err, errSold) || os.IsNotExist(err) {
			continue
		}
		return c, err
	}
}

func (f *ferry) StowSoonOk(name, bag string) error {
	c, err := f.retry(name)
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	if _, ok := c.bags[bag]; !ok {
		c.bags[bag] = 1
	}
	return nil
}

func (f *ferry) StowLaterOk(name, bag string) error {
	c, err := f.retryKinds(name)
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	if _, ok := c.bags[bag]; !ok {
		c.bags[bag] = 1
	}
	return nil
}

// Here the one that was there comes without its lock.
type berth struct {
	mu   sync.Mutex
	bags map[string]int
}

type train struct {
	mu     sync.Mutex
	berths map[string]*berth
}

func (b *berth) Carry(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bags[k]++
}

func (b *berth) Bags() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.bags)
}

func (t *train) find(name string) (*berth, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, ok := t.berths[name]
	return b, ok
}

func (t *train) board(name string) (*berth, bool) {
	if b, ok := t.find(name); ok {
		return b, len(name) > 3
	}
	mine := &berth{bags: map[string]int{}}
	mine.mu.Lock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := t.berths[name]; ok {
		b.mu.Lock()
		return b, true
	}
	t.berths[name] = mine
	return mine, true
}

func (t *train) StowLooseBad(name, bag string) {
	b, held := t.board(name)
	if _, ok := b.bags[bag]; !ok { // want `check-then-act: .*bags is read here, then written.*, low`
		b.bags[bag] = 1
	}
	if held {
		b.mu.Unlock()
	}
}

// Here the lock may be gone again where there is no error.
type seat struct {
	mu    sync.Mutex
	bags  map[string]int
	taken bool
}

type bus struct {
	mu    sync.Mutex
	seats map[string]*seat
}

func (s *seat) Carry(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bags[k]++
}

func (s *seat) Bags() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bags)
}

func (b *bus) try(name string) (*seat, error) {
	b.mu.Lock()
	s := b.seats[name]
	b.mu.Unlock()
	if s == nil {
		return nil, errSold
	}
	s.mu.Lock()
	if s.taken {
		s.mu.Unlock()
		return nil, errSold
	}
	return s, nil
}

func (b *bus) retry(name string) (*seat, error) {
	for range 3 {
		s, err := b.try(name)
		if err == errSold {
			continue
		}
		if len(name) > 8 && err == nil {
			s.mu.Unlock()
		}
		return s, err
	}
	return nil, errSold
}

func (b *bus) StowLostBad(name, bag string) error {
	s, err := b.retry(name)
	if err != nil {
		return err
	}
	if _, ok := s.bags[bag]; !ok { // want `check-then-act: .*bags is read here, then written.*, low`
		s.bags[bag] = 1
	}
	return nil
}
