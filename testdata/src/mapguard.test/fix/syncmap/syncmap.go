// Package syncmap pins the fix of a Load and a Store: LoadOrStore. Beside each
// file stands what the fixes make of it.
package syncmap

import (
	"strings"
	"sync"
)

type conn struct {
	id   int
	tags map[string]bool
}

func dial(k string) *conn { return &conn{id: len(k)} }

func try(k string) (*conn, error) { return dial(k), nil }

type cache struct {
	m     sync.Map
	other *sync.Map
}

func (c *cache) getBad(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: .*LoadOrStore`
	return v
}

func (c *cache) errorBad(k string) (*conn, error) {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn), nil
	}
	v, err := try(k)
	if err != nil {
		return nil, err
	}
	v.tags = make(map[string]bool)
	v.tags[k] = v.id > 3
	c.m.Store(k, v) // want `sync-map: .*LoadOrStore`
	return v, nil
}

func (c *cache) inBranchBad(k string) *conn {
	v, ok := c.m.Load(k)
	if !ok {
		made := dial(k)
		c.m.Store(k, made) // want `sync-map: .*LoadOrStore`
		return made
	}
	return v.(*conn)
}

// A new entry without a use: the whole look goes.
func (c *cache) ensureBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, &conn{id: 1}) // want `sync-map: .*LoadOrStore`
	}
}

// A call makes it, and shall not run for nothing.
func (c *cache) ensureLazyBad(k string) {
	if _, ok := c.other.Load(k); !ok {
		c.other.Store(k, dial(k)) // want `sync-map: .*LoadOrStore`
	}
}

func (c *cache) commentBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		// The first one wins.
		c.m.Store(k, new(conn)) // want `sync-map: .*LoadOrStore`
	}
}

// The variable has the type of what the map holds.
func (c *cache) anyBad(k string) *conn {
	v, ok := c.m.Load(k)
	if !ok {
		v = dial(k)
		c.m.Store(k, v) // want `sync-map: .*LoadOrStore`
	}
	return v.(*conn)
}

func (c *cache) assignedBad(k string) int {
	var d *conn
	if v, ok := c.m.Load(k); ok {
		d = v.(*conn)
	} else {
		d = dial(k)
		c.m.Store(k, d) // want `sync-map: .*LoadOrStore`
	}
	return d.id + len(d.tags)
}

func (c *cache) loopBad(ks []string) (out []*conn) {
	for _, k := range ks {
		k = strings.ToLower(k)
		v, ok := c.m.Load(k)
		if !ok {
			d := dial(k)
			c.m.Store(k, d) // want `sync-map: .*LoadOrStore`
			continue
		}
		out = append(out, v.(*conn))
	}
	return out
}

// The name that the fix would give is taken.
func (c *cache) nameBad(k string, actual int) (*conn, int) {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn), actual
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: .*LoadOrStore`
	return v, actual
}

type name string

// A key that is computed without an effect.
func (c *cache) convertedBad(k string) *conn {
	if v, ok := c.m.Load(name(k) + "/"); ok {
		return v.(*conn)
	}
	v := dial(k)
	c.m.Store(name(k)+"/", v) // want `sync-map: .*LoadOrStore`
	return v
}

// The key goes through a field; nothing is called in between.
func (c *cache) fieldBad(r *conn) {
	if _, ok := c.m.Load(r.id); !ok {
		c.m.Store(r.id, &conn{id: 3}) // want `sync-map: .*LoadOrStore`
	}
}

func (c *cache) putBad(k string, v *conn) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, v) // want `sync-map: .*LoadOrStore`
	}
}

type wrapped struct{ sync.Map }

func (w *wrapped) embeddedBad(k string) {
	if _, ok := w.Load(k); !ok {
		w.Store(k, dial(k)) // want `sync-map: .*LoadOrStore`
	}
}

var table sync.Map

func globalBad(k string) *conn {
	if v, ok := table.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	table.Store(k, v) // want `sync-map: .*LoadOrStore`
	return v
}

func (c *cache) rightOk(k string) *conn {
	v, _ := c.m.LoadOrStore(k, dial(k))
	return v.(*conn)
}

func (c *cache) anythingBad(k string) any {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: .*LoadOrStore`
	return v
}
