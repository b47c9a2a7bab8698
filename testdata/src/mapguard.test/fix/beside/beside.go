// Package beside has maps whose lock another package declares, in an object beside them.
package beside

import (
	"errors"
	"maps"
	"slices"
	"sync"

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

// Racks are asked by a function of another package, which calls what it is given.
type Racks struct {
	mu    sync.Mutex // protects racks
	racks map[string]int
}

// Put puts one there.
func (r *Racks) Put(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.racks[k]++
}

// RoomBad looks for one with room.
func (r *Racks) RoomBad(k string, most int) bool {
	return k != "" && unit.Has(slices.Collect(maps.Values(r.racks)), func(n int) bool { // want `unguarded-access: .*`
		return n < most
	})
}

// AskedBad calls what the caller gives, which may wait: the list is made in front of it.
func (r *Racks) AskedBad(suits func(int) bool) int {
	if n, ok := unit.First(slices.Collect(maps.Values(r.racks)), suits); ok { // want `unguarded-access: .*`
		return n
	}
	return 0
}

// LeastBad asks as often as a number says, which was read.
func (r *Racks) LeastBad(k string, most int) int {
	return unit.Least(r.racks[k], func(n int) bool { // want `unguarded-access: .*`
		return n < most
	})
}
