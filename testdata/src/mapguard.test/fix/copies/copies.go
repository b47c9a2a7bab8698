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

// Sum adds up values.
type sum struct {
	values map[string]int
	scale  int
}

func newSum(values map[string]int, scale int) *sum { return &sum{values, scale} }

func (s *sum) total() int {
	n := 0
	for _, v := range s.values {
		n += v * s.scale
	}
	return n
}

// TotalBad passes the map to a function.
func (s *Store) TotalBad() int {
	sum := newSum(s.m, 2) // want `map-escape: .*`
	return sum.total()
}

// SumBad puts the map into an object.
func (s *Store) SumBad(scale int) *sum {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &sum{
		scale:  scale,
		values: s.m, // want `map-escape: .*`
	}
}

// Links is safe for concurrent use. It gives back an inner map through a variable.
type Links struct {
	mu sync.Mutex
	of map[string]map[string]int
}

// Link adds a link.
func (l *Links) Link(from, to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of[from] == nil {
		l.of[from] = make(map[string]int)
	}
	l.of[from][to]++
}

// Unlink drops a link.
func (l *Links) Unlink(from, to string) {
	l.mu.Lock()
	delete(l.of[from], to)
	l.mu.Unlock()
}

func (l *Links) children(from string) map[string]int {
	l.mu.Lock()
	out := l.of[from]
	l.mu.Unlock()
	return out
}

// SumBad walks the inner map.
func (l *Links) SumBad(from string) (n int) {
	for _, c := range l.children(from) { // want `unguarded-access: .*`
		n += c
	}
	return n
}

// ChildrenOfBad gives the inner map away by a variable.
func (l *Links) ChildrenOfBad(from string) (map[string]int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	children, ok := l.of[from]
	if !ok {
		children = nil
	}
	return children, nil // want `map-escape: .*`
}

// Named gives the map away by another name.
type Named struct {
	mu sync.Mutex
	m  map[string]int
}

// Name stores a value.
func (n *Named) Name(k string, v int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.m[k] = v
}

// NamesBad returns the values.
func (n *Named) NamesBad() map[string]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	names := n.m
	return names // want `map-escape: .*`
}
