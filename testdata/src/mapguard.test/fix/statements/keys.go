package statements

import "sync"

// A node gives its key by a call that may wait: it is made before the lock is taken.
type node interface{ Key() string }

type pool struct {
	mu   sync.RWMutex
	m    map[string]*entry // guarded by mu
	size map[string]int    // guarded by mu
}

func (p *pool) put(k string, e *entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = e
	p.size[k]++
}

func (p *pool) drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.m, k)
	delete(p.size, k)
}

func (p *pool) listBad(nodes []node) (out []*entry) {
	for _, n := range nodes {
		e := p.m[n.Key()] // want `unguarded-access: .*`
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

func (p *pool) hasBad(n node, key int) bool {
	_, ok := p.m[n.Key()] // want `unguarded-access: .*`
	println(n.Key(), key)
	return ok
}

func (p *pool) deleteBad(n node) {
	delete(p.m, n.Key()) // want `unguarded-access: .*`
	println(n.Key())
}

func (p *pool) setBad(n node) {
	p.size[n.Key()] = 1 // want `unguarded-access: .*`
	println(n.Key())
}

func (p *pool) getBad(n node) *entry {
	return p.m[n.Key()] // want `unguarded-access: .*`
}

func (p *pool) lacksBad(n node) bool {
	if p.m[n.Key()] == nil { // want `unguarded-access: .*`
		println(n.Key())
		return true
	}
	return false
}

func (p *pool) foundBad(n node) int {
	if e, ok := p.m[n.Key()]; ok { // want `unguarded-access: .*`
		println(n.Key())
		return e.n
	}
	return 0
}

func (p *pool) chosenBad(n node) {
	switch p.size[n.Key()] { // want `unguarded-access: .*`
	case 1:
		println(n.Key())
	}
}
