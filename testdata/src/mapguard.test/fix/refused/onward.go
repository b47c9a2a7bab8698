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

// The first section ends in the branch, which goes on with the lock.
func (s *seats) relockBad(k string) *seat {
	s.mu.RLock()
	_, ok := s.byKey[k]
	if !ok {
		s.mu.RUnlock()
		s.mu.Lock()
		s.byKey[k] = &seat{} // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
		s.mu.RLock()
	}
	v := s.byKey[k]
	s.mu.RUnlock()
	return v
}

// It ends there, and behind it.
func (s *seats) leaveBad(k string) {
	s.mu.RLock()
	if _, ok := s.byKey[k]; !ok {
		s.mu.RUnlock()
		s.mu.Lock()
		s.byKey[k] = &seat{} // want `split-lock: .*`
		s.mu.Unlock()
		s.ask(k)
		return
	}
	s.mu.RUnlock()
}

// The release for the function's end is that of the first section.
func (s *seats) deferBad(k string) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.byKey[k]
	if ok {
		return v
	}
	s.mu.Unlock()
	n := s.ask(k)
	s.mu.Lock()
	s.byKey[k] = &seat{n: n} // want `split-lock: .*`
	return nil
}

// The section ends in one of two branches, and another one follows.
func (s *seats) nestedBad(k string, full bool) {
	s.mu.RLock()
	_, ok := s.byKey[k]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		s.byKey[k] = &seat{} // want `split-lock: .*`
		if full {
			s.byKey[""] = nil
			s.mu.Unlock()
		} else {
			s.mu.Unlock()
		}
		s.ask(k)
		s.mu.Lock()
		delete(s.byKey, "")
		s.mu.Unlock()
	}
	s.ask(k)
}

// What a bare return gives is not what the second look found.
func (s *seats) namedBad(k string) (v *seat, ok bool) {
	s.mu.RLock()
	v, ok = s.byKey[k]
	s.mu.RUnlock()
	if ok {
		return
	}
	n := s.ask(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	v = &seat{n: n}
	s.byKey[k] = v // want `split-lock: .*`
	s.ask(k)
	return
}

// Nor is it where the insertion is the last step.
func (s *seats) lastBad(k string) (v *seat, ok bool) {
	s.mu.RLock()
	v, ok = s.byKey[k]
	s.mu.RUnlock()
	if ok {
		return
	}
	n := s.ask(k)
	s.mu.Lock()
	v = &seat{n: n}
	s.byKey[k] = v // want `split-lock: .*`
	s.mu.Unlock()
	return
}
