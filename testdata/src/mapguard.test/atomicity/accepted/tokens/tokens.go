// Package tokens keeps tokens under names that another package draws.
package tokens

import (
	"sync"

	"mapguard.test/atomicity/accepted/drawn"
)

type token struct {
	user    string
	expired bool
}

// set gives a variable its map when it has none.
func set[K comparable, V any, M ~map[K]V](m *M, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}

type storeOk struct {
	mu     sync.Mutex
	tokens map[string]token // guarded by mu
}

func (s *storeOk) Issue(user string) string {
	name := drawn.Name()
	s.mu.Lock()
	defer s.mu.Unlock()
	set(&s.tokens, name, token{user: user})
	return name
}

// No other goroutine puts an entry under the name again.
func (s *storeOk) Check(name string) string {
	s.mu.Lock()
	t, ok := s.tokens[name]
	s.mu.Unlock()
	if ok && t.expired {
		s.mu.Lock()
		delete(s.tokens, name)
		s.mu.Unlock()
		return ""
	}
	return t.user
}

type storeBad struct {
	mu     sync.Mutex
	tokens map[string]token // guarded by mu
}

func (s *storeBad) Issue(user string) string {
	name := drawn.Fixed()
	s.mu.Lock()
	defer s.mu.Unlock()
	set(&s.tokens, name, token{user: user})
	return name
}

func (s *storeBad) Check(name string) string {
	s.mu.Lock()
	t, ok := s.tokens[name]
	s.mu.Unlock()
	if ok && t.expired {
		s.mu.Lock()
		delete(s.tokens, name) // want `s.tokens is read at line 65 and deleted here.*, low`
		s.mu.Unlock()
		return ""
	}
	return t.user
}
