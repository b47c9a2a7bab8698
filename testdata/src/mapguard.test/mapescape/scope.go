package mapescape

import "sync"

// A Scope has the values that an expression knows.
type Scope struct{ Values map[string]int }

// Scopes has one of its own, under a mutex.
type Scopes struct {
	mu    sync.Mutex
	scope *Scope
}

func (s *Scopes) set(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scope.Values[k] < n {
		s.scope.Values[k] = n
	}
}

func (s *Scopes) drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.scope.Values, k)
}

func (s *Scopes) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.scope.Values)
}

// An Evaluator works with scopes that others make.
type Evaluator struct{ current func() *Scope }

// Values returns the map of an object from a call, of which nothing tells whether it is shared.
func (e *Evaluator) Values() map[string]int { return e.current().Values } // want `map-escape: .*, low`

// ValuesBad returns the map of the shared object.
func (s *Scopes) ValuesBad() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scope.Values // want `map-escape: s\.scope\.Values`
}
