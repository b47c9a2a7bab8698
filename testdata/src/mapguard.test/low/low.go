// Package low holds what is shown at low confidence alone.
package low

import "sync"

type conn struct{ id int }

// A bag has nothing that shows a second goroutine.
type bag struct{ m map[string]*conn }

func (b *bag) noEvidenceBad(k string) {
	if b.m[k] == nil { // want `check-then-act: .*b\.m.*low`
		b.m[k] = &conn{}
	}
}

func (b *bag) countBad() int {
	return len(b.m) // want `unguarded-access: .*b\.m.*low`
}

// A reader's map is never changed.
type reader struct{ m map[string]*conn }

func (r *reader) readOnlyOk(k string) *conn { return r.m[k] }

// A memo is not exported.
type memo struct{ m map[string]*conn }

func (m *memo) getBad(k string) *conn {
	if c, ok := m.m[k]; ok { // want `check-then-act: .*m\.m.*low`
		return c
	}
	c := &conn{}
	m.m[k] = c
	return c
}

// Deleting what may already be gone does no harm.
type idempotent struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
	n  map[string]int   // guarded by mu
}

func (i *idempotent) put(k string, c *conn) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.m[k] = c
}

func (i *idempotent) deleteBad(k string) {
	i.mu.Lock()
	_, ok := i.m[k]
	i.mu.Unlock()
	if ok {
		i.mu.Lock()
		delete(i.m, k) // want `split-lock: .*i\.m.*low`
		i.mu.Unlock()
	}
}

func (i *idempotent) pureBad(k string) int {
	i.mu.Lock()
	n, ok := i.n[k]
	i.mu.Unlock()
	if !ok {
		n = len(k)
		i.mu.Lock()
		i.n[k] = n // want `split-lock: .*i\.n.*low`
		i.mu.Unlock()
	}
	return n
}

var factories = map[string]func() *conn{}

// Register adds a factory at start-up.
func Register(name string, f func() *conn) {
	if _, dup := factories[name]; dup { // want `check-then-act: .*factories.*low`
		panic("twice: " + name)
	}
	factories[name] = f
}

// Make uses one.
func Make(name string) *conn { return factories[name]() } // want `unguarded-access: .*factories.*low`
