// Package tested has tests, which are analysed with it.
package tested

import "sync"

type pool struct {
	mu sync.Mutex
	m  map[string]*int // guarded by mu
}

func (p *pool) ensureOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == nil {
		p.m[k] = new(int)
	}
}
