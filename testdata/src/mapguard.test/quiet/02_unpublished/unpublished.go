// Package unpublished pins that objects which no other goroutine knows yet need no
// lock.
package unpublished

import "sync"

type conn struct{ id int }

type pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
}

func newPoolOk(keys []string) *pool {
	p := &pool{m: make(map[string]*conn)}
	for _, k := range keys {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	}
	return p
}

func newByValueOk(keys []string) pool {
	var p pool
	p.m = make(map[string]*conn)
	for _, k := range keys {
		p.m[k] = &conn{}
	}
	return p
}

// fill is only ever called on fresh pools.
func (p *pool) fill(keys []string) {
	for _, k := range keys {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	}
}

func newFilledOk(keys []string) *pool {
	p := &pool{m: make(map[string]*conn)}
	p.fill(keys)
	return p
}

func newFilledAgainOk(keys []string) *pool {
	p := newPoolOk(nil)
	p.fill(keys)
	return p
}

// An option works on what the constructor has just made.
type option func(*pool)

// withConnOk is only used by a constructor.
func withConnOk(k string) option {
	return func(p *pool) {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	}
}

func newWithOptionsOk(opts ...option) *pool {
	p := &pool{m: make(map[string]*conn)}
	for _, o := range opts {
		o(p)
	}
	return p
}

func useOptionsOk() *pool { return newWithOptionsOk(withConnOk("a")) }

func (p *pool) lockedOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = &conn{}
}

func (p *pool) publishedBad(k string) {
	p.m[k] = &conn{} // want `unguarded-access: .*p\.m`
}

var shared *pool

// Published before it is filled.
func publishedTooEarlyBad(k string) {
	p := &pool{m: make(map[string]*conn)}
	shared = p
	if p.m[k] == nil { // want `check-then-act: .*m`
		p.m[k] = &conn{}
	}
}

func publishedAfterwardsOk(k string) {
	p := &pool{m: make(map[string]*conn)}
	p.m[k] = &conn{}
	shared = p
}

func publishedByGoroutineBad(k string) {
	p := &pool{m: make(map[string]*conn)}
	go p.lockedOk(k)
	p.m[k] = &conn{} // want `(unguarded-access|goroutine-race): p(ool)?\.m`
}

func publishedByChannelBad(ch chan<- *pool, k string) {
	p := &pool{m: make(map[string]*conn)}
	ch <- p
	p.m[k] = &conn{} // want `unguarded-access: p(ool)?\.m`
}

// A clone is not shared.
func (p *pool) cloneOk() *pool {
	c := &pool{m: make(map[string]*conn)}
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, v := range p.m {
		c.m[k] = v
	}
	return c
}

// Nested objects are as fresh as what they hang on.
type outer struct{ in *pool }

func newOuterOk(k string) *outer {
	o := &outer{in: &pool{m: make(map[string]*conn)}}
	o.in.m[k] = &conn{}
	return o
}

// A local helper literal fills the fresh object.
func newWithLiteralOk(keys []string) *pool {
	p := &pool{m: make(map[string]*conn)}
	add := func(k string) { p.m[k] = &conn{} }
	for _, k := range keys {
		add(k)
	}
	return p
}
