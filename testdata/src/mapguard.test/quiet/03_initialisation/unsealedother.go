package initialisation

import (
	"sync"
	"sync/atomic"
)

// Flags beside the map that do not seal it, for what other code does.

// What recovers returns in spite of a panic in front of the flag.
type recovers struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
	load func() map[string]int
}

func (r *recovers) fillOk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { _ = recover() }()
	if r.done.Load() {
		return
	}
	r.m = r.load()
	r.m["a"] = 1
	r.done.Store(true)
}

func (r *recovers) findBad(k string) int {
	r.fillOk()
	return r.m[k] // want `unguarded-access: .*r\.m`
}

// The flag is another object's.
type otherObject struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (o *otherObject) fillOk() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done.Load() {
		return
	}
	o.m = map[string]int{"a": 1}
	o.done.Store(true)
}

func (o *otherObject) findBad(p *otherObject, k string) int {
	if !p.done.Load() {
		return 0
	}
	return o.m[k] // want `unguarded-access: .*o\.m`
}

// The map was read before the flag.
type readBefore struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (r *readBefore) fillOk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done.Load() {
		return
	}
	r.m = map[string]int{"a": 1}
	r.done.Store(true)
}

func (r *readBefore) findBad(k string) int {
	m := r.m
	if !r.done.Load() {
		return 0
	}
	return m[k] // want `unguarded-access: .*r\.m`
}

// Two locks: the flag is set under one, the map changed under the other one.
type otherLock struct {
	mu, seals sync.Mutex
	done      atomic.Bool
	m         map[string]int
}

func (o *otherLock) putOk(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done.Load() {
		return
	}
	o.m[k] = 1
}

func (o *otherLock) seal() {
	o.seals.Lock()
	o.done.Store(true)
	o.seals.Unlock()
}

func (o *otherLock) findBad(k string) int {
	if !o.done.Load() {
		return 0
	}
	return o.m[k] // want `unguarded-access: .*o\.m`
}

// The flag is a number that goes on.
type renewed struct {
	mu   sync.Mutex
	done atomic.Uint32
	m    map[string]int
}

func (r *renewed) fillOk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done.Load() == 1 {
		return
	}
	r.m = map[string]int{"a": 1}
	r.done.Store(1)
}

func (r *renewed) next() {
	r.mu.Lock()
	r.done.Add(1)
	r.mu.Unlock()
}

func (r *renewed) findBad(k string) int {
	if r.done.Load() == 0 {
		return 0
	}
	return r.m[k] // want `unguarded-access: .*r\.m`
}

// The one that closes it takes the entries out: two may do so at one time.
type drained struct {
	mu     sync.Mutex
	closed atomic.Bool
	m      map[string]int
}

func (d *drained) putOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed.Load() {
		return
	}
	d.m[k] = 1
}

func (d *drained) closeBad() {
	d.mu.Lock()
	d.closed.Store(true)
	d.mu.Unlock()
	for k := range d.m { // want `check-then-act: .*d\.m`
		delete(d.m, k)
	}
}

// The map is changed by its other name, too.
type otherName struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (o *otherName) fillOk(k string) {
	o.mu.Lock()
	if o.done.Load() {
		o.mu.Unlock()
		return
	}
	m := make(map[string]int)
	o.m = m
	o.done.Store(true)
	o.mu.Unlock()
	m[k] = 1
}

func (o *otherName) findBad(k string) int {
	if !o.done.Load() {
		return 0
	}
	return o.m[k] // want `unguarded-access: .*o\.m`
}

// The lock is only tried.
type onlyTried struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (o *onlyTried) putOk(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.done.Load() {
		o.m[k] = 1
	}
}

func (o *onlyTried) seal() {
	got := o.mu.TryLock()
	o.done.Store(true)
	if got {
		o.mu.Unlock()
	}
}

func (o *onlyTried) findBad(k string) int {
	if !o.done.Load() {
		return 0
	}
	return o.m[k] // want `unguarded-access: .*o\.m`
}

// It is let go before the flag is set, by what is deferred later.
type deferredFirst struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (d *deferredFirst) fillOk(k string) {
	d.mu.Lock()
	defer d.done.Store(true)
	defer d.mu.Unlock()
	if d.done.Load() {
		return
	}
	d.m = map[string]int{k: 1}
}

func (d *deferredFirst) findBad(k string) int {
	if !d.done.Load() {
		return 0
	}
	return d.m[k] // want `unguarded-access: .*d\.m`
}

// Others set the flag by its address.
type byAddress struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (b *byAddress) fillOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done.Load() {
		return
	}
	b.m = map[string]int{k: 1}
	b.done.Store(true)
}

func (b *byAddress) flag() *atomic.Bool { return &b.done }

func (b *byAddress) findBad(k string) int {
	if !b.done.Load() {
		return 0
	}
	return b.m[k] // want `unguarded-access: .*b\.m`
}

// A helper changes the map that it gets.
type byHelper struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func putIn(m map[string]int, k string) { m[k]++ }

func (b *byHelper) fillOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done.Load() {
		return
	}
	b.m = map[string]int{k: 1}
	b.done.Store(true)
}

func (b *byHelper) addOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	putIn(b.m, k)
}

func (b *byHelper) findBad(k string) int {
	if !b.done.Load() {
		return 0
	}
	return b.m[k] // want `unguarded-access: .*b\.m`
}
