// Package locks pins which locks are understood, and at which instructions
// they are held.
package locks

import "sync"

type conn struct{ id int }

type plain struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
}

func (p *plain) mutexOk(k string) {
	p.mu.Lock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
	p.mu.Unlock()
}

func (p *plain) mutexBad(k string) {
	p.mu.Lock()
	c := p.m[k] // want `check-then-act: .*p\.m`
	p.mu.Unlock()
	if c == nil {
		p.m[k] = &conn{}
	}
}

type rw struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (r *rw) writeLockOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.m[k] == nil {
		r.m[k] = &conn{}
	}
}

func (r *rw) readLockForReadingOk(k string) *conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.m[k]
}

func (r *rw) upgradeBad(k string) {
	r.mu.RLock()
	c := r.m[k]
	r.mu.RUnlock()
	if c == nil {
		r.mu.Lock()
		r.m[k] = &conn{} // want `split-lock: .*r\.m`
		r.mu.Unlock()
	}
}

func (r *rw) readLockAllTheWayBad(k string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.m[k] == nil {
		r.m[k] = &conn{} // want `rlock-write: .*r\.m`
	}
}

type locker struct {
	mu sync.Locker
	m  map[string]*conn // guarded by mu
}

func (l *locker) lockerOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m[k] == nil {
		l.m[k] = &conn{}
	}
}

func (l *locker) lockerBad(k string) {
	if l.m[k] == nil { // want `check-then-act: .*l\.m`
		l.mu.Lock()
		l.m[k] = &conn{}
		l.mu.Unlock()
	}
}

type rlocker struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (l *rlocker) rlockerIsForReadingOk(k string) *conn {
	r := l.mu.RLocker()
	r.Lock()
	defer r.Unlock()
	return l.m[k]
}

func (l *rlocker) rlockerDoesNotCoverWritesBad(k string) {
	r := l.mu.RLocker()
	r.Lock()
	defer r.Unlock()
	l.m[k] = &conn{} // want `rlock-write: .*l\.m`
}

type pointer struct {
	mu *sync.Mutex
	m  map[string]*conn // guarded by mu
}

func (p *pointer) pointerOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *pointer) pointerBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *pointer) aliasOfLockOk(k string) {
	mu := p.mu
	mu.Lock()
	defer mu.Unlock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

type embeds struct {
	sync.RWMutex
	m map[string]*conn
}

func (e *embeds) embeddedOk(k string) {
	e.Lock()
	defer e.Unlock()
	if e.m[k] == nil {
		e.m[k] = &conn{}
	}
}

func (e *embeds) embeddedNamedOk(k string) {
	e.RWMutex.Lock()
	defer e.Unlock()
	if e.m[k] == nil {
		e.m[k] = &conn{}
	}
}

func (e *embeds) embeddedBad(k string) {
	if e.m[k] == nil { // want `check-then-act: .*e\.m`
		e.Lock()
		defer e.Unlock()
		e.m[k] = &conn{}
	}
}

type embedsPointer struct {
	*sync.Mutex
	m map[string]*conn
}

func (e *embedsPointer) embeddedPointerOk(k string) {
	e.Lock()
	defer e.Unlock()
	if e.m[k] == nil {
		e.m[k] = &conn{}
	}
}

func (e *embedsPointer) embeddedPointerBad(k string) {
	if e.m[k] == nil { // want `check-then-act: .*e\.m`
		e.Lock()
		defer e.Unlock()
		e.m[k] = &conn{}
	}
}

var (
	tableMu sync.RWMutex
	table   = map[string]*conn{}
)

func packageLevelOk(k string) {
	tableMu.Lock()
	defer tableMu.Unlock()
	if table[k] == nil {
		table[k] = &conn{}
	}
}

func packageLevelBad(k string) {
	tableMu.RLock()
	c := table[k]
	tableMu.RUnlock()
	if c == nil {
		tableMu.Lock()
		table[k] = &conn{} // want `split-lock: .*table`
		tableMu.Unlock()
	}
}

// An owner holds the lock of its parts.
type owner struct {
	mu   sync.Mutex
	part part
	all  map[string]*part
}

type part struct{ m map[string]*conn }

func (o *owner) ownersLockOk(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.part.m[k] == nil {
		o.part.m[k] = &conn{}
	}
}

func (o *owner) ownersLockBad(k string) {
	o.mu.Lock()
	c := o.part.m[k]
	o.mu.Unlock()
	if c == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.part.m[k] = &conn{} // want `split-lock: .*o\.part\.m`
	}
}

func (o *owner) ownersLockOfElementOk(name, k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.all[name]
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}
