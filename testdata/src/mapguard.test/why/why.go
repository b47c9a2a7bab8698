// Package why pins the reasons for silence: each "why" comment says which
// question of the access or pair on its line has no answer, and why.
package why

import "sync"

type cache struct {
	mu sync.Mutex // protects m
	m  map[string]*int
}

func newCache() *cache {
	c := &cache{}
	c.m = make(map[string]*int) // why `only this call knows the object yet`
	return c
}

func (c *cache) oneSection(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m[k] == nil { // why `at the same time\? no: one critical section covers look and act` `the guard is held`
		c.m[k] = new(int)
	}
}

func (c *cache) renewed(k string) *int {
	c.mu.Lock()
	p := c.m[k] // why `a second look in the act's critical section renews the first`
	c.mu.Unlock()
	if p != nil {
		return p
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.m[k]; p != nil {
		return p
	}
	c.m[k] = new(int)
	return c.m[k]
}

func (c *cache) keys(k, other string) {
	c.mu.Lock()
	_, ok := c.m["a"] // why `does it matter\? no: look and act concern different keys`
	c.mu.Unlock()
	if !ok {
		c.mu.Lock()
		c.m["b"] = new(int)
		c.mu.Unlock()
	}
}

func (c *cache) reserved(k string) {
	c.mu.Lock()
	if _, ok := c.m[k]; ok { // why `the entry is its own`
		c.mu.Unlock()
		return
	}
	c.m[k] = new(int)
	c.mu.Unlock()
	c.mu.Lock()
	delete(c.m, k)
	c.mu.Unlock()
}

func (c *cache) sizeLocked() int {
	return len(c.m) // why `the caller holds the lock`
}

func (c *cache) split(k string) *int {
	c.mu.Lock()
	p := c.m[k] // why `=> high` `who is B\? yes: high: a comment says that mu protects it` `two goroutines go on with two different objects`
	c.mu.Unlock()
	if p == nil {
		p = new(int)
		c.mu.Lock()
		c.m[k] = p
		c.mu.Unlock()
	}
	return p
}

func (c *cache) forget(k string) {
	c.mu.Lock()
	p := c.m[k] // why `=> low`
	c.mu.Unlock()
	if p != nil {
		c.mu.Lock()
		delete(c.m, k)
		c.mu.Unlock()
	}
}

type settings struct{ values map[string]string }

func (s *settings) get(k string) string {
	return s.values[k] // why `the map is never changed once it is published`
}

type counts struct{ m sync.Map }

func (c *counts) first(k string) bool {
	_, loaded := c.m.LoadOrStore(k, true) // why `each method of a concurrent map is atomic`
	return !loaded
}

var once sync.Once

var table map[string]int

func fill() {
	once.Do(func() {
		table = map[string]int{}
		table["a"] = 1 // why `it runs once`
	})
}

func use() int { fill(); return table["a"] }

type roster struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (r *roster) all() map[string]int {
	r.mu.Lock()
	if r.names == nil {
		r.names = make(map[string]int)
		r.names["a"] = 1
	}
	r.mu.Unlock()
	return r.names
}

func (r *roster) count() int {
	r.all()
	return len(r.names) // why `the map is complete by now`
}

func (c *cache) silenced(k string) {
	//mapguard:ignore the tool's own test
	c.m[k] = nil // why `a comment silences it: the tool's own test`
}

type berths struct {
	mu    sync.Mutex
	ships map[string]*int
	due   int
}

func (b *berths) roomKept(name string, sail func()) {
	b.mu.Lock()
	if len(b.ships)+b.due > 9 { // why `at the same time\? no: a counter that each look at the size adds to it has stood for the entry since the look`
		b.mu.Unlock()
		return
	}
	b.due++
	b.mu.Unlock()
	sail()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due--
	b.ships[name] = new(int)
}
