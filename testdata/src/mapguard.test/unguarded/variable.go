package unguarded

import "sync"

// To compare a map with nil is to look at the variable: who changes entries does not meet that.

// A Booking is made by callers, who give it the map that they share, with its lock.
type Booking struct {
	Name string
	// openMu protects open.
	openMu *sync.Mutex
	open   map[string]int
}

func (o *Booking) closeOk() {
	if o.open != nil && o.openMu != nil {
		o.openMu.Lock()
		delete(o.open, o.Name)
		o.openMu.Unlock()
	}
}

func (o *Booking) openOk() {
	o.openMu.Lock()
	o.open[o.Name] = 1
	o.openMu.Unlock()
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
