// Package evicted has caches of libraries that call a function for what they drop.
package evicted

import (
	"sync"

	"github.com/golang/groupcache/lru"
)

// The package calls the function itself, without the lock.
type called struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewCalled() *called {
	c := &called{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *called) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted.*, low`
		delete(c.refs, tag)
	}
}

func (c *called) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *called) Forget(tag string) { c.droppedBad(tag, tag) }

// An interface has the function, too.
type invoked struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewInvoked() *invoked {
	c := &invoked{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *invoked) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted.*, low`
		delete(c.refs, tag)
	}
}

func (c *invoked) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

type dropper interface{ droppedBad(k lru.Key, v any) }

func forget(d dropper, tag string) { d.droppedBad(tag, tag) }

func (c *invoked) Forget(tag string) { forget(c, tag) }

// The function is taken of no object, too.
type expressed struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewExpressed() *expressed {
	c := &expressed{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *expressed) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *expressed) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *expressed) Each(do func(func(*expressed, lru.Key, any))) { do((*expressed).droppedBad) }

// A variable of the package has the cache from the start.
type begun struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewBegun() *begun {
	c := &begun{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *begun) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *begun) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

var beginning = NewBegun()

var Begun = beginning.lru

// A goroutine drops entries when the lock is gone.
type spun struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewSpun() *spun {
	c := &spun{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *spun) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *spun) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *spun) Flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	go c.lru.Clear()
}

// A method of the cache is a value that others call.
type valued struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewValued() *valued {
	c := &valued{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *valued) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *valued) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *valued) Flusher() func() { return c.lru.Clear }
