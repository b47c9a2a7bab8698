// Package callbacks has the function values that known functions run: they run
// in the context of the function that runs them.
package callbacks

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// Iterators: the literal that a method returns runs where the loop is.

type Shelf struct {
	mu sync.Mutex // protects m
	m  map[string]int
}

func (s *Shelf) Put(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = n
}

func (s *Shelf) all() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for k, v := range s.m {
			if !yield(k, v) {
				return
			}
		}
	}
}

// keys hands on what another iterator gives.
func (s *Shelf) keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range s.all() {
			if !yield(k) {
				return
			}
		}
	}
}

func (s *Shelf) ListOk() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.keys() {
		out = append(out, k)
	}
	return out
}

// The body of the loop runs under the lock too.
func (s *Shelf) DoubleOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, v := range s.all() {
		s.m[k] = 2 * v
	}
}

// Racks differ in one thing: an iterator is consumed without the lock.

type Rack struct {
	mu sync.Mutex // protects m
	m  map[string]int
}

func (r *Rack) Put(k string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m[k] = n
}

func (r *Rack) allBad() iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range r.m { // want `unguarded-access: .*r\.m`
			if !yield(k) {
				return
			}
		}
	}
}

func (r *Rack) List() (out []string) {
	for k := range r.allBad() {
		out = append(out, k)
	}
	return out
}

// An iterator that locks: the body runs under its lock.

type Locked struct {
	mu sync.Mutex // protects m
	m  map[string]int
}

func (l *Locked) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for k := range l.m {
			if !yield(k) {
				return
			}
		}
	}
}

func (l *Locked) bumpOk() {
	for k := range l.all() {
		l.m[k]++
	}
}

func (l *Locked) bumpAfterBad() {
	last := ""
	for k := range l.all() { // want `l\.m`
		last = k
	}
	l.m[last]++
}

// The standard library's iterators look at the map where they are consumed, in
// the same expression.
func (s *Shelf) sortedOk() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.m))
}

// A body that leaves the function unlocks on the way out; the rounds that go on
// still hold the lock.
func (s *Shelf) splitOk(path string) bool {
	s.mu.Lock()
	for k := range s.keys() {
		if k == path {
			s.mu.Unlock()
			return false
		}
		s.m[k]++
	}
	s.m[path]++
	s.mu.Unlock()
	return true
}

// The iterator is a parameter: the body runs now, whatever it is.
func (s *Shelf) AddAllOk(ks iter.Seq[string]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range ks {
		s.m[k]++
	}
}

func (r *Rack) AddAllBad(ks iter.Seq[string]) {
	for k := range ks {
		r.m[k] = 1 // want `r\.m`
	}
}

func (s *Shelf) collectOk() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(s.keys())
}

// What the body of a loop over an iterator leaves is what was found.
func (s *Shelf) ClaimAllBad(k string, n int) bool {
	found := false
	s.mu.Lock()
	for key := range maps.All(s.m) {
		if key == k {
			found = true
		}
	}
	s.mu.Unlock()
	if found {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = n // want `split-lock: .*high`
	return true
}

func (s *Shelf) has(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.all() {
		if key == k {
			return true
		}
	}
	return false
}

func (s *Shelf) ClaimOwnBad(k string, n int) bool {
	if s.has(k) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = n // want `split-lock: .*high`
	return true
}

func (s *Shelf) each(do func(string, int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, v := range s.m {
		do(k, v)
	}
}

func (s *Shelf) AddBad(k string, d int) {
	n := 0
	s.each(func(key string, v int) {
		if key == k {
			n = v
		}
	})
	s.mu.Lock()
	s.m[k] = n + d // want `split-lock: .*high`
	s.mu.Unlock()
}

func (s *Shelf) AddOk(k string, d int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for key, v := range s.all() {
		if key == k {
			n = v
		}
	}
	s.m[k] = n + d
}

// An iterator over a map that it gets stands where the loop names it.
func entriesOf(m map[string]int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for k, v := range m {
			if !yield(k, v) {
				return
			}
		}
	}
}

func (l *Locked) largestBad() string {
	most, at := 0, ""
	for k, v := range entriesOf(l.m) { // want `unguarded-access: l\.m`
		if v > most {
			most, at = v, k
		}
	}
	return at
}

// What the loop leaves in a variable around the literal that it stands in.
func (l *Locked) takeBad(k string) (n int) {
	there := false
	func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for key, v := range entriesOf(l.m) {
			if key == k {
				n, there = v, true
			}
		}
	}()
	if !there {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.m, k) // want `split-lock: `
	return n
}

func (l *Locked) takeOk(k string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	there := false
	for key, v := range entriesOf(l.m) {
		if key == k {
			n, there = v, true
		}
	}
	if there {
		delete(l.m, k)
	}
	return n
}
