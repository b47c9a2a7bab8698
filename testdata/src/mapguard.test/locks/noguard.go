package locks

import "sync"

// A lock that cannot protect is no guard.

func (p *plain) localMutexBad(k string) {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *plain) newMutexBad(k string) {
	mu := new(sync.Mutex)
	mu.Lock()
	defer mu.Unlock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *plain) copiedMutexBad(k string) {
	mu := p.mu
	mu.Lock()
	defer mu.Unlock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

// The receiver is a copy, its mutex too; the map is shared.
func (p plain) valueReceiverBad(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *plain) otherInstanceBad(q *plain, k string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *plain) bothInstancesOk(q *plain, k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	if p.m[k] == nil {
		p.m[k] = q.m[k]
	}
}

func (p *plain) otherLockBad(k string) {
	tableMu.Lock()
	defer tableMu.Unlock()
	if p.m[k] == nil { // want `unguarded-access: .*p\.m`
		p.m[k] = &conn{}
	}
}

// A perCall lock is made new for every call.
func perCall() *sync.Mutex { return &sync.Mutex{} }

func (p *plain) perCallMutexBad(k string) {
	mu := perCall()
	mu.Lock()
	defer mu.Unlock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

// Two locks of one struct, of which only one is the map's.
type twoLocks struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu

	statsMu sync.Mutex
	stats   map[string]int // guarded by statsMu
}

func (t *twoLocks) wrongLockBad(k string) {
	t.statsMu.Lock()
	defer t.statsMu.Unlock()
	t.stats[k]++
	if t.m[k] == nil { // want `unguarded-access: .*t\.m`
		t.m[k] = &conn{}
	}
}

func (t *twoLocks) differentLocksBad(k string) {
	t.statsMu.Lock()
	c := t.m[k]
	t.statsMu.Unlock()
	if c == nil {
		t.mu.Lock()
		t.m[k] = &conn{} // want `split-lock: .*t\.m`
		t.mu.Unlock()
	}
}

func (t *twoLocks) rightLocksOk(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m[k] == nil {
		t.m[k] = &conn{}
	}
	t.statsMu.Lock()
	t.stats[k]++
	t.statsMu.Unlock()
}
