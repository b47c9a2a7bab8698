package refused

import "sync"

// A Granary is safe for concurrent use.
type Granary struct {
	mu    sync.Mutex // protects stock
	stock map[string]int
	gate  sync.Mutex
	ready chan struct{}
}

// Move takes the gate with the stock's lock held.
func (d *Granary) Move(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gate.Lock()
	d.stock[name]++
	d.gate.Unlock()
}

// Pass waits with the gate held: who it waits for must not need the stock's lock, which Move may hold until the gate is free.
func (d *Granary) Pass() {
	d.gate.Lock()
	defer d.gate.Unlock()
	<-d.ready
}

// ReadyBad looks without the lock, and lets Pass go on.
func (d *Granary) ReadyBad(name string) {
	if d.stock[name] > 0 { // want `unguarded-access: .*`
		d.ready <- struct{}{}
	}
}
