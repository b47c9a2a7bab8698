// Package p has one function for each thing that a summary says.
package p

import "sync"

type item struct {
	n int
	m map[string]int
}

type cache struct {
	mu    sync.RWMutex
	items map[string]*item
	sm    sync.Map
	once  sync.Once
	next  *cache
}

var shared = map[string]int{}

// One access, its lock, and no effect on locks.
func (c *cache) get(k string) *item {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.items[k]
}

// A look decides on an act, in two sections.
func (c *cache) ensure(k string) *item {
	c.mu.RLock()
	i, ok := c.items[k]
	c.mu.RUnlock()
	if !ok {
		i = &item{}
		c.mu.Lock()
		c.items[k] = i
		c.mu.Unlock()
	}
	return i
}

// Locks that a call leaves changed.
func (c *cache) lock()     { c.mu.Lock() }
func (c *cache) unlock()   { c.mu.Unlock() }
func (c *cache) relock()   { c.mu.Unlock(); c.mu.Lock() }
func (c *cache) try() bool { return c.mu.TryLock() }

// A lock that depends on a parameter.
func (c *cache) size(locked bool) int {
	if !locked {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	return len(c.items)
}

// What callees do is seen in the caller's terms.
func (c *cache) both(k string) {
	c.next.lock()
	c.next.drop(k)
	c.next.unlock()
}

func (c *cache) drop(k string) { delete(c.items, k) }

// Results that tell of a look, and that name storage.
func (c *cache) has(k string) bool { _, ok := c.items[k]; return ok }
func (c *cache) inner() *cache     { return c.next }

// Ownership: what is made here, kept, stored in another, and shared.
func fresh() *cache                        { return &cache{items: map[string]*item{}} }
func keeps(i *item)                        { known = i }
func (c *cache) link(d *cache)             { c.next = d }
func (c *cache) publish(k string, i *item) { c.items[k] = i }

var known *item

// Goroutines, deferred calls, and one call.
func (c *cache) start(k string) {
	go c.drop(k)
	defer c.unlock()
	c.once.Do(func() { c.items = nil })
}

// A concurrent map, and package-level state.
func (c *cache) load(k string) any { v, _ := c.sm.Load(k); return v }
func count(k string)               { shared[k]++ }

// Functions that call each other.
func (c *cache) even(n int) {
	c.mu.Lock()
	delete(c.items, "even")
	c.mu.Unlock()
	if n > 0 {
		c.odd(n - 1)
	}
}

func (c *cache) odd(n int) {
	if n > 0 {
		c.even(n - 1)
	}
}

// A function that gets another to run.
func (c *cache) with(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

func (c *cache) through(k string) { c.with(func() { delete(c.items, k) }) }

// What is read from a field that is given another value then is no longer what the field denotes;
// what is read after that is.
type part struct{ names map[string]int }

type whole struct {
	mu   sync.Mutex
	part part
	ptr  *part
	last *part
}

func (w *whole) takenOut() part {
	w.mu.Lock()
	old := w.part
	w.part = part{names: make(map[string]int)}
	w.mu.Unlock()
	return old
}

func (w *whole) takenByPointer() *part {
	old := w.ptr
	w.ptr = &part{}
	return old
}

func (w *whole) leftThere() part { return w.part }

func (w *whole) putThere() *part {
	w.ptr = &part{}
	return w.ptr
}

// What was there is known by another name where it is stored elsewhere, or shares with what comes next.
func (w *whole) keptElsewhere() *part {
	old := w.ptr
	w.ptr = w.last
	w.last = old
	return old
}

func (w *whole) copiedOn() *part {
	old := w.ptr
	next := *old
	w.ptr = &next
	return old
}
