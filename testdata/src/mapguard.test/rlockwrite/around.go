package rlockwrite

import "sync"

// Desk takes tickets out under its read lock, but that only where the office that has the desk holds its own lock: all others hold the
// desk's lock for writing. Code outside can name the type, but gets no desk of an office.
type Desk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type desker interface {
	NextOk(k string) bool
	Fill(k string)
}

type Office struct {
	mu    sync.Mutex
	desks []desker
}

func newDesk() *Desk { return &Desk{open: make(map[string]bool)} }

func (o *Office) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := newDesk()
	go d.Fill("a")
	o.desks = append(o.desks, d)
}

func (d *Desk) Fill(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[k] = true
}

func (d *Desk) NextOk(k string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.dropOk(k)
}

func (d *Desk) dropOk(k string) bool {
	delete(d.open, k)
	return true
}

func (o *Office) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.serve(k)
}

func (o *Office) serve(k string) {
	for _, d := range o.desks {
		d.NextOk(k)
	}
}

// The office gives its desks away.

type GivenDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type GivingOffice struct {
	mu    sync.Mutex
	desks []*GivenDesk
}

func (o *GivingOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &GivenDesk{open: make(map[string]bool)})
}

func (o *GivingOffice) Desk(i int) *GivenDesk {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.desks[i]
}

func (d *GivenDesk) Fill(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[k] = true
}

func (d *GivenDesk) NextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *GivingOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
		d.Fill(k)
	}
}

// The office holds its lock for reading, as two can do at one time.

type sharedDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type SharedOffice struct {
	mu    sync.RWMutex
	desks []*sharedDesk
}

func (o *SharedOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &sharedDesk{open: make(map[string]bool)})
}

func (d *sharedDesk) nextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *SharedOffice) Serve(k string) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for _, d := range o.desks {
		d.nextBad(k)
	}
}

// One of two ways there comes without the lock of the office.

type lateDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type LateOffice struct {
	mu    sync.Mutex
	desks []*lateDesk
}

func (o *LateOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &lateDesk{open: make(map[string]bool)})
}

func (d *lateDesk) nextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *LateOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.nextBad(k)
	}
}

func (o *LateOffice) Hurry(i int, k string) {
	o.mu.Lock()
	d := o.desks[i]
	o.mu.Unlock()
	d.nextBad(k)
}

// Who makes a desk of his own has a map by its method, and shares that.

type LazyDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type LazyOffice struct {
	mu    sync.Mutex
	desks []*LazyDesk
}

func (o *LazyOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &LazyDesk{})
}

func (d *LazyDesk) Fill(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = make(map[string]bool)
	}
	d.open[k] = true
}

func (d *LazyDesk) NextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *LazyOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
	}
}

// Code outside gets a desk by a function that it passes.

type ToldDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type TellingOffice struct {
	mu    sync.Mutex
	desks []*ToldDesk
}

func (o *TellingOffice) Begin(tell func(*ToldDesk)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := &ToldDesk{open: make(map[string]bool)}
	o.desks = append(o.desks, d)
	tell(d)
}

func (d *ToldDesk) NextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *TellingOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
	}
}
