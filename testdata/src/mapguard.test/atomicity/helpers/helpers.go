// Package helpers pins that a check and an act are found when helpers that
// lock inside make one of them, or both.
package helpers

import (
	"errors"
	"sync"
)

type conn struct {
	id   int
	open bool
}

func dial(k string) *conn { return &conn{id: len(k), open: true} }

const limit = 10

var (
	errExists = errors.New("exists")
	errNone   = errors.New("none")
)

type pool struct {
	mu sync.RWMutex
	m  map[string]*conn
}

func (p *pool) has(k string) bool { p.mu.RLock(); defer p.mu.RUnlock(); _, ok := p.m[k]; return ok }

func (p *pool) get(k string) *conn { p.mu.RLock(); defer p.mu.RUnlock(); return p.m[k] }

func (p *pool) size() int { p.mu.RLock(); defer p.mu.RUnlock(); return len(p.m) }

func (p *pool) set(k string, c *conn) { p.mu.Lock(); p.m[k] = c; p.mu.Unlock() }

func (p *pool) remove(k string) { p.mu.Lock(); delete(p.m, k); p.mu.Unlock() }

func (p *pool) missing(k string) bool { return !p.has(k) }

func (p *pool) full() bool {
	p.mu.RLock()
	n := len(p.m)
	p.mu.RUnlock()
	return n >= limit
}

func (p *pool) lookup(k string) (*conn, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	c, ok := p.m[k]
	if !ok {
		return nil, errNone
	}
	return c, nil
}

// oldest returns the key of the entry with the lowest id.
func (p *pool) oldest() (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	key, low := "", -1
	for k, c := range p.m {
		if low < 0 || c.id < low {
			key, low = k, c.id
		}
	}
	return key, low >= 0
}

func (p *pool) keys() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := make([]string, 0, len(p.m))
	for k := range p.m {
		out = append(out, k)
	}
	return out
}

// Both sides in helpers.

func (p *pool) hasThenSetBad(k string) {
	if !p.has(k) {
		p.set(k, dial(k)) // want `split-lock: `
	}
}

func (p *pool) getThenSetBad(k string) *conn {
	c := p.get(k)
	if c == nil {
		c = dial(k)
		p.set(k, c) // want `split-lock: `
	}
	return c
}

func (p *pool) hasThenErrorBad(k string) error {
	if p.has(k) {
		return errExists
	}
	p.set(k, dial(k)) // want `split-lock: `
	return nil
}

func (p *pool) missingThenSetBad(k string) {
	if p.missing(k) {
		p.set(k, dial(k)) // want `split-lock: `
	}
}

func (p *pool) sizeThenSetBad(k string, c *conn) bool {
	if p.size() >= limit {
		return false
	}
	p.set(k, c) // want `split-lock: `
	return true
}

func (p *pool) fullThenSetBad(k string, c *conn) error {
	if p.full() {
		return errExists
	}
	p.set(k, c) // want `split-lock: `
	return nil
}

func (p *pool) lookupThenSetBad(k string) *conn {
	c, err := p.lookup(k)
	if errors.Is(err, errNone) {
		c = dial(k)
		p.set(k, c) // want `split-lock: `
	}
	return c
}

func (p *pool) getThenRemoveBad(k string) {
	if c := p.get(k); c != nil && !c.open {
		p.remove(k) // want `split-lock: .*, low`
	}
}

func (p *pool) lookupThenReplaceBad(k string) {
	c, err := p.lookup(k)
	if err != nil || c.open {
		return
	}
	p.set(k, &conn{id: c.id + 1}) // want `split-lock: `
}

// What was oldest may have been made anew since, and another one may have made
// room already.
func (p *pool) evictOldestBad() {
	if k, ok := p.oldest(); ok && p.size() > limit {
		p.remove(k) // want `split-lock: `
	}
}

// The decision is a value, not a branch.
func (p *pool) nextIDBad(k string) {
	p.set(k, &conn{id: p.size()}) // want `split-lock: `
}

// The decision is kept in a variable, in another one, and negated.
func (p *pool) byVariableBad(k string) {
	known := p.has(k)
	create := !known && k != ""
	if create {
		p.set(k, dial(k)) // want `split-lock: .*, low`
	}
}

// Plain functions, not methods.

func find(p *pool, k string) (*conn, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	c, ok := p.m[k]
	return c, ok
}

func store(p *pool, k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
}

func functionsBad(p *pool, k string) *conn {
	c, ok := find(p, k)
	if ok {
		return c
	}
	c = dial(k)
	store(p, k, c) // want `split-lock:.*, low`
	return c
}

// Helpers behind helpers.

func (p *pool) ready(k string) bool { c := p.get(k); return c != nil && c.open }

func (p *pool) install(k string) *conn { c := dial(k); p.set(k, c); return c }

func (p *pool) helpersOfHelpersBad(k string) *conn {
	if p.ready(k) {
		return p.get(k)
	}
	return p.install(k) // want `split-lock: `
}

// Only one side in a helper.

func (p *pool) checkInHelperBad(k string) *conn {
	c := p.get(k)
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c = dial(k)
	p.m[k] = c // want `split-lock: `
	return c
}

func (p *pool) actInHelperBad(k string) *conn {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if !ok {
		c = dial(k)
		p.set(k, c) // want `split-lock: `
	}
	return c
}

func (p *pool) deleteInHelperBad(k string) {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil && !c.open {
		p.remove(k) // want `split-lock: .*, low`
	}
}

// The act is deferred, or in a closure that runs here.

func (p *pool) deferredActBad(k string) {
	if !p.has(k) {
		defer p.set(k, dial(k)) // want `split-lock: `
	}
}

func (p *pool) closureBad(k string) {
	add := func() { p.set(k, dial(k)) } // want `split-lock: `
	if !p.has(k) {
		add()
	}
}

func (p *pool) with(f func()) { p.mu.Lock(); defer p.mu.Unlock(); f() }

func (p *pool) runnersBad(k string) {
	var c *conn
	p.with(func() { c = p.m[k] })
	if c == nil {
		p.with(func() { p.m[k] = dial(k) }) // want `split-lock: `
	}
}

func (p *pool) runnerOk(k string) {
	p.with(func() {
		if p.m[k] == nil {
			p.m[k] = dial(k)
		}
	})
}

// The fixed forms.

func (p *pool) addIfAbsent(k string, c *conn) (*conn, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.m[k]; ok {
		return old, false
	}
	p.m[k] = c
	return c, true
}

func (p *pool) addIfAbsentOk(k string) *conn {
	if c := p.get(k); c != nil {
		return c
	}
	c, _ := p.addIfAbsent(k, dial(k))
	return c
}

func (p *pool) removeIf(k string, old *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == old {
		delete(p.m, k)
	}
}

func (p *pool) removeIfOk(k string) {
	if c := p.get(k); c != nil && !c.open {
		p.removeIf(k, c)
	}
}

func (p *pool) otherKeyOk(k string) {
	if c := p.get(k); c != nil {
		p.set(k+"/copy", &conn{id: c.id})
	}
}

func (p *pool) otherPoolOk(q *pool, k string) {
	if !p.has(k) {
		q.set(k, dial(k))
	}
}

func (p *pool) noDecisionOk(k string) int {
	n := p.size()
	p.set(k, dial(k))
	return n
}

func (p *pool) eachKeyAgainOk() {
	for _, k := range p.keys() {
		p.mu.Lock()
		if c := p.m[k]; c != nil && !c.open {
			delete(p.m, k)
		}
		p.mu.Unlock()
	}
}

func (p *pool) eachKeyStaleBad() {
	for _, k := range p.keys() {
		if c := p.get(k); c != nil && !c.open {
			p.remove(k) // want `split-lock: .*, low`
		}
	}
}

// A wrapper that looks whether it has a map at all before it looks for an entry: for
// its callers that is one look.
type lazyMap struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (l *lazyMap) get(k string) *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil {
		return nil
	}
	return l.m[k]
}

func (l *lazyMap) set(k string, c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil {
		l.m = make(map[string]*conn)
	}
	l.m[k] = c
}

func (l *lazyMap) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m = make(map[string]*conn)
}

func (l *lazyMap) OpenBad(k string) *conn {
	c := l.get(k)
	if c == nil {
		c = dial(k)
		l.set(k, c) // want `split-lock: l\.m is read at line \d+ and written here`
	}
	return c
}

func (l *lazyMap) BeginOk(k string) {
	if c := l.get(k); c != nil && c.open {
		return
	}
	l.reset()
}
