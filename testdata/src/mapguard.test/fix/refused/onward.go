package refused

import "sync"

type seat struct {
	mu   sync.Mutex
	name string
	n    int
}

func (s *seat) add() { s.mu.Lock(); s.n++; s.mu.Unlock() }

type seats struct {
	mu    sync.RWMutex
	byKey map[string]*seat
	ask   func(string) int
}

func (s *seats) tell(bool) { s.ask("") }

// What is called before the section may be for the one who inserts alone.
func (s *seats) busyBad(k string) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		n := s.ask(k)
		s.mu.Lock()
		s.byKey[k] = &seat{n: n} // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
	}
}

// What the section defines is used behind it.
func (s *seats) definesBad(k string) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		st := &seat{}
		s.byKey[k] = st // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(st.name)
	}
	s.ask(k)
}

// The variable that says so is another one there.
func (s *seats) shadowedBad(k string) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		ok := k != ""
		s.mu.Lock()
		s.byKey[k] = &seat{} // want `split-lock: .*`
		s.mu.Unlock()
		s.tell(ok)
	}
	s.ask(k)
}
