package perkey

import "sync"

// Store is a map each of whose methods takes its lock.
type Store[K comparable, V any] struct {
	mu  sync.RWMutex
	has map[K]V
}

// NewStore makes a Store.
func NewStore[K comparable, V any]() *Store[K, V] { return &Store[K, V]{has: make(map[K]V)} }

func (s *Store[K, V]) Get(key K) (V, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.has[key]
	return v, ok
}

func (s *Store[K, V]) Set(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.has[key] = value
}

// SetNew keeps what there is.
func (s *Store[K, V]) SetNew(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.has[key]; !ok {
		s.has[key] = value
	}
}

func (s *Store[K, V]) Del(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.has, key)
}
