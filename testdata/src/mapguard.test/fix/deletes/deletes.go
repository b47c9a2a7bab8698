// Package deletes pins the fix of a Load and a Delete: LoadAndDelete. These
// findings are of low confidence.
package deletes

import "sync"

type conn struct{ id int }

func (c *conn) end() {}

type cache struct{ m sync.Map }

func (c *cache) put(k string, v *conn) { c.m.Store(k, v) }

func (c *cache) takeBad(k string) *conn {
	v, ok := c.m.Load(k)
	if !ok {
		return nil
	}
	c.m.Delete(k) // want `sync-map: .*`
	return v.(*conn)
}

func (c *cache) endBad(k string) {
	if v, ok := c.m.Load(k); ok {
		c.m.Delete(k) // want `sync-map: .*`
		v.(*conn).end()
	}
}

func (c *cache) elseBad(k string) bool {
	v, ok := c.m.Load(k)
	if ok {
		c.m.Delete(k) // want `sync-map: .*`
		v.(*conn).end()
		return true
	} else {
		println("gone")
	}
	return false
}

// Deleting what is not there does nothing.
func (c *cache) dropBad(k string) {
	if _, ok := c.m.Load(k); ok {
		c.m.Delete(k) // want `sync-map: .*`
	}
}

func (c *cache) rightOk(k string) *conn {
	v, ok := c.m.LoadAndDelete(k)
	if !ok {
		return nil
	}
	return v.(*conn)
}
