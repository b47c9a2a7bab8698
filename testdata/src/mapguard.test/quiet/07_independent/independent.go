// Package independent pins that sections which have nothing to do with each
// other are quiet.
package independent

import "sync"

type conn struct{ id int }

type pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
	n  map[string]int   // guarded by mu
}

func (p *pool) noDependenceOk(k string) {
	p.mu.Lock()
	println(len(p.m))
	p.mu.Unlock()
	p.mu.Lock()
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) differentKeysOk() {
	p.mu.Lock()
	_, ok := p.m["a"]
	p.mu.Unlock()
	if ok {
		p.mu.Lock()
		p.m["b"] = &conn{}
		p.mu.Unlock()
	}
}

func (p *pool) sameConstantKeyBad() {
	p.mu.Lock()
	_, ok := p.m["a"]
	p.mu.Unlock()
	if !ok {
		p.mu.Lock()
		p.m["a"] = &conn{} // want `split-lock: .*p\.m`
		p.mu.Unlock()
	}
}

func (p *pool) differentInstancesOk(q *pool, k string) {
	p.mu.Lock()
	c := p.m[k]
	p.mu.Unlock()
	if c != nil {
		q.mu.Lock()
		q.m[k] = c
		q.mu.Unlock()
	}
}

func (p *pool) differentMapsOk(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if ok {
		p.mu.Lock()
		p.n[k] = 1
		p.mu.Unlock()
	}
}

func (p *pool) branchThatJoinsOk(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if ok {
		println("known")
	}
	p.mu.Lock()
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) otherArmOk(k string) {
	p.mu.Lock()
	_, ok := p.m["a"]
	p.mu.Unlock()
	if ok {
		println("known")
		return
	}
	println("unknown")
}

// A snapshot of the keys is walked, each looked up again.
func (p *pool) snapshotOfKeysOk() {
	p.mu.Lock()
	keys := make([]string, 0, len(p.m))
	for k := range p.m {
		keys = append(keys, k)
	}
	p.mu.Unlock()
	for _, k := range keys {
		p.mu.Lock()
		if c := p.m[k]; c != nil && c.id > 3 {
			delete(p.m, k)
		}
		p.mu.Unlock()
	}
}

// The result is handed out; what the caller does is its own business.
func (p *pool) getOk(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[k]
}

func (p *pool) useOk(k string) int { return p.getOk(k).id }

// The capacity of a new map may be stale.
func (p *pool) sizedCopyOk() map[string]*conn {
	p.mu.Lock()
	n := len(p.m)
	p.mu.Unlock()
	return make(map[string]*conn, n)
}

// Nor does the capacity of a slice decide what is put into it.
func (p *pool) endAllOk() {
	p.mu.Lock()
	keys := make([]string, 0, len(p.m))
	for k := range p.m {
		keys = append(keys, k)
	}
	p.mu.Unlock()
	for _, k := range keys {
		p.endOk(k)
	}
}

func (p *pool) endOk(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if ok {
		p.mu.Lock()
		delete(p.m, k)
		p.mu.Unlock()
	}
}
