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

// Itself gives what it is a method of.
func (s *Store[K, V]) Itself() *Store[K, V] { return s }

// With has f run on the map.
func (s *Store[K, V]) With(f func(map[K]V)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s.has)
}

// Each runs f for each entry.
func (s *Store[K, V]) Each(f func(K, V) bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for k, v := range s.has {
		if !f(k, v) {
			return
		}
	}
}

// Clear takes all out.
func (s *Store[K, V]) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.has = make(map[K]V)
}

// Tend has a goroutine clear it.
func (s *Store[K, V]) Tend() {
	go func() {
		for {
			s.Clear()
		}
	}()
}

// SetOnly has nothing but what it puts in.
func (s *Store[K, V]) SetOnly(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.has {
		delete(s.has, k)
	}
	s.has[key] = value
}

// NewTended makes a Store that a goroutine clears.
func NewTended[K comparable, V any]() *Store[K, V] {
	s := NewStore[K, V]()
	s.Tend()
	return s
}
