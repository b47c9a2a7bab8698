package owned

import "sync"

// pending collects keys, which one goroutine after the other takes away as a whole.
type pending struct {
	mu   sync.Mutex
	keys map[string]bool
	old  map[string]bool
}

func (p *pending) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[k] = true
}

func (p *pending) has(k string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys[k] || p.old[k]
}

// take gives away the map, and puts another one in its place.
func (p *pending) take() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	keys := p.keys
	p.keys = make(map[string]bool)
	return keys
}

func (p *pending) takeLocked() map[string]bool {
	keys := p.keys
	p.keys = nil
	return keys
}

func (p *pending) takeThrough() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.takeLocked()
}

func (p *pending) flushOk() (n int) {
	for k := range p.take() {
		n += len(k)
	}
	return n
}

func (p *pending) flushThroughOk() int {
	m := p.takeThrough()
	delete(m, "")
	return len(m)
}

// flushSomeOk takes the map if there is anything in it.
func (p *pending) flushSomeOk() (n int) {
	var m map[string]bool
	p.mu.Lock()
	if len(p.keys) > 0 {
		m = p.keys
		p.keys = make(map[string]bool)
	}
	p.mu.Unlock()
	for k := range m {
		n += len(k)
	}
	return n
}

// counted has the same, but its maps stay where others find them.
type counted struct {
	mu   sync.Mutex
	keys map[string]bool
	old  map[string]bool
}

func (c *counted) add(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys[k] = true
	c.old[k] = false
}

func (c *counted) drop(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.keys, k)
	delete(c.old, k)
}

func (c *counted) both(k string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keys[k] && c.old[k]
}

// cut takes the map on one path alone.
func (c *counted) cut(all bool) map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := c.keys
	if all {
		c.keys = make(map[string]bool)
	}
	return keys
}

func (c *counted) cutBad() (n int) {
	for k := range c.cut(false) { // want `unguarded-access: .*, high`
		n += len(k)
	}
	return n
}

// moveBad puts the map elsewhere, where others find it.
func (c *counted) moveBad() (n int) {
	c.mu.Lock()
	keys := c.keys
	c.keys = make(map[string]bool)
	c.old = keys
	c.mu.Unlock()
	for k := range keys { // want `unguarded-access: .*, high`
		n += len(k)
	}
	return n
}

// mixedBad takes one map, or looks at what stays there.
func (c *counted) mixedBad(first bool) (n int) {
	var m map[string]bool
	c.mu.Lock()
	if m = c.keys; first {
		c.keys = make(map[string]bool)
	}
	c.mu.Unlock()
	for k := range m { // want `unguarded-access: .*, high`
		n += len(k)
	}
	return n
}
