package refused

import (
	"context"
	"sync"
)

// Each type is one reason for which a lock is not taken, or not held for longer.

type shelf struct {
	mu   sync.Mutex
	m    map[string]int // guarded by mu
	load func(context.Context, string) (int, error)
}

func (s *shelf) put(k string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
}

// The lock of another object of the type is held: two goroutines could each hold
// one and wait for the other's.
func (s *shelf) mergeBad(o *shelf) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, v := range o.m { // want `unguarded-access: .*`
		s.m[k] = v
	}
}

// What runs in between may wait, and what is stored is not what was found absent.
func (s *shelf) refreshBad(ctx context.Context, k string) error {
	s.mu.Lock()
	old := s.m[k]
	s.mu.Unlock()
	v, err := s.load(ctx, k)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = old + v // want `split-lock: .*`
	return nil
}

// Board runs callbacks under its lock, and these may come back.
type Board struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

// Each calls f for each entry.
func (b *Board) Each(f func(string, int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, v := range b.m {
		f(k, v)
	}
}

// Put stores an entry.
func (b *Board) Put(k string, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[k] = v
}

// LenBad may be called by such a callback.
func (b *Board) LenBad() int {
	return len(b.m) // want `unguarded-access: .*`
}

// ring takes its locks in one order.
type ring struct {
	outer, inner sync.Mutex
	m            map[string]int // guarded by outer
	n            map[string]int // guarded by inner
}

func (r *ring) both(k string) {
	r.outer.Lock()
	defer r.outer.Unlock()
	r.m[k]++
	r.inner.Lock()
	r.n[k]++
	r.inner.Unlock()
}

// The other order would be a circle.
func (r *ring) otherBad(k string) {
	r.inner.Lock()
	defer r.inner.Unlock()
	r.n[k] = r.m[k] // want `unguarded-access: .*`
}

// depot takes its lock on some paths only.
type depot struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (d *depot) put(k string, v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.m[k] = v
}

func (d *depot) sometimesBad(k string, n int) {
	if n > 1 {
		d.mu.Lock()
		defer d.mu.Unlock()
	}
	d.m[k] = n // want `unguarded-access: .*`
}

// Public is a struct of which others may use the map.
type Public struct {
	M map[string]int
}

// AddBad has no lock to take.
func (p *Public) AddBad(k string) bool {
	if _, ok := p.M[k]; ok { // want `check-then-act: .*`
		return false
	}
	p.M[k] = 1
	return true
}
