// Package syncmap pins steps on a sync.Map that should be one: wherever the
// map lives, and whatever the steps are.
package syncmap

import (
	"sync"
	"time"
)

type conn struct {
	used time.Time
	hits int
}

func (c *conn) idle() bool { return time.Since(c.used) > time.Minute }

func (c *conn) Close() error { return nil }

func dial(string) *conn { return &conn{used: time.Now()} }

type cache struct {
	m sync.Map // of *conn
	n sync.Map // of int
	p *sync.Map
}

// Load, then Store.

func (c *cache) loadStoreBad(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: `
	return v
}

func (c *cache) loadStorePointerBad(k string) *conn {
	v, ok := c.p.Load(k)
	if !ok {
		v = dial(k)
		c.p.Store(k, v) // want `sync-map: `
	}
	return v.(*conn)
}

func (c *cache) renewBad(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).idle() {
		c.m.Store(k, dial(k)) // want `sync-map: `
	}
}

func (c *cache) loadSwapBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Swap(k, dial(k)) // want `sync-map: `
	}
}

func (c *cache) loadOrStoreOk(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v, _ := c.m.LoadOrStore(k, dial(k))
	return v.(*conn)
}

func (c *cache) swapOk(k string) {
	if old, loaded := c.m.Swap(k, dial(k)); loaded {
		old.(*conn).Close()
	}
}

// Stored first and looked up later is no decision.
func (c *cache) storeThenLoadOk(k string) *conn {
	c.m.Store(k, dial(k))
	v, ok := c.m.Load(k)
	if !ok {
		return nil
	}
	return v.(*conn)
}

// Load, then Delete.

func (c *cache) dropIdleBad(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).idle() {
		c.m.Delete(k) // want `sync-map: .*, low`
	}
}

func (c *cache) takeBad(k string) *conn {
	v, ok := c.m.Load(k)
	if !ok {
		return nil
	}
	c.m.Delete(k) // want `sync-map: `
	return v.(*conn)
}

// Closed, then deleted: by then it can be another one.
func (c *cache) closeBad(k string) {
	if v, ok := c.m.Load(k); ok {
		v.(*conn).Close()
		c.m.Delete(k) // want `sync-map: .*lost`
	}
}

func (c *cache) wakeBad(k string) {
	if ch, ok := c.p.Load(k); ok {
		close(ch.(chan struct{}))
		c.p.Delete(k) // want `sync-map: .*, low`
	}
}

// Two find it idle; the second deletes what has just been stored.
func (c *cache) loadThenLoadAndDeleteBad(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).idle() {
		c.m.LoadAndDelete(k) // want `sync-map: .*, low`
	}
}

func (c *cache) dropIdleOk(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).idle() {
		c.m.CompareAndDelete(k, v)
	}
}

func (c *cache) takeOk(k string) *conn {
	if v, loaded := c.m.LoadAndDelete(k); loaded {
		return v.(*conn)
	}
	return nil
}

// Gone is gone, no matter which goroutine deleted it.
func (c *cache) deletePresentOk(k string) {
	if _, ok := c.m.Load(k); ok {
		c.m.Delete(k)
	}
}

// Load, compute, Store.

func (c *cache) countBad(k string) {
	n := 0
	if v, ok := c.n.Load(k); ok {
		n = v.(int)
	}
	c.n.Store(k, n+1) // want `sync-map: `
}

func (c *cache) appendBad(k, s string) {
	v, _ := c.p.Load(k)
	l, _ := v.([]string)
	c.p.Store(k, append(l, s)) // want `sync-map: `
}

func (c *cache) copyBad(k string) {
	v, ok := c.m.Load(k)
	if !ok {
		return
	}
	next := *v.(*conn)
	next.hits++
	c.m.Store(k, &next) // want `sync-map: `
}

// LoadOrStore is atomic; what follows is not.
func (c *cache) loadOrStoreThenStoreBad(k string) {
	v, loaded := c.n.LoadOrStore(k, 1)
	if loaded {
		c.n.Store(k, v.(int)+1) // want `sync-map: `
	}
}

func (c *cache) countOk(k string) {
	for {
		v, loaded := c.n.LoadOrStore(k, 1)
		if !loaded || c.n.CompareAndSwap(k, v, v.(int)+1) {
			return
		}
	}
}

// Range.

func (c *cache) rangeDeleteBad() {
	c.m.Range(func(k, v any) bool {
		if v.(*conn).idle() {
			c.m.Delete(k) // want `sync-map: .*, low`
		}
		return true
	})
}

var free = sync.Pool{New: func() any { return new(conn) }}

// Two that sweep put the same one back.
func (c *cache) rangeRecycleBad() {
	c.m.Range(func(k, v any) bool {
		c.m.Delete(k) // want `sync-map: .*, low`
		free.Put(v)
		return true
	})
}

func (c *cache) rangeRecycleOk() {
	c.m.Range(func(k, _ any) bool {
		if v, loaded := c.m.LoadAndDelete(k); loaded {
			free.Put(v)
		}
		return true
	})
}

func (c *cache) rangeCompareOk() {
	c.m.Range(func(k, v any) bool {
		if v.(*conn).idle() && c.m.CompareAndDelete(k, v) {
			v.(*conn).Close()
		}
		return true
	})
}

func (c *cache) rangeCollectBad() {
	var idle []any
	c.m.Range(func(k, v any) bool {
		if v.(*conn).idle() {
			idle = append(idle, k)
		}
		return true
	})
	for _, k := range idle {
		c.m.Delete(k) // want `sync-map: .*, low`
	}
}

// What the visitor finds goes through the variable that it sets.
func (c *cache) rangeFoundBad(k string) {
	found := false
	c.m.Range(func(_, v any) bool {
		found = v.(*conn).hits > 3
		return !found
	})
	if !found {
		c.m.Store(k, dial(k)) // want `sync-map: `
	}
}

func (c *cache) rangeCountBad(k string) bool {
	n := 0
	c.m.Range(func(any, any) bool { n++; return true })
	if n >= 10 {
		return false
	}
	c.m.Store(k, dial(k)) // want `sync-map: `
	return true
}

func (c *cache) rangeStoreBad() {
	c.n.Range(func(k, v any) bool {
		c.n.Store(k, v.(int)/2) // want `sync-map: .*, low`
		return true
	})
}

func (c *cache) resetOk() {
	c.m.Range(func(k, _ any) bool {
		c.m.Delete(k)
		return true
	})
}

func (c *cache) sumOk() int {
	sum := 0
	c.n.Range(func(_, v any) bool { sum += v.(int); return true })
	return sum
}

// A method of the visitor's own. Only literals are taken for visitors.
// It would take what a method is given by those who pass its value on, top-down
// as contexts are.
func (c *cache) FN_visitBad(k, v any) bool {
	if v.(*conn).idle() {
		c.m.Delete(k)
	}
	return true
}

func (c *cache) visitAll() { c.m.Range(c.FN_visitBad) }
