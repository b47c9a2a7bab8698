package acts

import "sync"

// The act runs in a goroutine that the look starts: the lock that both take
// does not hold them together.

type lateCache struct {
	mu sync.Mutex // guards m
	m  map[string]*late
}

type late struct{ id int }

func (c *lateCache) insertedLaterBad(k string) *late {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[k]; ok {
		return v
	}
	v := &late{id: len(k)}
	go func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.m[k] = v // want `split-lock: .*c\.m`
	}()
	return v
}

// The goroutine looks again.
func (c *lateCache) lookedAgainOk(k string) {
	c.mu.Lock()
	_, ok := c.m[k]
	c.mu.Unlock()
	if ok {
		return
	}
	go func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, ok := c.m[k]; !ok {
			c.m[k] = &late{}
		}
	}()
}

// The place is taken before the goroutine fills it.
func (c *lateCache) reservedOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.m[k]; ok {
		return
	}
	c.m[k] = nil
	go func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.m[k] = &late{}
	}()
}
