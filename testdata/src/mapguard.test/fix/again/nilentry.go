package again

import "sync"

type house struct{ rooms int }

// street keeps houses that were looked for, also those that do not exist, as nil.
type street struct {
	mu     sync.RWMutex
	houses map[string]*house
	find   func(k string) *house
}

func (s *street) build(k string, h *house) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.houses[k] = h
}

// An entry that is nil counts as none, when looked for again, too.
func (s *street) houseBad(k string) *house {
	s.mu.RLock()
	h := s.houses[k]
	s.mu.RUnlock()
	if h != nil {
		return h
	}
	h = s.find(k)
	s.mu.Lock()
	s.houses[k] = h // want `split-lock: .*`
	s.mu.Unlock()
	return h
}

// What follows needs no winner.
func (s *street) knowBad(k string) {
	s.mu.RLock()
	known := s.houses[k] != nil
	s.mu.RUnlock()
	if known {
		return
	}
	h := s.find(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.houses[k] = h // want `split-lock: .*`
}

// The flag does not tell by itself.
func (s *street) bothBad(k string) *house {
	s.mu.RLock()
	h, ok := s.houses[k]
	s.mu.RUnlock()
	if ok && h != nil {
		return h
	}
	h = s.find(k)
	s.mu.Lock()
	s.houses[k] = h // want `split-lock: .*`
	s.mu.Unlock()
	return h
}

// A drawer keeps files that are open.
type drawer struct {
	mu    sync.RWMutex
	files map[string]*file
	open  func(k string) *file
}

func (s *drawer) drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, k)
}

// The loser is closed.
func (s *drawer) fileBad(k string) *file {
	s.mu.RLock()
	f := s.files[k]
	s.mu.RUnlock()
	if f == nil {
		f = s.open(k)
		s.mu.Lock()
		s.files[k] = f // want `split-lock: .*`
		s.mu.Unlock()
	}
	return f
}

// The loser is closed, and the winner not needed.
func (s *drawer) readyBad(k string) {
	s.mu.RLock()
	ready := s.files[k] != nil
	s.mu.RUnlock()
	if ready {
		return
	}
	f := s.open(k)
	s.mu.Lock()
	s.files[k] = f // want `split-lock: .*`
	s.mu.Unlock()
}
