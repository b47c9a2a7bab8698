package unguarded

import "sync"

// To compare a map with nil is to look at the variable: who changes entries does not meet that.

// An Booking is made by callers, who give it the map that they share, with its lock.
type Booking struct {
	Name string
	// OpenMu protects Open.
	OpenMu *sync.Mutex
	Open   map[string]int
}

func (o *Booking) closeOk() {
	if o.Open != nil && o.OpenMu != nil {
		o.OpenMu.Lock()
		delete(o.Open, o.Name)
		o.OpenMu.Unlock()
	}
}

func (o *Booking) openOk() {
	o.OpenMu.Lock()
	o.Open[o.Name] = 1
	o.OpenMu.Unlock()
}

// A Docket gives up its map under the lock.
type Docket struct {
	Name string
	// OpenMu protects Open.
	OpenMu sync.Mutex
	Open   map[string]int
}

func (t *Docket) closeBad() {
	if t.Open != nil { // want `check-then-act: t\.Open is compared with nil here`
		t.OpenMu.Lock()
		t.Open[t.Name] = 0
		t.OpenMu.Unlock()
	}
}

func (t *Docket) resetOk() {
	t.OpenMu.Lock()
	t.Open = nil
	t.OpenMu.Unlock()
}
