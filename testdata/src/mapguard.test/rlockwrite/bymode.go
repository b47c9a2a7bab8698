package rlockwrite

import "sync"

// A helper takes the write lock or the read lock, as a parameter says, and runs what it is passed.

type diary struct {
	mu    sync.RWMutex
	pages map[string]int
}

func (d *diary) lenOk() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.pages)
}

func (d *diary) locked(readOnly bool, f func() error) error {
	if readOnly {
		d.mu.RLock()
	} else {
		d.mu.Lock()
	}
	defer func() {
		if readOnly {
			d.mu.RUnlock()
		} else {
			d.mu.Unlock()
		}
	}()
	return f()
}

func (d *diary) view(f func() error) error   { return d.locked(true, f) }
func (d *diary) update(f func() error) error { return d.locked(false, f) }

func (d *diary) setOk(k string, n int) error {
	return d.update(func() error { d.pages[k] = n; return nil })
}

func (d *diary) getOk(k string) (n int) {
	_ = d.view(func() error { n = d.pages[k]; return nil })
	return n
}

func (d *diary) setBad(k string, n int) error {
	return d.view(func() error {
		d.pages[k] = n // want `rlock-write: d\.pages is written`
		return nil
	})
}

// The flag is passed on, turned round.
func (d *diary) run(write bool, f func() error) error { return d.locked(!write, f) }

func (d *diary) dropOk(k string) error {
	return d.run(true, func() error { delete(d.pages, k); return nil })
}

func (d *diary) dropBad(k string) error {
	return d.run(false, func() error {
		delete(d.pages, k) // want `rlock-write: d\.pages is deleted`
		return nil
	})
}

// Nothing tells which lock the caller wants.
func (d *diary) asToldBad(write bool, k string) error {
	return d.run(write, func() error {
		d.pages[k]++ // want `rlock-write: d\.pages is written`
		return nil
	})
}

// Of two functions, one is run under each lock; a call that runs one of them alone passes both.
func (d *diary) either(write bool, f, g func(m map[string]int)) {
	if write {
		d.mu.Lock()
		f(d.pages)
		d.mu.Unlock()
		return
	}
	d.mu.RLock()
	g(d.pages)
	d.mu.RUnlock()
}

func (d *diary) eitherOk(k string) (n int) {
	get := func(m map[string]int) { n = m[k] }
	d.either(true, func(m map[string]int) { m[k] = 1 }, get)
	d.either(false, func(m map[string]int) { m[k] = 2 }, get)
	return n
}

// The mode is one of several constants.

type mode int

const (
	forReading mode = iota
	forWriting
)

type almanac struct {
	mu   sync.RWMutex
	days map[string]int
}

func (a *almanac) lenOk() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.days)
}

func (a *almanac) with(m mode, f func(map[string]int)) {
	switch m {
	case forReading:
		a.mu.RLock()
		defer a.mu.RUnlock()
	case forWriting:
		a.mu.Lock()
		defer a.mu.Unlock()
	}
	f(a.days)
}

func (a *almanac) addOk(k string) { a.with(forWriting, func(m map[string]int) { m[k]++ }) }

func (a *almanac) getOk(k string) (n int) {
	a.with(forReading, func(m map[string]int) { n = m[k] })
	return n
}

func (a *almanac) addBad(k string) {
	a.with(forReading, func(m map[string]int) {
		m[k]++ // want `rlock-write: a\.days is written`
	})
}

func (a *almanac) begin(m mode) {
	if m == forWriting {
		a.mu.Lock()
	} else {
		a.mu.RLock()
	}
}

func (a *almanac) end(m mode) {
	if m == forWriting {
		a.mu.Unlock()
	} else {
		a.mu.RUnlock()
	}
}

func (a *almanac) clearOk() {
	a.begin(forWriting)
	clear(a.days)
	a.end(forWriting)
}

func (a *almanac) clearBad() {
	a.begin(forReading)
	clear(a.days) // want `rlock-write: a\.days is changed as a whole`
	a.end(forReading)
}
