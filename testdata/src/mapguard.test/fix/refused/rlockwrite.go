// Package refused pins where no fix is offered, because it would not be safe.
package refused

import (
	"fmt"
	"sync"
)

type conn struct{ id int }

// Each type is one reason, so that none spoils another one's case.

type again struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (a *again) size() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.m)
}

// What is called takes the lock: twice for reading works, or seems to.
func (a *again) callBad(k string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	a.m[k] = 1 // want `rlock-write: a\.m`
	println(a.size())
}

// So does a method that is called by way of an interface value.
func (a *again) stringerBad(k string) string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	a.m[k] = 1 // want `rlock-write: a\.m`
	return fmt.Sprint(a)
}

func (a *again) String() string { return fmt.Sprint(a.size()) }

func (a *again) nestedBad(k string) {
	a.mu.RLock()
	a.mu.RLock()
	a.m[k] = 1 // want `rlock-write: a\.m`
	a.mu.RUnlock()
	a.mu.RUnlock()
}

func (a *again) deferredCallBad(k string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	defer a.size()
	a.m[k] = 1 // want `rlock-write: a\.m`
}

type hooked struct {
	mu   sync.RWMutex
	m    map[string]int // guarded by mu
	hook func()
}

func (h *hooked) valueBad(k string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.hook()
	h.m[k] = 1 // want `rlock-write: h\.m`
}

type named struct {
	mu   sync.RWMutex
	m    map[string]int // guarded by mu
	next fmt.Stringer
}

func (n *named) interfaceBad(k string) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	n.m[n.next.String()] = 1 // want `rlock-write: n\.m`
}

type waiting struct {
	mu sync.RWMutex
	x  sync.Mutex
	m  map[string]int // guarded by mu
	ch chan int
}

func (w *waiting) receiveBad(k string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	w.m[k] = <-w.ch // want `rlock-write: w\.m`
}

func (w *waiting) sendBad(k string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	w.ch <- 1
	w.m[k] = 1 // want `rlock-write: w\.m`
}

func (w *waiting) selectBad(k string) {
	w.mu.RLock()
	select {
	case w.ch <- 1:
	case n := <-w.ch:
		println(n)
	}
	w.m[k] = 1 // want `rlock-write: w\.m`
	w.mu.RUnlock()
}

func (w *waiting) otherLockBad(k string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	w.x.Lock()
	n := len(k)
	w.x.Unlock()
	w.m[k] = n // want `rlock-write: w\.m`
}

// wait is two calls away.
func (w *waiting) throughBad(k string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	w.first()
	w.m[k] = 1 // want `rlock-write: w\.m`
}

func (w *waiting) first()  { w.second() }
func (w *waiting) second() { w.x.Lock(); w.x.Unlock() }

// A caller holds another lock, and others may take the two in turn.
func (w *waiting) heldBad(k string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	w.m[k] = 1 // want `rlock-write: w\.m`
}

func (w *waiting) callHeldOk(k string, o *other) {
	o.mu.Lock()
	defer o.mu.Unlock()
	w.heldBad(k)
}

func (w *waiting) callHeldTooOk(k string) { w.heldBad(k) }

func (w *waiting) callHeldAgainOk(k string) { w.heldBad(k) }

type other struct{ mu sync.Mutex }

type called struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

// The caller holds the read lock.
func (c *called) setBad(k string) {
	c.m[k] = 1 // want `rlock-write: c\.m`
}

func (c *called) callSetOk(k string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.setBad(k)
}

// Both hold it.
func (c *called) innerBad(k string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.m[k] = 1 // want `rlock-write: c\.m`
}

func (c *called) outerOk(k string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.through(k)
}

func (c *called) through(k string) { c.innerBad(k) }

type back struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

// each runs what it is given under the read lock.
func (b *back) each(f func(string)) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for k := range b.m {
		f(k)
	}
}

// each may come back here.
func (b *back) setBad(k string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	b.m[k] = 1 // want `rlock-write: b\.m`
}

type kept struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

// lock keeps the lock for its caller.
func (p *kept) lock() { p.mu.RLock() }

func (p *kept) wrapperBad(k string) {
	p.lock()
	defer p.mu.RUnlock()
	p.m[k] = 1 // want `rlock-write: p\.m`
}

func (p *kept) plainBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.m[k] = 1 // want `rlock-write: p\.m`
}

type released struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (r *released) literalBad(k string) {
	r.mu.RLock()
	defer func() { r.mu.RUnlock() }()
	r.m[k] = 1 // want `rlock-write: r\.m`
}

func (r *released) otherReceiverBad(s *released, k string) {
	r.mu.RLock()
	r.m[k] = 1 // want `rlock-write: r\.m`
	s.mu.RUnlock()
}

func (r *released) onePathBad(k string) {
	r.mu.RLock()
	r.m[k] = 1 // want `rlock-write: r\.m`
	if k != "" {
		r.mu.RUnlock()
	}
}

func (r *released) tryBad(k string) {
	if r.mu.TryRLock() {
		r.m[k] = 1 // want `rlock-write: r\.m`
		r.mu.RUnlock()
	}
}

func (r *released) lockerBad(k string) {
	l := r.mu.RLocker()
	l.Lock()
	r.m[k] = 1 // want `rlock-write: r\.m`
	l.Unlock()
}

// One of the writes could be mended, the other one is its helper's.
func (r *released) helper(k string) {
	r.m[k] = 2 // want `rlock-write: r\.m`
}

func (r *released) callHelperOk(k string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	r.helper(k)
}

// Open can be locked by anybody.
type Open struct {
	sync.RWMutex
	m map[string]int // guarded by RWMutex
}

func (o *Open) SetBad(k string) {
	o.RLock()
	defer o.RUnlock()
	o.m[k] = 1 // want `rlock-write: o\.m`
}

type two struct {
	mu, nu sync.RWMutex
	m      map[string]int
}

func (t *two) bothBad(k string) {
	t.nu.RLock()
	defer t.nu.RUnlock()
	t.mu.RLock()
	defer t.mu.RUnlock()
	t.m[k] = 1 // want `rlock-write: t\.m`
}

func (t *two) rightOk(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = 1
}
