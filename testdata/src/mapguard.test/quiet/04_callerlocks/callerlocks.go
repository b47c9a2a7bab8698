// Package callerlocks pins that helpers whose callers hold the lock are quiet,
// and that the call which does not is the finding.
package callerlocks

import "sync"

type conn struct{ id int }

// A Pool has helpers.
type Pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
}

// ensureOk is seen from all its call sites.
func (p *Pool) ensureOk(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *Pool) callerOneOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ensureOk(k)
}

func (p *Pool) callerTwoOk(k string) {
	p.mu.Lock()
	p.ensureOk(k)
	p.mu.Unlock()
}

// addOkLocked is known by its name, though nothing calls it here.
func (p *Pool) addOkLocked(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// putOk adds k. mu must be held.
func (p *Pool) putOk(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// setOk adds k. The caller must hold p.mu.
func (p *Pool) setOk(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// swapOk exchanges k. Lock should be held.
func (p *Pool) swapOk(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// dropOk removes k. It is called with the lock held.
func (p *Pool) dropOk(k string) {
	if p.m[k] != nil {
		delete(p.m, k)
	}
}

// annotatedOk is checked by another tool, too.
//
// +checklocks:p.mu
func (p *Pool) annotatedOk(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// RemoveOkLocked is exported, and its callers are elsewhere.
func (p *Pool) RemoveOkLocked(k string) {
	if p.m[k] != nil {
		delete(p.m, k)
	}
}

// mixed is forgotten once.
func (p *Pool) mixed(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *Pool) holdsOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mixed(k)
}

func (p *Pool) holdsTooOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mixed(k)
}

// ForgetsBad can be called from outside, without the lock.
func (p *Pool) ForgetsBad(k string) {
	p.mixed(k) // want `unguarded-access: .*p\.m`
}

// Through two helpers.
func (p *Pool) top(k string) { p.middle(k) }

func (p *Pool) middle(k string) { p.bottomOk(k) }

func (p *Pool) bottomOk(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *Pool) throughTwoHelpersOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.top(k)
}

// A parent's lock is held by the callers of a child's method.
type owner struct {
	mu    sync.Mutex
	parts map[string]*part // guarded by mu
}

type part struct{ m map[string]*conn }

func (p *part) add(k string) {
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (o *owner) addOk(name, k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.parts[name].add(k)
}

func (o *owner) addTooOk(name, k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if pt := o.parts[name]; pt != nil {
		pt.add(k)
	}
}

// Two steps in a row are one when a caller further up sees to it.
func (p *Pool) twoStepsOk(k string) {
	if !p.hasStep(k) {
		p.addStep(k)
	}
}

func (p *Pool) hasStep(k string) bool { return p.m[k] != nil }

func (p *Pool) addStep(k string) { p.m[k] = &conn{} }

func (p *Pool) coversOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.twoStepsOk(k)
}
