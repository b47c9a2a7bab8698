package rlockwrite

import "sync"

// A branch's tree is its own, under its own lock; the company's keeps the branches.
type knot struct{ kids map[string]*knot }

func (n *knot) set(k string) { n.kids[k] = &knot{} }

type branch struct {
	mu   sync.RWMutex
	root *knot
}

func (b *branch) set(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.root.set(k)
}

func (b *branch) get(k string) *knot {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.root.kids[k]
}

type company struct {
	mu       sync.RWMutex
	branches map[string]*branch
}

func (c *company) open(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.branches[k] = &branch{root: &knot{kids: make(map[string]*knot)}}
}

func (c *company) replace(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.branches {
		b.set(k)
	}
}

func (c *company) applyOk(k string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, b := range c.branches {
		b.set(k)
	}
}
