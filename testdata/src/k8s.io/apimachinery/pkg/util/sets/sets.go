// Package sets has the shape of the sets that operators use.
package sets

// Empty is no value.
type Empty struct{}

// A Set is a set of values.
type Set[T comparable] map[T]Empty

// New returns a set of items.
func New[T comparable](items ...T) Set[T] { return make(Set[T]).Insert(items...) }

// Insert adds items.
func (s Set[T]) Insert(items ...T) Set[T] {
	for _, item := range items {
		s[item] = Empty{}
	}
	return s
}

// Delete removes items.
func (s Set[T]) Delete(items ...T) Set[T] {
	for _, item := range items {
		delete(s, item)
	}
	return s
}

// Has reports whether the set has an item.
func (s Set[T]) Has(item T) bool {
	_, ok := s[item]
	return ok
}

// Len is the number of items.
func (s Set[T]) Len() int { return len(s) }

// UnsortedList returns the items.
func (s Set[T]) UnsortedList() (out []T) {
	for item := range s {
		out = append(out, item)
	}
	return out
}
