package unguarded

import "sync"

// A chosen map is replaced as a whole, and looked at in literals once it is fetched.
type chosen struct {
	mu sync.RWMutex
	// guarded by mu
	names map[string]bool
}

func (c *chosen) choose(names []string) {
	m := make(map[string]bool)
	for _, n := range names {
		m[n] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = m
}

func each(names []string, keep func(string) bool) {
	for _, n := range names {
		if keep(n) {
			println(n)
		}
	}
}

func (c *chosen) literalOk(names []string) {
	c.mu.RLock()
	m := c.names
	c.mu.RUnlock()
	each(names, func(n string) bool { return m[n] })
}

func (c *chosen) nestedOk(names, more []string) {
	c.mu.RLock()
	m := c.names
	c.mu.RUnlock()
	each(names, func(n string) bool {
		each(more, func(n string) bool { return m[n] })
		return len(n) > 1
	})
}

func asks(n string, m map[string]bool) bool { return m[n] }

func (c *chosen) passedOk(names, more []string) {
	c.mu.RLock()
	m := c.names
	c.mu.RUnlock()
	each(names, func(n string) bool {
		each(more, func(n string) bool { return asks(n, m) })
		return len(n) > 1
	})
}

func (c *chosen) literalBad(names []string) {
	each(names, func(n string) bool { return c.names[n] }) // want `unguarded-access: .*c\.names`
}
