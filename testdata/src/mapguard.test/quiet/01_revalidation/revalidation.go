// Package revalidation pins that a second look in the act's own critical
// section makes the first one harmless.
package revalidation

import "sync"

type conn struct{ id int }

func dial(k string) *conn { return &conn{len(k)} }

type pool struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (p *pool) doubleCheckedOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil {
		return c
	}
	c = dial(k)
	p.m[k] = c
	return c
}

func (p *pool) looksAtAnotherKeyBad(k, other string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m["b"] == nil {
		p.m["a"] = dial(other)
	}
	c = dial(k)
	p.m[k] = c // want `split-lock: .*p\.m`
	return c
}

func (p *pool) looksButDoesNotCareBad(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	println(p.m[k] != nil)
	c = dial(k)
	p.m[k] = c // want `split-lock: .*p\.m`
	return c
}

// Dialled outside of the lock; the loser's connection is given up.
func (p *pool) loserGivesUpOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	fresh := dial(k)
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil {
		return c
	}
	p.m[k] = fresh
	return fresh
}

func (p *pool) validatedByComparisonOk(k string) {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c == nil || c.id > 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == c {
		delete(p.m, k)
	}
}

func (p *pool) stillEmptyOk(k string) {
	p.mu.RLock()
	n := len(p.m)
	p.mu.RUnlock()
	if n > 10 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.m) <= 10 {
		p.m[k] = dial(k)
	}
}

func (p *pool) retryLoopOk(k string) *conn {
	for {
		p.mu.RLock()
		c := p.m[k]
		p.mu.RUnlock()
		if c != nil {
			return c
		}
		c = dial(k)
		p.mu.Lock()
		if p.m[k] == nil {
			p.m[k] = c
			p.mu.Unlock()
			return c
		}
		p.mu.Unlock()
	}
}

func (p *pool) switchOk(k string) {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	switch {
	case c == nil:
		p.mu.Lock()
		defer p.mu.Unlock()
		switch _, ok := p.m[k]; {
		case !ok:
			p.m[k] = dial(k)
		}
	}
}

// lazily makes the map itself.
func (p *pool) lazyMapOk(k string) {
	p.mu.RLock()
	ready := p.m != nil
	p.mu.RUnlock()
	if !ready {
		p.mu.Lock()
		if p.m == nil {
			p.m = make(map[string]*conn)
		}
		p.mu.Unlock()
	}
}

// insertIfAbsent validates in the callee.
func (p *pool) insertIfAbsent(k string, c *conn) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.m[k]; ok {
		return old
	}
	p.m[k] = c
	return c
}

func (p *pool) calleeLooksAgainOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c == nil {
		c = p.insertIfAbsent(k, dial(k))
	}
	return c
}

// A locked helper looks again, called under the lock.
func (p *pool) insertLocked(k string) *conn {
	if c := p.m[k]; c != nil {
		return c
	}
	c := dial(k)
	p.m[k] = c
	return c
}

func (p *pool) lockedHelperLooksAgainOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.insertLocked(k)
}

// A generation counter tells whether anything changed in between.
type versioned struct {
	mu  sync.Mutex
	m   map[string]*conn // guarded by mu
	gen int              // guarded by mu
}

// The generation is a check of the map: the one that changes it moves it on.
func (v *versioned) generationOk(k string) {
	v.mu.Lock()
	c, gen := v.m[k], v.gen
	v.mu.Unlock()
	if c != nil {
		return
	}
	c = dial(k)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gen == gen {
		v.gen++
		v.m[k] = c
	}
}
