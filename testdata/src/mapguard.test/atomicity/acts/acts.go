// Package acts pins every change of a map that can depend on a stale check,
// each with its twin in one critical section.
package acts

import (
	"maps"
	"sync"
	"time"
)

const limit = 10

type conn struct {
	expires time.Time
	gen     int
}

func (c *conn) expired() bool { return time.Now().After(c.expires) }

func dial(string) *conn { return &conn{expires: time.Now().Add(time.Minute)} }

type cache struct {
	mu sync.RWMutex
	m  map[string]*conn
}

// Insert.

func (c *cache) insertBad(k string) *conn {
	c.mu.RLock()
	v, ok := c.m[k]
	c.mu.RUnlock()
	if !ok {
		v = dial(k)
		c.mu.Lock()
		c.m[k] = v // want `split-lock: `
		c.mu.Unlock()
	}
	return v
}

func (c *cache) insertOk(k string) *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	if !ok {
		v = dial(k)
		c.m[k] = v
	}
	return v
}

// One of a group is enough to make the others stale.
func (c *cache) insertSeveralBad(keys []string) {
	var absent []string
	c.mu.RLock()
	for _, k := range keys {
		if _, ok := c.m[k]; !ok {
			absent = append(absent, k)
		}
	}
	c.mu.RUnlock()
	c.mu.Lock()
	for _, k := range absent {
		c.m[k] = dial(k) // want `split-lock: .*, low`
	}
	c.mu.Unlock()
}

// Overwrite.

func (c *cache) renewBad(k string) *conn {
	c.mu.RLock()
	v := c.m[k]
	c.mu.RUnlock()
	if v != nil && v.expired() {
		v = dial(k)
		c.mu.Lock()
		c.m[k] = v // want `split-lock: `
		c.mu.Unlock()
	}
	return v
}

func (c *cache) renewOk(k string) *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.m[k]
	if v != nil && v.expired() {
		v = dial(k)
		c.m[k] = v
	}
	return v
}

func (c *cache) nextGenerationBad(k string) {
	c.mu.RLock()
	old := c.m[k]
	c.mu.RUnlock()
	fresh := &conn{gen: old.gen + 1}
	c.mu.Lock()
	c.m[k] = fresh // want `split-lock: `
	c.mu.Unlock()
}

// Delete: what was expired may have been filled again.

func (c *cache) dropExpiredBad(k string) *conn {
	c.mu.RLock()
	v, ok := c.m[k]
	c.mu.RUnlock()
	if !ok {
		return nil
	}
	if v.expired() {
		c.mu.Lock()
		delete(c.m, k) // want `split-lock: .*, low`
		c.mu.Unlock()
		return nil
	}
	return v
}

func (c *cache) dropExpiredOk(k string) *conn {
	c.mu.RLock()
	v := c.m[k]
	c.mu.RUnlock()
	if v != nil && v.expired() {
		c.mu.Lock()
		if c.m[k] == v {
			delete(c.m, k)
		}
		c.mu.Unlock()
		return nil
	}
	return v
}

func (c *cache) sweepBad() {
	c.mu.RLock()
	var dead []string
	for k, v := range c.m {
		if v.expired() {
			dead = append(dead, k)
		}
	}
	c.mu.RUnlock()
	for _, k := range dead {
		c.mu.Lock()
		delete(c.m, k) // want `split-lock: `
		c.mu.Unlock()
	}
}

func (c *cache) sweepOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, v := range c.m {
		if v.expired() {
			delete(c.m, k)
		}
	}
}

func (c *cache) sweepFuncBad() {
	c.mu.RLock()
	stale := false
	for _, v := range c.m {
		stale = stale || v.expired()
	}
	c.mu.RUnlock()
	if stale {
		c.mu.Lock()
		clear(c.m) // want `split-lock: `
		c.mu.Unlock()
	}
}

// DeleteFunc looks at each entry again.
func (c *cache) sweepFuncOk() {
	c.mu.RLock()
	n := len(c.m)
	c.mu.RUnlock()
	if n > limit {
		c.mu.Lock()
		maps.DeleteFunc(c.m, func(_ string, v *conn) bool { return v.expired() })
		c.mu.Unlock()
	}
}

// One expired entry is chosen; by the time it goes, it may be a fresh one.
func (c *cache) evictBad() {
	var victim string
	c.mu.RLock()
	for k, v := range c.m {
		if v.expired() {
			victim = k
			break
		}
	}
	c.mu.RUnlock()
	c.mu.Lock()
	delete(c.m, victim) // want `split-lock: `
	c.mu.Unlock()
}

// Two callers take the same entry.
func (c *cache) popBad() *conn {
	var key string
	var v *conn
	c.mu.RLock()
	for key, v = range c.m {
		break
	}
	c.mu.RUnlock()
	if v != nil {
		c.mu.Lock()
		delete(c.m, key) // want `split-lock: `
		c.mu.Unlock()
	}
	return v
}

func (c *cache) popOk() *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, v := range c.m {
		delete(c.m, k)
		return v
	}
	return nil
}

// Capacity: several pass the test, and the map grows beyond it.

func (c *cache) capacityBad(k string, v *conn) bool {
	c.mu.RLock()
	if len(c.m) >= limit {
		c.mu.RUnlock()
		return false
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = v // want `split-lock: `
	return true
}

func (c *cache) capacityOk(k string, v *conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.m) >= limit {
		return false
	}
	c.m[k] = v
	return true
}

// Room is made in one section, and used in another. The walk that finds what to
// delete is taken for a second look, though it does not count.
// It would take telling a walk that chooses a victim from one that measures the
// map again.
func (c *cache) FN_makeRoomBad(k string, v *conn) {
	c.mu.RLock()
	full := len(c.m) == limit
	c.mu.RUnlock()
	c.mu.Lock()
	if full {
		for old := range c.m {
			delete(c.m, old)
			break
		}
	}
	c.m[k] = v
	c.mu.Unlock()
}

// The whole map.

func (c *cache) resetBad() map[string]*conn {
	c.mu.RLock()
	old := maps.Clone(c.m)
	c.mu.RUnlock()
	if len(old) < limit {
		return nil
	}
	c.mu.Lock()
	c.m = make(map[string]*conn) // want `split-lock: `
	c.mu.Unlock()
	return old
}

func (c *cache) resetOk() map[string]*conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.m) < limit {
		return nil
	}
	old := c.m
	c.m = make(map[string]*conn)
	return old
}

// What others insert while the copy is filled is lost.
func (c *cache) compactBad() {
	next := make(map[string]*conn)
	c.mu.RLock()
	for k, v := range c.m {
		if !v.expired() {
			next[k] = v
		}
	}
	c.mu.RUnlock()
	c.mu.Lock()
	c.m = next // want `split-lock: `
	c.mu.Unlock()
}

func (c *cache) compactOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := make(map[string]*conn)
	for k, v := range c.m {
		if !v.expired() {
			next[k] = v
		}
	}
	c.m = next
}

func (c *cache) mergeBad(defaults map[string]*conn) {
	c.mu.RLock()
	empty := len(c.m) == 0
	c.mu.RUnlock()
	if empty {
		c.mu.Lock()
		maps.Copy(c.m, defaults) // want `split-lock: `
		c.mu.Unlock()
	}
}
