package odd

import "sync"

// A chain of structs that lead to others of their own type, and that nothing
// changes once they are made.
type chain struct {
	next *chain
	vs   []int
}

type chains struct {
	mu sync.Mutex
	m  map[string]*chain
}

func (c *chains) pushBad(k string, tail *chain) *chain {
	c.mu.Lock()
	v := c.m[k]
	c.mu.Unlock()
	if v == nil {
		v = &chain{tail, nil}
		c.mu.Lock()
		c.m[k] = v // want `split-lock: `
		c.mu.Unlock()
	}
	return v
}
