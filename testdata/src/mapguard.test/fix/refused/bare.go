package refused

import "sync"

// Shards is safe for concurrent use. It gives back its map where it holds no lock.
type Shards struct {
	mu  sync.RWMutex
	all map[string]int
}

// Add counts one up.
func (s *Shards) Add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[name]++
}

// Has looks one up.
func (s *Shards) Has(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.all[name]
	return ok
}

// AllBad gives back the map.
func (s *Shards) AllBad() map[string]int {
	return s.all // want `map-escape: .*`
}

// SomeBad gives back the map behind the section.
func (s *Shards) SomeBad(all bool) map[string]int {
	s.mu.RLock()
	none := len(s.all) == 0
	s.mu.RUnlock()
	if none || !all {
		return nil
	}
	return s.all // want `map-escape: .*`
}
