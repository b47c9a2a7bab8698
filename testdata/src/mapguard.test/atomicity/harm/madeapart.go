package harm

import (
	"os/exec"
	"sync"
	"sync/atomic"
)

// What is made by goroutines that have ended by then is made all the same, and what the
// package ends some day is there twice when it is made twice.

// A mosaic is laid by several goroutines, and never changed.
type mosaic struct{ stones []int }

// A fresco is laid by goroutines that go on when others have it already.
type fresco struct{ stones []int }

// A relief is filled by a literal that its function keeps.
type relief struct{ stones []int }

type mason struct {
	mu      sync.RWMutex
	mosaics map[string]*mosaic
	frescos map[string]*fresco
	reliefs map[string]*relief
	later   []func()
}

func layMosaic(n int) *mosaic {
	m := &mosaic{stones: make([]int, n)}
	var wg sync.WaitGroup
	for i := range m.stones {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.stones[i] = i
		}()
	}
	wg.Wait()
	return m
}

func layFresco(n int) *fresco {
	m := &fresco{stones: make([]int, n)}
	for i := range m.stones {
		go func() { m.stones[i] = i }()
	}
	return m
}

func (s *mason) layRelief(n int) *relief {
	m := &relief{stones: make([]int, n)}
	s.later = append(s.later, func() { m.stones[0] = n })
	return m
}

func (s *mason) PutMosaic(k string) {
	m := layMosaic(len(k))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mosaics[k] = m
}

func (s *mason) MosaicOk(k string, elsewhere func(string) *mosaic) *mosaic {
	s.mu.RLock()
	m := s.mosaics[k]
	s.mu.RUnlock()
	if m != nil {
		return m
	}
	m = elsewhere(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mosaics[k] = m
	return m
}

func (s *mason) FrescoBad(k string, elsewhere func(string) *fresco) *fresco {
	s.mu.RLock()
	m := s.frescos[k]
	s.mu.RUnlock()
	if m != nil {
		return m
	}
	if m = elsewhere(k); m == nil {
		m = layFresco(len(k))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frescos[k] = m // want `split-lock: .*high`
	return m
}

func (s *mason) ReliefBad(k string, elsewhere func(string) *relief) *relief {
	s.mu.RLock()
	m := s.reliefs[k]
	s.mu.RUnlock()
	if m != nil {
		return m
	}
	m = elsewhere(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reliefs[k] = m // want `split-lock: .*high`
	s.layRelief(1)
	return m
}

// A helper runs a process, which is stopped at the end: that of the one who comes second is
// stopped by no one.
type helper struct {
	name string
	run  *exec.Cmd
}

// A recipe says how to run one.
type recipe struct {
	name string
	run  *exec.Cmd
}

// A berth has a number of its own, and is left.
type berth struct {
	number uint32
	name   string
}

func (b *berth) Release() {}

type harbour struct {
	mu      sync.RWMutex
	helpers map[string]*helper
	recipes map[string]*recipe
	berths  map[string]*berth
	next    uint32
}

func (h *harbour) HelperBad(k string) (*helper, error) {
	h.mu.RLock()
	p, ok := h.helpers[k]
	h.mu.RUnlock()
	if ok {
		return p, nil
	}
	run := exec.Command(k)
	if err := run.Start(); err != nil {
		return nil, err
	}
	p = &helper{k, run}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.helpers[k] = p // want `split-lock: .*high`
	return p, nil
}

func (h *harbour) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.helpers {
		_ = p.run.Process.Kill()
	}
	for _, b := range h.berths {
		b.Release()
	}
}

func (h *harbour) RecipeOk(k string) *recipe {
	h.mu.RLock()
	p, ok := h.recipes[k]
	h.mu.RUnlock()
	if ok {
		return p
	}
	p = &recipe{k, exec.Command(k)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recipes[k] = p
	return p
}

func (h *harbour) BerthBad(k string) *berth {
	h.mu.RLock()
	b := h.berths[k]
	h.mu.RUnlock()
	if b != nil {
		return b
	}
	b = &berth{name: k, number: atomic.AddUint32(&h.next, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.berths[k] = b // want `split-lock: .*high`
	return b
}

// A pamphlet has room for notes, which nothing ever writes. A diary is handed to what writes in it.
type pamphlet struct {
	text  []string
	notes map[string]string
}

type diary struct {
	text  []string
	notes map[string]string
}

type shelf struct {
	mu        sync.RWMutex
	pamphlets map[string]*pamphlet
	diaries   map[string]*diary
}

func (s *shelf) PamphletOk(k string) *pamphlet {
	s.mu.RLock()
	p := s.pamphlets[k]
	s.mu.RUnlock()
	if p != nil {
		return p
	}
	p = &pamphlet{text: []string{k}, notes: map[string]string{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pamphlets[k] = p
	return p
}

func (p *pamphlet) Note(k string) (string, int) { return p.notes[k], countNotes(p.notes) }

func countNotes(notes map[string]string) int { return len(notes) }

func (s *shelf) DiaryBad(k string) *diary {
	s.mu.RLock()
	d := s.diaries[k]
	s.mu.RUnlock()
	if d != nil {
		return d
	}
	d = &diary{text: []string{k}, notes: map[string]string{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.diaries[k] = d // want `split-lock: .*high`
	return d
}

func (d *diary) Write(k, note string) { writeNote(d.notes, k, note) }

func writeNote(notes map[string]string, k, note string) { notes[k] = note }
