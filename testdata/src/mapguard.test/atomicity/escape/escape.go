// Package escape pins that a guarded map which leaves its critical section is
// found by whatever way it leaves, and that a copy is not.
package escape

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"sync"
)

type conn struct{ id int }

// A Pool has a map that is changed in place.
type Pool struct {
	mu sync.RWMutex
	m  map[string]*conn            // guarded by mu
	by map[string]map[string]*conn // guarded by mu
}

// PutOk changes it.
func (p *Pool) PutOk(k, j string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
	if p.by[k] == nil {
		p.by[k] = make(map[string]*conn)
	}
	p.by[k][j] = c
}

// Returned.

// AllBad returns it.
func (p *Pool) AllBad() map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m // want `map-escape: `
}

// NamedBad returns it through a variable, before the lock is given up.
func (p *Pool) NamedBad() (out map[string]*conn) {
	p.mu.RLock()
	out = p.m
	p.mu.RUnlock()
	return out // want `map-escape: `
}

// PairBad returns it beside something else.
func (p *Pool) PairBad() (map[string]*conn, int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m, len(p.m) // want `map-escape: `
}

// InnerBad returns a map of the map.
func (p *Pool) InnerBad(k string) map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.by[k] // want `map-escape: `
}

// A View is what is shown of a pool.
type View struct{ Conns map[string]*conn }

// ViewBad returns it inside a struct.
func (p *Pool) ViewBad() View {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return View{Conns: p.m} // want `map-escape: `
}

// ViewPointerBad returns it inside a struct that is made here.
func (p *Pool) ViewPointerBad() *View {
	p.mu.RLock()
	defer p.mu.RUnlock()
	v := &View{}
	v.Conns = p.m // want `map-escape: `
	return v
}

// AnyBad returns it as an interface.
func (p *Pool) AnyBad() any {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m // want `map-escape: `
}

// SeqBad returns a walk that begins when the lock is not held.
func (p *Pool) SeqBad() iter.Seq[string] {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return maps.Keys(p.m) // want `map-escape: `
}

// EachBad returns a function that walks later.
func (p *Pool) EachBad() func(func(string)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return func(f func(string)) {
		for k := range p.m { // want `(map-escape|unguarded-access): `
			f(k)
		}
	}
}

// CloneOk returns a copy.
func (p *Pool) CloneOk() map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return maps.Clone(p.m)
}

// LoopOk copies by hand.
func (p *Pool) LoopOk() map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := make(map[string]*conn, len(p.m))
	for k, c := range p.m {
		out[k] = c
	}
	return out
}

// CopyOk copies with the library.
func (p *Pool) CopyOk() View {
	p.mu.RLock()
	defer p.mu.RUnlock()
	v := View{Conns: map[string]*conn{}}
	maps.Copy(v.Conns, p.m)
	return v
}

// DeepOk copies the inner ones, too.
func (p *Pool) DeepOk() map[string]map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := make(map[string]map[string]*conn, len(p.by))
	for k, in := range p.by {
		out[k] = maps.Clone(in)
	}
	return out
}

// FN_ShallowBad copies the outer one alone. A clone is taken for a copy, whatever
// is in it.
// It would take a place for the inner maps of what a clone returns.
func (p *Pool) FN_ShallowBad() map[string]map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return maps.Clone(p.by)
}

// KeysOk returns what it walked.
func (p *Pool) KeysOk() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Sorted(maps.Keys(p.m))
}

// EntryOk returns an entry, not the map.
func (p *Pool) EntryOk(k string) *conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m[k]
}

// JSONOk is written under the lock.
func (p *Pool) JSONOk() ([]byte, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return json.Marshal(p.m)
}

// JSONBad is written when it is not held.
func (p *Pool) JSONBad() ([]byte, error) {
	p.mu.RLock()
	m := p.m
	p.mu.RUnlock()
	return json.Marshal(m) // want `unguarded-access: `
}

// viewLockedOk is for those who hold the lock.
func (p *Pool) viewLockedOk() map[string]*conn { return p.m }

// ViewOk returns the map itself. The caller must hold p.mu.
func (p *Pool) ViewOk() map[string]*conn { return p.m }

// CountOk holds it.
func (p *Pool) CountOk() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.viewLockedOk())
}

// RangeOk lends it to f under the lock.
func (p *Pool) RangeOk(f func(map[string]*conn)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	f(p.m)
}

// Iterated or changed by a caller. What is not exported has its callers in
// sight: they are the findings.

func (p *Pool) all() map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m
}

func (p *Pool) walkBad() int {
	n := 0
	for range p.all() { // want `unguarded-access: `
		n++
	}
	return n
}

func (p *Pool) changeBad(k string) {
	delete(p.all(), k) // want `unguarded-access: `
}

// Given away: the field gets another one before the lock is released.

// TakeOk takes it out.
func (p *Pool) TakeOk() map[string]*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.m
	p.m = make(map[string]*conn)
	return m
}

// TakeInOneLineOk swaps.
func (p *Pool) TakeInOneLineOk() (old map[string]*conn) {
	p.mu.Lock()
	old, p.m = p.m, nil
	p.mu.Unlock()
	return old
}

// TakeAndCloseOk walks what is its own now.
func (p *Pool) TakeAndCloseOk(f func(*conn)) {
	p.mu.Lock()
	m := p.m
	p.m = map[string]*conn{}
	p.mu.Unlock()
	for k, c := range m {
		f(c)
		delete(m, k)
	}
}

// TakeInnerOk takes one of the inner ones out.
func (p *Pool) TakeInnerOk(k string) map[string]*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := p.by[k]
	delete(p.by, k)
	return in
}

// TakeSometimesBad leaves it where it is when it is small.
func (p *Pool) TakeSometimesBad() map[string]*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.m
	if len(m) > 100 {
		p.m = make(map[string]*conn)
	}
	return m // want `map-escape: `
}
