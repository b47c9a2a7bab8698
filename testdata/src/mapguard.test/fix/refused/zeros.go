package refused

import "sync"

// A scale keeps what was weighed; what weighs nothing is weighed again.
type scale struct {
	mu      sync.RWMutex
	weights map[string]int
	weigh   func(k string) int
}

func (s *scale) set(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.weights[k] = n
}

// An entry of zero counts as none.
func (s *scale) weightBad(k string) int {
	s.mu.RLock()
	n := s.weights[k]
	s.mu.RUnlock()
	if n != 0 {
		return n
	}
	n = s.weigh(k)
	s.mu.Lock()
	s.weights[k] = n // want `split-lock: .*`
	s.mu.Unlock()
	return n
}
