// Package copies returns guarded maps themselves.
package copies

import "sync"

// Store is safe for concurrent use.
type Store struct {
	mu sync.Mutex
	m  map[string]int
}

// Put stores a value.
func (s *Store) Put(k string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
}

// Delete deletes a value.
func (s *Store) Delete(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, k)
}

// AllBad returns all values.
func (s *Store) AllBad() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m // want `map-escape: .*`
}
