package splitlock

import "sync"

// Giving a variable that is nil an empty map loses nothing, whatever was looked at
// before.

type sparse struct {
	mu    sync.Mutex
	edges map[string]string
}

func (s *sparse) LinkOk(from, to string) bool {
	s.mu.Lock()
	_, back := s.edges["~"+from]
	s.mu.Unlock()
	if back {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.edges == nil {
		s.edges = make(map[string]string)
	}
	s.edges[from] = to
	return true
}

// What is put in after it is another question.
func (s *sparse) ClaimBad(from, to string) bool {
	s.mu.Lock()
	_, taken := s.edges[from]
	s.mu.Unlock()
	if taken {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.edges == nil {
		s.edges = make(map[string]string)
	}
	s.edges[from] = to // want `s.edges is read at line \d+ and written here`
	return true
}

// Without the test, entries are lost.
func (s *sparse) ResetBad(from string) {
	s.mu.Lock()
	n := len(s.edges)
	s.mu.Unlock()
	if n < 100 {
		return
	}
	s.mu.Lock()
	s.edges = make(map[string]string) // want `s.edges is measured with len at line \d+ and assigned here`
	s.mu.Unlock()
}

// A whole map that is given to a variable that is nil overwrites nothing, either.

type sums struct {
	mu    sync.Mutex
	known map[string]string
}

func (s *sums) SumOk(kind string, all func() map[string]string) string {
	s.mu.Lock()
	sum, ok := s.known[kind]
	s.mu.Unlock()
	if ok {
		return sum
	}
	found := all()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = found
	} else {
		s.known[kind] = found[kind]
	}
	return found[kind]
}

// SumBad overwrites what another goroutine has found of other kinds.
func (s *sums) SumBad(kind string, all func() map[string]string) string {
	s.mu.Lock()
	sum, ok := s.known[kind]
	s.mu.Unlock()
	if ok {
		return sum
	}
	found := all()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = found // want `s.known is read at line \d+ and assigned here`
	return found[kind]
}
