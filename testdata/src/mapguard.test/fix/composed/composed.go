// Package composed has looks and acts in helpers, each with a section of its own,
// that a third function calls one after the other.
package composed

import (
	"errors"
	"sync"
)

var errTaken = errors.New("taken")

type item struct{ n int }

// Shelf is safe for concurrent use.
type Shelf struct {
	mu    sync.RWMutex
	items map[string]*item
}

// Has tells whether there is an item.
func (s *Shelf) Has(k string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()

	// A nil item is none.
	return s.items[k] != nil
}

// Put sets an item.
func (s *Shelf) Put(k string, i *item) {
	s.mu.Lock() // for writing
	s.items[k] = i
	s.mu.Unlock()
}

// Drop removes an item.
func (s *Shelf) Drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, k)
}

// claimBad looks in one helper, and acts in another one.
func (s *Shelf) claimBad(k string) error {
	if s.Has(k) {
		return errTaken
	}
	s.Put(k, &item{}) // want `split-lock: .*`
	return nil
}

// alsoBad needs the same variants.
func (s *Shelf) alsoBad(k string, i *item) (bool, error) {
	if i == nil {
		return false, errors.New("nothing to put")
	}
	has := s.Has(k)
	if !has {
		s.Put(k, i) // want `split-lock: .*`
	}
	return !has, nil
}

// halfBad looks in a helper, and acts by itself.
func (s *Shelf) halfBad(ch chan bool, k string) {
	if !s.Has(k) {
		s.mu.Lock()
		s.items[k] = &item{} // want `split-lock: .*`
		s.mu.Unlock()
	}
	ch <- true
}

// register is used through a pointer, by a plain function.
type register struct {
	sync.Mutex
	names map[int]string
}

func (r *register) lookUp(id int) (name string, ok bool) {
	r.Lock()
	defer r.Unlock()
	name, ok = r.names[id]
	return name, ok
}

func (r *register) enter(id int, name string) (before string) {
	r.Lock()
	if name == "" {
		r.Unlock()
		return before
	}
	before = r.names[id]
	r.names[id] = name
	r.Unlock()
	return before
}

// remove has such a variant already.
func (r *register) remove(id int) {
	r.Lock()
	defer r.Unlock()
	r.removeNow(id)
}

func (r *register) removeNow(id int) { delete(r.names, id) }

func enterBad(r *register, id int, name string) bool {
	if _, ok := r.lookUp(id); ok {
		return false
	}
	r.enter(id, name) // want `split-lock: .*`
	return true
}

func takeBad(r *register, id int) (string, bool) {
	name, ok := r.lookUp(id)
	if !ok {
		return "", false
	}
	r.remove(id) // want `split-lock: .*`
	return name, true
}

var (
	countsMu sync.Mutex
	counts   = make(map[string]int)
)

func countOf(k string) int {
	countsMu.Lock()
	defer countsMu.Unlock()
	return counts[k]
}

func setCount(k string, n int, more ...int) {
	countsMu.Lock()
	defer countsMu.Unlock()
	for _, m := range more {
		n += m
	}
	counts[k] = n
}

func addBad(k string, n int) {
	setCount(k, countOf(k)+n) // want `split-lock: .*`
}
