// Package evicted has caches of libraries that call a function for what they drop.
package evicted

import (
	"sync"

	"github.com/golang/groupcache/lru"
)

// Several objects have one cache.
type several struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewSeveral(n int) (all []*several) {
	l := lru.New(10)
	for range n {
		c := &several{lru: l, refs: make(map[string]int)}
		c.lru.OnEvicted = c.droppedBad
		all = append(all, c)
	}
	return all
}

func (c *several) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *several) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

// Two fields have one cache.
type both struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

var kept *lru.Cache

func NewBoth() *both {
	l := lru.New(10)
	kept = l
	c := &both{lru: l, refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *both) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *both) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

// A copy of the object has the cache, too, and another lock.
type copied struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewCopied() *copied {
	c := &copied{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *copied) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *copied) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *copied) Copy() *copied {
	d := *c
	return &d
}

// Other packages come to the cache.
type Shown struct {
	mu   sync.Mutex
	Lru  *lru.Cache
	refs map[string]int
}

func NewShown() *Shown {
	c := &Shown{Lru: lru.New(10), refs: make(map[string]int)}
	c.Lru.OnEvicted = c.droppedBad
	return c
}

func (c *Shown) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *Shown) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.Lru.Add(k, tag)
}

// Other packages may have copied the object.
type Peeled struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewPeeled() *Peeled {
	c := &Peeled{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *Peeled) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *Peeled) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func Peel(get func() Peeled) *lru.Cache { return get().lru }

// The address of the cache's field is kept.
type stored struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewStored() *stored {
	c := &stored{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *stored) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *stored) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

type hook struct{ fn *func(lru.Key, any) }

func (c *stored) Keep(h *hook) { h.fn = &c.lru.OnEvicted }

// It is not known whose cache drops entries.
type chosen struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewChosen() *chosen {
	c := &chosen{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *chosen) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *chosen) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *chosen) Flush(others chan *chosen, own bool) {
	of := c
	if !own {
		of = <-others
	}
	of.lru.Clear()
}

// A value of it goes to the cache, and by another type to others.
type changed struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewChanged() *changed {
	c := &changed{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *changed) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *changed) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

type dropFunc func(lru.Key, any)

func (c *changed) Change(do func(dropFunc)) {
	f := dropFunc(c.droppedBad)
	c.lru.OnEvicted = f
	do(f)
}
