package unguarded

import "sync"

// A desk's next generation takes over what the one before has, its lock included: it is
// not in use before.
type station struct {
	mu    *sync.Mutex
	calls map[string]int
}

func (s *station) call(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[k]++
}

func (s *station) drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, k)
}

func (s *station) inheritOk(old *station) {
	s.mu, s.calls = old.mu, old.calls
}

func (s *station) copyBad(old map[string]int) {
	s.calls = old // want `unguarded-access: s\.calls`
}
