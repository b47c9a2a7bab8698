package refused

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"mapguard.test/fix/beside/unit"
)

type keeps struct {
	unit *unit.Unit
	m    map[string]int
}

func newKeeps() *keeps { return &keeps{unit: &unit.Unit{}, m: make(map[string]int)} }

func (c *keeps) put(k string) {
	c.unit.Lock()
	defer c.unit.Unlock()
	c.m[k]++
}

func (c *keeps) drop(k string) {
	c.unit.Lock()
	defer c.unit.Unlock()
	delete(c.m, k)
}

func (c *keeps) begin() {
	c.unit.Keep(c.walk)
	c.unit.Later()
}

// The other package holds its lock where it runs what it keeps.
func (c *keeps) walk() {
	for k := range c.m { // want `unguarded-access: .*`
		println(k)
	}
}

// Racks are asked by a function of another package, which calls what it is given: that may wait, or is not known.
type Racks struct {
	mu    sync.Mutex // protects racks
	racks map[string]int
	room  chan int
	unit  *unit.Unit
}

// Put puts one there.
func (r *Racks) Put(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.racks[k]++
}

// Drop drops one.
func (r *Racks) Drop(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.racks, k)
}

// RoomBad waits in what is called.
func (r *Racks) RoomBad(k string) bool {
	return k != "" && unit.Has(slices.Collect(maps.Values(r.racks)), func(n int) bool { // want `unguarded-access: .*`
		return n < <-r.room
	})
}

// AskedBad calls what the caller gives.
func (r *Racks) AskedBad(k string, suits func(int) bool) bool {
	return k != "" && unit.Has(slices.Collect(maps.Values(r.racks)), suits) // want `unguarded-access: .*`
}

// EvenBad gives a function of another package, which waits.
func (r *Racks) EvenBad(k string) bool {
	return k != "" && unit.Has(slices.Collect(maps.Values(r.racks)), unit.Even) // want `unguarded-access: .*`
}

// AnyBad calls what is kept elsewhere, where nothing is given.
func (r *Racks) AnyBad(k string) bool {
	return k != "" && unit.FirstOf(r.unit, slices.Collect(maps.Values(r.racks)), func(int) bool { return true }) // want `unguarded-access: .*`
}

// Bays are full at some time: who fills them takes the lock.
type Bays struct {
	mu   sync.Mutex // protects bays
	bays map[string]int
	full atomic.Bool
	at   int
}

// Fill fills one.
func (b *Bays) Fill(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bays[k]++
	b.full.Store(b.bays[k] > 9)
}

// Clear clears one.
func (b *Bays) Clear(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.bays, k)
}

// Sum says how many there are.
func (b *Bays) Sum() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.bays)
}

// PollBad is asked until Fill has been there.
func (b *Bays) PollBad(k string) bool {
	return k != "" && unit.Poll(b.bays[k], func(int) bool { return b.full.Load() }) > 0 // want `unguarded-access: .*`
}

// TriesBad does more in each round.
func (b *Bays) TriesBad(k string) bool {
	return k != "" && unit.Tries(b.bays[k], func(int) bool { return b.full.Load() }) > 0 // want `unguarded-access: .*`
}

// InTurnBad makes the list longer.
func (b *Bays) InTurnBad(k string) bool {
	return k != "" && unit.InTurn(slices.Collect(maps.Values(b.bays)), func(int) bool { return b.full.Load() }) > 0 // want `unguarded-access: .*`
}

// AheadBad goes on until a step has seen it.
func (b *Bays) AheadBad(k string) bool {
	return k != "" && unit.Ahead(b.bays[k], &b.at, func() { // want `unguarded-access: .*`
		if b.full.Load() {
			b.at++
		}
	}) > 0
}

// OwnBad asks in this package.
func (b *Bays) OwnBad(k string) bool {
	return k != "" && poll(b.bays[k], func(int) bool { return b.full.Load() }) > 0 // want `unguarded-access: .*`
}

func poll(n int, suits func(int) bool) int {
	for !suits(n) {
	}
	return n
}
