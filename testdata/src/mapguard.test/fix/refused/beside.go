package refused

import "mapguard.test/fix/beside/unit"

type keeps struct {
	unit *unit.Unit
	m    map[string]int
}

func newKeeps() *keeps { return &keeps{unit: &unit.Unit{}, m: make(map[string]int)} }

func (c *keeps) put(k string) {
	c.unit.Lock()
	defer c.unit.Unlock()
	c.m[k]++
}

func (c *keeps) drop(k string) {
	c.unit.Lock()
	defer c.unit.Unlock()
	delete(c.m, k)
}

func (c *keeps) begin() {
	c.unit.Keep(c.walk)
	c.unit.Later()
}

// The other package holds its lock where it runs what it keeps.
func (c *keeps) walk() {
	for k := range c.m { // want `unguarded-access: .*`
		println(k)
	}
}
