package left

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errRetired = errors.New("retired")

// A booth sells until it is shut; who shuts it clears it up.
type booth struct {
	mu    sync.Mutex
	shut  bool
	stock map[string]int
}

// StockOk puts something in.
func (b *booth) StockOk(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shut {
		return errRetired
	}
	b.stock[name]++
	return nil
}

// HasOk asks under the flag, too.
func (b *booth) HasOk(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.shut && b.stock[name] > 0
}

// SellAllOk leaves the change to a helper in the same section.
func (b *booth) SellAllOk(names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shut {
		return
	}
	for _, n := range names {
		b.sellOk(n)
	}
}

func (b *booth) sellOk(name string) { delete(b.stock, name) }

// ShutOk clears up, alone.
func (b *booth) ShutOk() error {
	b.mu.Lock()
	if b.shut {
		b.mu.Unlock()
		return errRetired
	}
	b.shut = true
	b.mu.Unlock()
	for n := range b.stock {
		delete(b.stock, n)
	}
	return nil
}

// A depot is a booth with an atomic flag, and a helper that clears it up.
type depot struct {
	mu     sync.RWMutex
	closed atomic.Bool
	crates map[int]string
}

// CrateOk reads.
func (d *depot) CrateOk(n int) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed.Load() {
		return ""
	}
	return d.crates[n]
}

// AddCrateOk puts one in.
func (d *depot) AddCrateOk(n int, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed.Load() {
		d.crates[n] = what
	}
}

// CloseDepotOk claims the flag under the lock.
func (d *depot) CloseDepotOk() {
	d.mu.Lock()
	won := d.closed.CompareAndSwap(false, true)
	d.mu.Unlock()
	if won {
		d.clearOk()
	}
}

func (d *depot) clearOk() {
	if len(d.crates) > 8 {
		clear(d.crates)
		return
	}
	for n := range d.crates {
		delete(d.crates, n)
	}
}

// A kiosk has one method that does not ask.
type kiosk struct {
	mu    sync.Mutex
	shut  bool
	stock map[string]int
}

// StockKioskOk asks.
func (k *kiosk) StockKioskOk(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.shut {
		k.stock[name]++
	}
}

// DropKioskOk does not ask, and comes when it pleases.
func (k *kiosk) DropKioskOk(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.stock, name)
}

// ShutKioskBad meets what does not ask.
func (k *kiosk) ShutKioskBad() {
	k.mu.Lock()
	if k.shut {
		k.mu.Unlock()
		return
	}
	k.shut = true
	k.mu.Unlock()
	for n := range k.stock { // want `check-then-act: k.stock is ranged over here`
		delete(k.stock, n)
	}
}

// A silo is shut in a section of its own: who has asked before may still come.
type silo struct {
	mu    sync.Mutex
	gone  atomic.Bool
	grain map[string]int
}

// GrainOk asks, under the lock.
func (s *silo) GrainOk(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone.Load() {
		s.grain[name]++
	}
}

// LossOk does, too.
func (s *silo) LossOk(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone.Load() {
		delete(s.grain, name)
	}
}

// ShutSiloBad claims the flag without the lock.
func (s *silo) ShutSiloBad() {
	if !s.gone.CompareAndSwap(false, true) {
		return
	}
	for n := range s.grain { // want `check-then-act: s.grain is ranged over here`
		delete(s.grain, n)
	}
}

// A barn is shut again and again.
type barn struct {
	mu   sync.Mutex
	shut bool
	hay  map[string]int
}

// HayOk asks.
func (b *barn) HayOk(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.shut {
		b.hay[name]++
	}
}

// UnhayOk asks.
func (b *barn) UnhayOk(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.shut {
		delete(b.hay, name)
	}
}

// ReopenOk sets the flag back.
func (b *barn) ReopenOk() {
	b.mu.Lock()
	b.shut = false
	b.mu.Unlock()
}

// ShutBarnBad may run while the barn is open again.
func (b *barn) ShutBarnBad() {
	b.mu.Lock()
	if b.shut {
		b.mu.Unlock()
		return
	}
	b.shut = true
	b.mu.Unlock()
	for n := range b.hay { // want `check-then-act: b.hay is ranged over here`
		delete(b.hay, n)
	}
}
