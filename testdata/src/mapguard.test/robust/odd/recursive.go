package odd

import "sync"

// A chain of structs that lead to others of their own type, and that nothing
// changes once they are made.
type chain struct {
	next *chain
	vs   []int
}

// One that is changed somewhere down the chain.
type ring struct {
	next *ring
	vs   []int
}

type chains struct {
	mu    sync.Mutex
	m     map[string]*chain
	rings map[string]*ring
}

func (c *chains) pushOk(k string, tail *chain) *chain {
	c.mu.Lock()
	v := c.m[k]
	c.mu.Unlock()
	if v == nil {
		v = &chain{tail, nil}
		c.mu.Lock()
		c.m[k] = v
		c.mu.Unlock()
	}
	return v
}

func (c *chains) closeBad(k string, tail *ring) *ring {
	c.mu.Lock()
	v := c.rings[k]
	c.mu.Unlock()
	if v == nil {
		v = &ring{tail, nil}
		c.mu.Lock()
		c.rings[k] = v // want `split-lock: `
		c.mu.Unlock()
	}
	return v
}

func (r *ring) close() { r.next.next = r }
