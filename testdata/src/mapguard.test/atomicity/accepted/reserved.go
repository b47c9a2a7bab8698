package accepted

import (
	"errors"
	"sync"
	"sync/atomic"
)

// The entry is reserved in another map, in the section of the look.

type tube struct{ open bool }

func open(k string) (*tube, error) { return &tube{len(k) > 0}, nil }

type tubes struct {
	mu      sync.Mutex
	opened  map[string]*tube
	opening map[string]bool
}

func (t *tubes) openOk(k string) (*tube, error) {
	t.mu.Lock()
	if x := t.opened[k]; x != nil {
		t.mu.Unlock()
		return x, nil
	}
	if t.opening[k] {
		t.mu.Unlock()
		return nil, errors.New("busy")
	}
	t.opening[k] = true
	t.mu.Unlock()

	x, err := open(k)

	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.opening, k)
	if err != nil {
		return nil, err
	}
	t.opened[k] = x
	return x, nil
}

// The mark is gone before the entry is there.
type early struct {
	mu      sync.Mutex
	opened  map[string]*tube
	opening map[string]bool
}

func (e *early) openBad(k string) *tube {
	e.mu.Lock()
	x := e.opened[k]
	_, busy := e.opening[k]
	if x != nil || busy {
		e.mu.Unlock()
		return x
	}
	e.opening[k] = true
	e.mu.Unlock()
	x, _ = open(k)
	e.mu.Lock()
	delete(e.opening, k)
	e.mu.Unlock()
	e.mu.Lock()
	e.opened[k] = x // want `split-lock: `
	e.mu.Unlock()
	return x
}

// Another function puts entries in without asking for the mark.
type mixed struct {
	mu      sync.Mutex
	opened  map[string]*tube
	opening map[string]chan struct{}
}

func (m *mixed) openBad(k string) *tube {
	m.mu.Lock()
	if x := m.opened[k]; x != nil {
		m.mu.Unlock()
		return x
	}
	if _, ok := m.opening[k]; ok {
		m.mu.Unlock()
		return nil
	}
	done := make(chan struct{})
	m.opening[k] = done
	m.mu.Unlock()
	x, _ := open(k)
	m.mu.Lock()
	m.opened[k] = x // want `split-lock: `
	delete(m.opening, k)
	m.mu.Unlock()
	close(done)
	return x
}

func (m *mixed) put(k string, x *tube) {
	m.mu.Lock()
	m.opened[k] = x
	m.mu.Unlock()
}

// Who swaps the flag first is the only one.

type swapped struct {
	begun atomic.Bool
	turns atomic.Int32
	mu    sync.Mutex
	m     map[string]*tube
	n     map[string]*tube
}

func (s *swapped) beginOk() {
	if s.begun.Swap(true) {
		return
	}
	s.mu.Lock()
	x := s.m["first"]
	s.mu.Unlock()
	if x == nil {
		s.mu.Lock()
		s.m["first"] = &tube{}
		s.mu.Unlock()
	}
}

func (s *swapped) get(k string) *tube {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k]
}

func (s *swapped) turnOk() {
	if s.turns.Swap(1) != 0 {
		return
	}
	s.mu.Lock()
	x := s.n["first"]
	s.mu.Unlock()
	if x == nil {
		s.mu.Lock()
		s.n["first"] = &tube{}
		s.mu.Unlock()
	}
}

// A flag that is set back can be claimed again.
type unset struct {
	begun atomic.Bool
	mu    sync.Mutex
	m     map[string]*tube
}

func (u *unset) beginBad() {
	if u.begun.Swap(true) {
		return
	}
	u.mu.Lock()
	x := u.m["first"]
	u.mu.Unlock()
	if x == nil {
		u.mu.Lock()
		u.m["first"] = &tube{} // want `split-lock: `
		u.mu.Unlock()
	}
}

func (u *unset) again() { u.begun.Swap(false) }

// What the look for the mark has found is kept under the opposite name.
type lead struct {
	mu      sync.Mutex
	opened  map[string]*tube
	opening map[string]chan struct{}
}

func (l *lead) openOk(k string) (*tube, error) {
	l.mu.Lock()
	if x := l.opened[k]; x != nil {
		l.mu.Unlock()
		return x, nil
	}
	done, busy := l.opening[k]
	if !busy {
		done = make(chan struct{})
		l.opening[k] = done
	}
	first := !busy
	l.mu.Unlock()

	if first {
		x, err := open(k)
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.opening, k)
		close(done)
		if err != nil {
			return nil, err
		}
		l.opened[k] = x
		return x, nil
	}
	<-done
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.opened[k], nil
}

// Those who have not put the mark in open it.
type follow struct {
	mu      sync.Mutex
	opened  map[string]*tube
	opening map[string]chan struct{}
}

func (f *follow) openBad(k string) *tube {
	f.mu.Lock()
	if x := f.opened[k]; x != nil {
		f.mu.Unlock()
		return x
	}
	_, busy := f.opening[k]
	if !busy {
		f.opening[k] = make(chan struct{})
	}
	first := !busy
	f.mu.Unlock()
	if first {
		return nil
	}
	x, _ := open(k)
	f.mu.Lock()
	f.opened[k] = x // want `split-lock: `
	delete(f.opening, k)
	f.mu.Unlock()
	return x
}

// Some who have not put the mark in open it, too.
type forced struct {
	mu      sync.Mutex
	opened  map[string]*tube
	opening map[string]chan struct{}
}

func (f *forced) openBad(k string, force bool) *tube {
	f.mu.Lock()
	if x := f.opened[k]; x != nil {
		f.mu.Unlock()
		return x
	}
	_, busy := f.opening[k]
	if !busy {
		f.opening[k] = make(chan struct{})
	}
	first := !busy
	if force {
		first = true
	}
	f.mu.Unlock()
	if !first {
		return nil
	}
	x, _ := open(k)
	f.mu.Lock()
	f.opened[k] = x // want `split-lock: `
	delete(f.opening, k)
	f.mu.Unlock()
	return x
}
