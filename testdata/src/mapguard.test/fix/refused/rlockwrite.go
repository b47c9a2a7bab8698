// Package refused pins where no fix is offered, because it would not be safe.
package refused

import (
	"fmt"
	"net"
	"strconv"
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

// So does a method that is called by way of an interface value.
type printed struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (p *printed) String() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return strconv.Itoa(len(p.m))
}

func printBad(p *printed, k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.m[k] = 1 // want `rlock-write: p\.m`
	fmt.Println(p)
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

// A question by its name, which waits for the network.
func (w *waiting) lookupBad(k string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	hosts, _ := net.LookupHost(k)
	w.m[k] = len(hosts) // want `rlock-write: w\.m`
}

// The lock is two calls away.
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

type literal struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (l *literal) releaseBad(k string) {
	l.mu.RLock()
	defer func() { l.mu.RUnlock() }()
	l.m[k] = 1 // want `rlock-write: l\.m`
}

type receivers struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (r *receivers) otherBad(s *receivers, k string) {
	r.mu.RLock()
	r.m[k] = 1 // want `rlock-write: r\.m`
	s.mu.RUnlock()
}

type leaving struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (l *leaving) onePathBad(k string) {
	l.mu.RLock()
	l.m[k] = 1 // want `rlock-write: l\.m`
	if k != "" {
		l.mu.RUnlock()
	}
}

type trying struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (t *trying) tryBad(k string) {
	if t.mu.TryRLock() {
		t.m[k] = 1 // want `rlock-write: t\.m`
		t.mu.RUnlock()
	}
}

type viaLocker struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (v *viaLocker) writeBad(k string) {
	l := v.mu.RLocker()
	l.Lock()
	v.m[k] = 1 // want `rlock-write: v\.m`
	l.Unlock()
}

// The read lock is held around it, under another name.
type aroundLocker struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (a *aroundLocker) innerBad(k string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	a.m[k] = 1 // want `rlock-write: a\.m`
}

func (a *aroundLocker) outerOk(k string) {
	l := a.mu.RLocker()
	l.Lock()
	a.between(k)
	l.Unlock()
}

func (a *aroundLocker) between(k string) { a.innerBad(k) }

type helped struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (h *helped) helper(k string) {
	h.m[k] = 2 // want `rlock-write: h\.m`
}

func (h *helped) callHelperOk(k string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.helper(k)
}

// The other lock has no twin: it is not an RWMutex.
type readers struct{ sync.Mutex }

func (r *readers) RLock()   {}
func (r *readers) RUnlock() {}

type twinless struct {
	mu readers
	m  map[string]int // guarded by mu
}

func (t *twinless) setBad(k string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	t.m[k] = 1 // want `rlock-write: t\.m`
}

// Open can be locked by any code.
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
	t.mu.RLock()
	println(len(t.m))
	t.mu.RUnlock()
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

// What another object's field holds runs under the lock of this one, and is no precedent.
type savedApart struct {
	mu  sync.RWMutex
	m   map[string]int // guarded by mu
	out *saver
}

type saver struct{ save func() error }

func (s *savedApart) setOk(k string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k]++
	return s.out.save()
}

func (s *savedApart) addBad(k string, other *saver) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.m[k] = 1 // want `rlock-write: s\.m`
	return other.save()
}
