// Package evicted has caches of libraries that call a function for what they drop.
package evicted

import (
	"sync"

	"github.com/golang/groupcache/lru"
	simple "github.com/hashicorp/golang-lru"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// All calls of the cache that may drop something hold the lock of its object, so what it calls runs under that.
type tagged struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewTagged() *tagged {
	c := &tagged{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedOk
	return c
}

func (c *tagged) droppedOk(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 {
		delete(c.refs, tag)
	}
}

func (c *tagged) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.add(k, tag)
}

func (c *tagged) add(k, tag string) { c.lru.Add(k, tag) }

func (c *tagged) Flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Clear()
}

// Size drops nothing, and needs no lock for that.
func (c *tagged) Size() int {
	if c.lru == nil {
		return 0
	}
	return c.lru.Len()
}

// The function comes to the cache where it is made.
type named struct {
	mu   sync.RWMutex
	lru  *simple.Cache
	refs map[string]int
}

func NewNamed() (*named, error) {
	c := &named{refs: make(map[string]int)}
	l, err := simple.NewWithEvict(10, c.droppedOk)
	if err != nil {
		return nil, err
	}
	c.lru = l
	return c, nil
}

func (c *named) droppedOk(k, _ any) {
	if _, ok := c.refs[k.(string)]; ok {
		delete(c.refs, k.(string))
	}
}

func (c *named) Put(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[k]++
	c.lru.Add(k, k)
}

// A cache may be made as a plain struct, anew from time to time.
type plain struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func (c *plain) ResetOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru = nil
	c.refs = make(map[string]int)
	c.lru = &lru.Cache{OnEvicted: c.droppedOk}
}

func (c *plain) droppedOk(k lru.Key, _ any) {
	if _, ok := c.refs[k.(string)]; ok {
		delete(c.refs, k.(string))
	}
}

func (c *plain) Put(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[k]++
	c.lru.Add(k, k)
}

// The cache may be generic, and so may the object.
type typed[V any] struct {
	mu   sync.Mutex
	lru  *simplelru.LRU[string, V]
	refs map[string]int
}

func NewTyped[V any]() (*typed[V], error) {
	c := &typed[V]{refs: make(map[string]int)}
	var err error
	c.lru, err = simplelru.NewLRU(10, c.droppedOk)
	return c, err
}

func (c *typed[V]) droppedOk(k string, _ V) {
	if _, ok := c.refs[k]; ok {
		delete(c.refs, k)
	}
}

func (c *typed[V]) Put(k string, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[k]++
	c.lru.Add(k, v)
}

func (c *typed[V]) Flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Purge()
}

var Names, _ = NewTyped[string]()

// The lock may be the package's.
type common struct {
	lru  *lru.Cache
	refs map[string]int
}

var commonMu sync.Mutex

func NewCommon() *common {
	c := &common{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.MaxEntries = 20
	c.lru.OnEvicted = c.droppedOk
	return c
}

func (c *common) droppedOk(k lru.Key, _ any) {
	if _, ok := c.refs[k.(string)]; ok {
		delete(c.refs, k.(string))
	}
}

func (c *common) Put(k string) {
	commonMu.Lock()
	defer commonMu.Unlock()
	c.refs[k]++
	c.lru.Add(k, k)
}
