package unguarded

import "sync"

// An object that is made and returned is not known to others before, also where it is
// returned as an interface.

type stored struct{ parts map[string]int }

type storage interface{ stored() *stored }

type depot struct {
	partsMu sync.RWMutex
	parts   map[string]int
}

// A Depot is what others know of one.
type Depot interface {
	Put(k string)
	Get(k string) int
}

// OpenDepot brings back what was stored.
func OpenDepot(from storage) Depot {
	d := &depot{parts: make(map[string]int)}
	if s := from.stored(); s != nil {
		d.parts = s.parts
		for k := range d.parts { // want `unguarded-access: .*depot\.parts.*, low`
			println(k)
		}
	}
	return d
}

func (d *depot) Put(k string) {
	d.partsMu.Lock()
	defer d.partsMu.Unlock()
	d.parts[k]++
}

func (d *depot) Get(k string) int {
	d.partsMu.RLock()
	defer d.partsMu.RUnlock()
	return d.parts[k]
}

// SameDepotBad returns one that it was given.
func SameDepotBad(d *depot) Depot {
	for k := range d.parts { // want `unguarded-access: .*d\.parts.*, low`
		println(k)
	}
	return d
}

type annex struct {
	partsMu sync.RWMutex
	parts   map[string]int
}

// OpenAnnexBad lets a goroutine have it before.
func OpenAnnexBad() Depot {
	a := &annex{parts: make(map[string]int)}
	go a.fill()
	for k := range a.parts { // want `unguarded-access: .*annex\.parts.*, low`
		println(k)
	}
	return a
}

func (a *annex) fill() {
	for {
		a.Put("")
	}
}

func (a *annex) Put(k string) {
	a.partsMu.Lock()
	defer a.partsMu.Unlock()
	a.parts[k]++
}

func (a *annex) Get(k string) int {
	a.partsMu.RLock()
	defer a.partsMu.RUnlock()
	return a.parts[k]
}
