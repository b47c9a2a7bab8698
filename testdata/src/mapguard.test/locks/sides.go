package locks

import "sync"

// A lock is taken by one side or the other, as the caller asks.
type parts struct {
	mu sync.RWMutex
	m  map[string]int
}

func (p *parts) put(k string) { p.mu.Lock(); defer p.mu.Unlock(); p.m[k] = 1 }

func (p *parts) drop(k string) { p.mu.Lock(); defer p.mu.Unlock(); delete(p.m, k) }

func (p *parts) eachOk(reading bool, do func(string)) {
	side := sync.Locker(&p.mu)
	if reading {
		side = p.mu.RLocker()
	}
	side.Lock()
	for k := range p.m {
		do(k)
	}
	side.Unlock()
}

// Nothing tells that this is for reading at times.
func (p *parts) FN_addBad(reading bool, k string) {
	var side sync.Locker
	if reading {
		side = p.mu.RLocker()
	} else {
		side = &p.mu
	}
	side.Lock()
	defer side.Unlock()
	p.m[k]++
}

func (p *parts) afterBad(reading bool) (n int) {
	side := sync.Locker(&p.mu)
	if reading {
		side = p.mu.RLocker()
	}
	side.Lock()
	side.Unlock()
	for range p.m { // want `unguarded-access: p.m is ranged over without mu`
		n++
	}
	return n
}

// The caller chooses the side for what it does.
func (p *parts) clearOk() { p.eachOk(false, func(k string) { delete(p.m, k) }) }

// It may be another's lock.
func (p *parts) copyBad(q *parts) (n int) {
	side := sync.Locker(&p.mu)
	if q != nil {
		side = q.mu.RLocker()
	}
	side.Lock()
	defer side.Unlock()
	for range p.m { // want `unguarded-access: p.m is ranged over without`
		n++
	}
	return n
}
