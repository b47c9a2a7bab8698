// Package evicted has caches of libraries that call a function for what they drop.
package evicted

import (
	"sync"
	"time"

	"github.com/golang/groupcache/lru"
	simple "github.com/hashicorp/golang-lru"
	timed "github.com/patrickmn/go-cache"
)

// One call that drops entries holds no lock.
type bare struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewBare() *bare {
	c := &bare{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *bare) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *bare) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *bare) Flush() { c.lru.Clear() }

// One call holds the lock of another object.
type moved struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewMoved() *moved {
	c := &moved{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *moved) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *moved) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *moved) Move(to *moved) {
	to.mu.Lock()
	defer to.mu.Unlock()
	c.lru.Clear()
}

// The function is another object's.
type lent struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewLent(to *lent) *lent {
	c := &lent{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = to.droppedBad
	return c
}

func (c *lent) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *lent) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

// It is called as the cache's field by others, too.
type byfield struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewByfield() *byfield {
	c := &byfield{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *byfield) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *byfield) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *byfield) Forget(tag string) { c.lru.OnEvicted("", tag) }

// The field's address goes elsewhere.
type hooked struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewHooked() *hooked {
	c := &hooked{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *hooked) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *hooked) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *hooked) Hook(set func(*func(lru.Key, any))) { set(&c.lru.OnEvicted) }

// The function goes to others, too.
type passed struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewPassed() *passed {
	c := &passed{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *passed) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *passed) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *passed) Each(do func(func(lru.Key, any))) { do(c.droppedBad) }

// One value of it goes to the cache, and to others.
type twice struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewTwice(do func(func(lru.Key, any))) *twice {
	c := &twice{lru: lru.New(10), refs: make(map[string]int)}
	f := c.droppedBad
	c.lru.OnEvicted = f
	do(f)
	return c
}

func (c *twice) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *twice) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

// The cache is given away.
type open struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewOpen() *open {
	c := &open{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *open) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *open) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *open) Lru() *lru.Cache { return c.lru }

// Who gets the field's address can put another one there.
type addressed struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewAddressed() *addressed {
	c := &addressed{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *addressed) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *addressed) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *addressed) Fill(fill func(**lru.Cache)) { fill(&c.lru) }

// The cache is passed to a method that may do anything with it.
type fed struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewFed() *fed {
	c := &fed{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *fed) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *fed) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *fed) Feed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Add("self", c.lru)
}

// The call comes when the lock is gone.
type late struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewLate() *late {
	c := &late{lru: lru.New(10), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *late) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *late) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *late) Flush() {
	defer c.lru.Clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.refs)
}

// The cache comes from elsewhere.
type got struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewGot(l *lru.Cache) *got {
	c := &got{lru: l, refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *got) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *got) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

// Another function than the library's makes it.
type made struct {
	mu   sync.Mutex
	lru  *lru.Cache
	refs map[string]int
}

func NewMade(make1 func() *lru.Cache) *made {
	c := &made{lru: make1(), refs: make(map[string]int)}
	c.lru.OnEvicted = c.droppedBad
	return c
}

func (c *made) droppedBad(_ lru.Key, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *made) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

// Nothing is known of a method of the cache.
type visited struct {
	mu   sync.Mutex
	lru  *simple.Cache
	refs map[string]int
}

func NewVisited() *visited {
	c := &visited{refs: make(map[string]int)}
	c.lru, _ = simple.NewWithEvict(10, c.droppedBad)
	return c
}

func (c *visited) droppedBad(_, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *visited) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.lru.Add(k, tag)
}

func (c *visited) Each(do func(any)) { c.lru.Each(do) }

// A goroutine of the cache drops what is old.
type aged struct {
	mu   sync.Mutex
	old  *timed.Cache
	refs map[string]int
}

func NewAged() *aged {
	c := &aged{old: timed.New(time.Hour, time.Minute), refs: make(map[string]int)}
	c.old.OnEvicted(c.droppedBad)
	return c
}

func (c *aged) droppedBad(_ string, v any) {
	tag := v.(string)
	if c.refs[tag] == 1 { // want `check-then-act: c.refs is read here, then deleted`
		delete(c.refs, tag)
	}
}

func (c *aged) Put(k, tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refs[tag]++
	c.old.Set(k, tag, 0)
}
