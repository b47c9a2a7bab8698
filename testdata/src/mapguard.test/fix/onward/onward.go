// Package onward has looks whose answer is to go on behind the branch that inserts.
package onward

import "sync"

type stat struct {
	mu   sync.Mutex
	name string
	n    int
}

func (s *stat) add() { s.mu.Lock(); s.n++; s.mu.Unlock() }

type stats struct {
	mu    sync.RWMutex
	byKey map[string]*stat
	ask   func(string) int
	last  error
}

// What follows the branch returns the winner's.
func (s *stats) forKeyBad(k string) *stat {
	s.mu.RLock()
	st, found := s.byKey[k]
	s.mu.RUnlock()
	if !found {
		s.mu.Lock()
		st = &stat{name: k}
		s.byKey[k] = st // want `split-lock: .*`
		s.mu.Unlock()
		st.n = s.ask(k)
		st.add()
	}
	return st
}

// So it is where the value itself tells, and one's own can be dropped.
func (s *stats) forNilBad(k string) (*stat, error) {
	s.mu.RLock()
	st := s.byKey[k]
	s.mu.RUnlock()
	if st == nil {
		made := &stat{name: k}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.byKey[k] = made // want `split-lock: .*`
		s.ask(k)
		st = made
	}
	return st, nil
}

// The function ends there.
func (s *stats) registerBad(k string) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		st := &stat{name: k}
		s.mu.Lock()
		s.byKey[k] = st // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
	}
}

// What is left of the branch depends on the second look, too.
func (s *stats) moreBad(k string) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		s.byKey[k] = &stat{} // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
	}
	s.ask(k)
}

// With the release at the function's end, all that is left of the branch is in it.
func (s *stats) deferredBad(k string) {
	s.mu.RLock()
	st, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		st = &stat{}
		s.byKey[k] = st // want `split-lock: .*`
		s.ask(k)
	}
	s.ask(st.name)
}

// What the branch returns is another error than the one behind it.
func (s *stats) errorBad(k string) (err error) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		err := s.last
		s.mu.Lock()
		s.byKey[k] = &stat{} // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
		s.tell(err == nil)
	}
	return err
}

func (s *stats) tell(bool) { s.ask("") }

// What tells whether it was there does so of the second look.
func (s *stats) loadedBad(k string) (*stat, bool) {
	s.mu.RLock()
	st, loaded := s.byKey[k]
	s.mu.RUnlock()
	if !loaded {
		s.mu.Lock()
		st = &stat{name: k}
		s.byKey[k] = st // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
	}
	return st, loaded
}

// A literal that runs at the end has the winner's, too.
func (s *stats) usedBad(k string) *stat {
	var st *stat
	var ok bool
	defer func() { st.add() }()
	s.mu.RLock()
	st, ok = s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		st = &stat{name: k}
		s.byKey[k] = st // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
	}
	return st
}
