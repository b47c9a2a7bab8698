// Package beside has maps whose lock another package declares, in an object beside them.
package beside

import (
	"errors"

	"mapguard.test/fix/beside/unit"
)

// Collector is one.
type Collector struct {
	unit *unit.Unit
	m    map[string]func() int
}

// New makes one.
func New() *Collector {
	return &Collector{unit: &unit.Unit{}, m: make(map[string]func() int)}
}

// Register adds one.
func (c *Collector) Register(k string, f func() int) error {
	c.unit.Lock()
	defer c.unit.Unlock()
	if _, ok := c.m[k]; ok {
		return errors.New("exists")
	}
	c.m[k] = f
	return nil
}

// Has asks.
func (c *Collector) Has(k string) bool {
	c.unit.Lock()
	defer c.unit.Unlock()
	return c.m[k] != nil
}

// Start starts.
func (c *Collector) Start() {
	c.unit.Launch(c.gauge)
}

func (c *Collector) gauge() {
	for k, f := range c.m { // want `unguarded-access: .*c\.m is ranged over without Mutex.*`
		println(k, f())
	}
}
