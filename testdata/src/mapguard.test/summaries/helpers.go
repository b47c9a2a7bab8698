// Package summaries pins what is known of a call: helpers that check, that
// act, that need their caller's lock, and calls through values.
package summaries

import "sync"

type conn struct{ id int }

// A Pool is what the helpers work on.
type Pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
}

// has checks under the lock.
func (p *Pool) has(k string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.m[k]
	return ok
}

// get checks under the lock and returns what it found.
func (p *Pool) get(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[k]
}

// put acts under the lock.
func (p *Pool) put(k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
}

func (p *Pool) checkHelperBad(k string) {
	if !p.has(k) {
		p.mu.Lock()
		p.m[k] = &conn{} // want `split-lock: .*p\.m`
		p.mu.Unlock()
	}
}

func (p *Pool) actHelperBad(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if !ok {
		p.put(k, &conn{}) // want `split-lock: .*p\.m`
	}
}

func (p *Pool) twoHelpersBad(k string) *conn {
	c := p.get(k)
	if c == nil {
		c = &conn{}
		p.put(k, c) // want `split-lock: .*p\.m`
	}
	return c
}

// The helper looks again in its own section.
func (p *Pool) getOrPut(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil {
		return c
	}
	c := &conn{}
	p.m[k] = c
	return c
}

func (p *Pool) helperLooksAgainOk(k string) *conn {
	if c := p.get(k); c != nil {
		return c
	}
	return p.getOrPut(k)
}

func (p *Pool) indirect2(k string) bool { return p.has(k) }

func (p *Pool) indirectHelpersBad(k string) {
	if !p.indirect2(k) {
		p.put(k, &conn{}) // want `split-lock: .*p\.m`
	}
}

// find is right in all places but one.
func (p *Pool) find(k string) *conn { return p.m[k] }

// store is right in all places but one.
func (p *Pool) store(k string) { p.m[k] = &conn{} }

func (p *Pool) callerHoldsOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.find(k) == nil {
		p.store(k)
	}
}

func (p *Pool) callerHoldsAgainOk(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.find(k)
}

func (p *Pool) callerStoresOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.store(k)
}

// CallerForgetsCheckBad lacks the lock.
func (p *Pool) CallerForgetsCheckBad(k string) *conn {
	return p.find(k) // want `unguarded-access: .*p\.m`
}

// CallerForgetsActBad lacks the lock.
func (p *Pool) CallerForgetsActBad(k string) {
	p.store(k) // want `unguarded-access: .*p\.m`
}

// CallerForgetsBothBad lacks the lock.
func (p *Pool) CallerForgetsBothBad(k string) {
	if p.find(k) == nil { // want `check-then-act: .*p\.m`
		p.store(k)
	}
}

// Recursion: the lock is taken once at the top.
func (p *Pool) walk(k string, n int) {
	if n == 0 {
		return
	}
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
	p.walk(k, n-1)
}

func (p *Pool) recursionOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.walk(k, 3)
}

func (p *Pool) even(k string, n int) *conn {
	if n == 0 {
		return p.m[k]
	}
	return p.odd(k, n-1)
}

func (p *Pool) odd(k string, n int) *conn {
	if n == 0 {
		return nil
	}
	return p.even(k, n-1)
}

func (p *Pool) mutualRecursionOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.even(k, 4) == nil {
		p.m[k] = &conn{}
	}
}

func (p *Pool) mutualRecursionBad(k string) {
	p.mu.Lock()
	c := p.even(k, 4)
	p.mu.Unlock()
	if c == nil {
		p.mu.Lock()
		p.m[k] = &conn{} // want `split-lock: .*p\.m.*, low`
		p.mu.Unlock()
	}
}

// A lookup hands on its result with an error.
func (p *Pool) lookup(k string) (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.m[k]; ok {
		return c, nil
	}
	return nil, errMissing
}

func (p *Pool) errorResultBad(k string) (*conn, error) {
	c, err := p.lookup(k)
	if err != nil {
		c = &conn{}
		p.put(k, c) // want `split-lock: .*p\.m`
	}
	return c, nil
}

type missing struct{}

func (missing) Error() string { return "missing" }

var errMissing error = missing{}
