package refused

import "sync"

// A lever is moved by one at a time.
type lever struct{ moving sync.Mutex }

func (l *lever) move() {
	l.moving.Lock()
	defer l.moving.Unlock()
}

// Halves are safe for concurrent use. As many accesses hold the other lock as do not: it may be meant.
type Halves struct {
	parts map[string]int
	lever *lever
}

// set holds it.
func (h *Halves) set(name string, n int) {
	h.lever.moving.Lock()
	defer h.lever.moving.Unlock()
	h.parts[name] = n
}

// DropBad does not.
func (h *Halves) DropBad(name string) {
	delete(h.parts, name) // want `unguarded-access: .*`
}

// Crossings are safe for concurrent use. What one section would run takes the lock under which another one would begin.
type Crossings struct {
	roads map[string]int
	lever *lever
}

// set holds the other lock.
func (c *Crossings) set(name string, n int) {
	c.lever.moving.Lock()
	defer c.lever.moving.Unlock()
	c.roads[name] = n
}

// MoveBad would take it under the new mutex.
func (c *Crossings) MoveBad() {
	for name := range c.roads { // want `check-then-act: .*`
		c.lever.move()
		delete(c.roads, name)
	}
}

// ReadBad reads.
func (c *Crossings) ReadBad(name string) int {
	return c.roads[name] // want `unguarded-access: .*`
}
