// Package harmless pins that a stale check which does no harm is quiet by
// default, and that the same shape with identity is not.
package harmless

import (
	"log"
	"sync"
)

type conn struct{ id int }

func (c *conn) close() {}

type pool struct {
	mu   sync.Mutex
	m    map[string]*conn  // guarded by mu
	n    map[string]int    // guarded by mu
	set  map[string]bool   // guarded by mu
	text map[string]string // guarded by mu
}

func (p *pool) deleteGoneOk(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if ok {
		p.mu.Lock()
		delete(p.m, k)
		p.mu.Unlock()
	}
}

func (p *pool) setMemberOk(k string) {
	p.mu.Lock()
	in := p.set[k]
	p.mu.Unlock()
	if !in {
		p.mu.Lock()
		p.set[k] = true
		p.mu.Unlock()
	}
}

func (p *pool) pureValueOk(k string) string {
	p.mu.Lock()
	s, ok := p.text[k]
	p.mu.Unlock()
	if !ok {
		s = k + "!"
		p.mu.Lock()
		p.text[k] = s
		p.mu.Unlock()
	}
	return s
}

func (p *pool) onlyLogsOk(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if !ok {
		log.Printf("%s is new", k)
	}
	p.mu.Lock()
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) onlyCountsOk(k string) int {
	p.mu.Lock()
	n := len(p.m)
	p.mu.Unlock()
	if n > 100 {
		log.Print("many")
	}
	return n
}

func (p *pool) identityBad(k string) *conn {
	p.mu.Lock()
	c := p.m[k]
	p.mu.Unlock()
	if c == nil {
		c = &conn{}
		p.mu.Lock()
		p.m[k] = c // want `split-lock: .*p\.m`
		p.mu.Unlock()
	}
	return c
}

func (p *pool) refillLostBad(k string) {
	p.mu.Lock()
	c := p.m[k]
	p.mu.Unlock()
	if c != nil && c.id > 10 {
		p.mu.Lock()
		delete(p.m, k) // want `split-lock: .*p\.m.*, low`
		p.mu.Unlock()
	}
}

func (p *pool) lostUpdateBad(k string) {
	p.mu.Lock()
	n := p.n[k]
	p.mu.Unlock()
	p.mu.Lock()
	p.n[k] = n + 1 // want `split-lock: .*p\.n`
	p.mu.Unlock()
}

// The value is made elsewhere and is the same for all.
func (p *pool) sameValueOk(k string, c *conn) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if !ok {
		p.mu.Lock()
		p.set[k] = true
		p.mu.Unlock()
	}
}

// Found, then closed and deleted: by then it can be another one.
func (p *pool) closeTwiceBad(k string) {
	p.mu.Lock()
	c := p.m[k]
	p.mu.Unlock()
	if c != nil {
		c.close()
		p.mu.Lock()
		delete(p.m, k) // want `split-lock: .*lost`
		p.mu.Unlock()
	}
}

// No lock at the check: a race on the map, whatever it stores.
func (p *pool) unlockedPureBad(k string) {
	if !p.set[k] { // want `check-then-act: .*p\.set`
		p.mu.Lock()
		p.set[k] = true
		p.mu.Unlock()
	}
}

type ids struct {
	mu   sync.Mutex
	next int            // guarded by mu
	m    map[string]int // guarded by mu
}

func (i *ids) fresh() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.next++
	return i.next
}

// A number from a counter has identity: two callers go on with two ids.
func (i *ids) numberWithIdentityBad(k string) int {
	i.mu.Lock()
	id, ok := i.m[k]
	i.mu.Unlock()
	if !ok {
		id = i.fresh()
		i.mu.Lock()
		i.m[k] = id // want `split-lock: i?.*`
		i.mu.Unlock()
	}
	return id
}
