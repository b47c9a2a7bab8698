// Package accepted pins the right ways to look and then act: nothing is said
// of them. A near miss stands beside some.
package accepted

import (
	"errors"
	"sync"
)

type conn struct {
	id   int
	dead bool
}

func (c *conn) Close() error { return nil }

func dial(k string) *conn { return &conn{id: len(k)} }

func dialErr(k string) (*conn, error) {
	if k == "" {
		return nil, errors.New("no address")
	}
	return dial(k), nil
}

type pool struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

// The second look, in the spellings that one meets.

func (p *pool) trueBranchReturnsOk(k string) *conn {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if ok {
		return c
	}
	p.mu.Lock()
	if c, ok := p.m[k]; ok {
		p.mu.Unlock()
		return c
	}
	c = dial(k)
	p.m[k] = c
	p.mu.Unlock()
	return c
}

func (p *pool) ifMissingOk(k string) *conn {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if !ok {
		p.mu.Lock()
		c, ok = p.m[k]
		if !ok {
			c = dial(k)
			p.m[k] = c
		}
		p.mu.Unlock()
	}
	return c
}

func (p *pool) nilOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.m[k]; x != nil {
		return x
	}
	c = dial(k)
	p.m[k] = c
	return c
}

func (p *pool) elseOk(k string) (c *conn) {
	p.mu.RLock()
	c = p.m[k]
	p.mu.RUnlock()
	if c == nil {
		p.mu.Lock()
		if again, ok := p.m[k]; ok {
			c = again
		} else {
			c = dial(k)
			p.m[k] = c
		}
		p.mu.Unlock()
	}
	return c
}

// The loser's connection is closed.
func (p *pool) loserClosedOk(k string) (*conn, error) {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if ok {
		return c, nil
	}
	fresh, err := dialErr(k)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	if c, ok = p.m[k]; ok {
		p.mu.Unlock()
		fresh.Close()
		return c, nil
	}
	p.m[k] = fresh
	p.mu.Unlock()
	return fresh, nil
}

// The loser's is left to the collector.
func (p *pool) loserDroppedOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c == nil {
		fresh := dial(k)
		p.mu.Lock()
		if c = p.m[k]; c == nil {
			c = fresh
			p.m[k] = c
		}
		p.mu.Unlock()
	}
	return c
}

// A deferred unlock, and a jump.
func (p *pool) gotoOk(k string) *conn {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if ok {
		goto done
	}
	p.mu.Lock()
	if c, ok = p.m[k]; !ok {
		c = dial(k)
		p.m[k] = c
	}
	p.mu.Unlock()
done:
	return c
}

func (p *pool) closureOk(k string) *conn {
	look := func() *conn {
		p.mu.RLock()
		defer p.mu.RUnlock()
		return p.m[k]
	}
	if c := look(); c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil {
		return c
	}
	c := dial(k)
	p.m[k] = c
	return c
}

// The second look is done by a helper that does not lock.

func (p *pool) find(k string) (*conn, bool) { c, ok := p.m[k]; return c, ok }

func (p *pool) insert(k string) *conn { c := dial(k); p.m[k] = c; return c }

func (p *pool) helperOk(k string) *conn {
	p.mu.RLock()
	c, ok := p.find(k)
	p.mu.RUnlock()
	if ok {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.find(k); ok {
		return c
	}
	return p.insert(k)
}

// Both looks and the act are of a helper that is told which lock is held.
func (p *pool) helperTwiceOk(k string) *conn {
	p.mu.RLock()
	c := p.ensureLockedOk(k, false)
	p.mu.RUnlock()
	if c == nil {
		p.mu.Lock()
		c = p.ensureLockedOk(k, true)
		p.mu.Unlock()
	}
	return c
}

// It writes when create is true: not under the read lock.
func (p *pool) ensureLockedOk(k string, create bool) *conn {
	c := p.m[k]
	if c == nil && create {
		c = dial(k)
		p.m[k] = c
	}
	return c
}

// The key is worked out again, alike.
func (p *pool) sameKeyOk(host, port string) *conn {
	p.mu.RLock()
	c := p.m[host+":"+port]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := host + ":" + port
	if c := p.m[key]; c != nil {
		return c
	}
	c = dial(key)
	p.m[key] = c
	return c
}

// Expired: looked at again, too.
func (p *pool) renewOk(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil && !c.dead {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil && !c.dead {
		return c
	}
	c = dial(k)
	p.m[k] = c
	return c
}

// Looked at again for another purpose: nothing depends on it.
func (p *pool) onlyCountedBad(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.m) > 1000 {
		clear(p.m)
	}
	c = dial(k)
	p.m[k] = c // want `split-lock: `
	return c
}

// Looked at again, and then the lock is given up once more.
func (p *pool) lookedTooEarlyBad(k string) *conn {
	p.mu.Lock()
	if c := p.m[k]; c != nil {
		p.mu.Unlock()
		return c
	}
	p.mu.Unlock()
	c := dial(k)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c // want `split-lock: `
	return c
}

// The second look is under the read lock, the act under the other.
func (p *pool) lookedUnderReadLockBad(k string) *conn {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.RLock()
	c = p.m[k]
	p.mu.RUnlock()
	if c == nil {
		c = dial(k)
		p.mu.Lock()
		p.m[k] = c // want `split-lock: `
		p.mu.Unlock()
	}
	return c
}

// What the second look found decides once more, on what is returned.
func (p *pool) askedTwiceOk(k string) (*conn, bool, error) {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if ok {
		return c, true, nil
	}
	c, err := dialErr(k)
	if err != nil {
		return nil, false, err
	}
	p.mu.Lock()
	var old *conn
	if old, ok = p.m[k]; !ok {
		p.m[k] = c
	}
	n := len(p.m)
	p.mu.Unlock()
	if ok {
		return old, true, nil
	}
	println(n)
	return c, false, nil
}
