package refused

import (
	"io"
	"sync"
)

// A crew has mates, of whom one may bring another one.
type crew struct {
	mu    sync.Mutex // protects mates
	mates map[string]string
}

func (c *crew) hire(name, by string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mates[name] = by
}

func (c *crew) fire(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.mates, name)
}

// tellBad takes out the one who brought a mate, so that the walk does not come to that one: a copy would.
func (c *crew) tellBad(w io.Writer) {
	for name, by := range c.mates { // want `unguarded-access: .*`
		if _, err := io.WriteString(w, name); err == nil {
			c.fire(by)
		}
	}
}

// emptyBad takes out all of them once one was told.
func (c *crew) emptyBad(w io.Writer) {
	for name := range c.mates { // want `check-then-act: .*`
		if _, err := io.WriteString(w, name); err == nil {
			c.mu.Lock()
			clear(c.mates)
			c.mu.Unlock()
		}
	}
}

// Crew lets goroutines come and go.
func Crew(c *crew, w io.Writer) {
	for range 4 {
		go c.hire("a", "b")
		go c.fire("a")
		go c.tellBad(w)
		go c.emptyBad(w)
	}
}
