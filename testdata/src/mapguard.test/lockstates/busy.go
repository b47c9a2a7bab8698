package lockstates

import (
	"sync"
	"sync/atomic"
)

// A busy flag is set under the mutex where a goroutine is started, and taken back by that goroutine as the last thing that
// it does: there is one at a time, and the mutex orders them.

type busyDrain struct {
	mu    sync.Mutex
	busy  bool
	again bool
	sums  map[string]int
}

func (d *busyDrain) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.again = true
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainOk(k)
}

func (d *busyDrain) drainOk(k string) {
	for {
		if _, ok := d.sums[k]; !ok {
			d.sums[k] = 1
		}
		d.mu.Lock()
		if !d.again {
			d.busy = false
			d.mu.Unlock()
			return
		}
		d.again = false
		d.mu.Unlock()
	}
}

func (d *busyDrain) all(ks []string) {
	for _, k := range ks {
		go d.poke(k)
	}
}

// It is taken back in a deferred call of a literal.
type busyDeferred struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyDeferred) pokeOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return
	}
	d.busy = true
	go func() {
		defer func() {
			d.mu.Lock()
			d.busy = false
			d.mu.Unlock()
		}()
		d.sums[k]++
	}()
}

func (d *busyDeferred) all(ks []string) {
	for _, k := range ks {
		go d.pokeOk(k)
	}
}

// An atomic flag needs no mutex.
type busyAtomic struct {
	busy atomic.Bool
	sums map[string]int
}

func (d *busyAtomic) poke(k string) {
	if d.busy.CompareAndSwap(false, true) {
		go d.drainOk(k)
	}
}

func (d *busyAtomic) drainOk(k string) {
	defer d.busy.Store(false)
	d.sums[k]++
}

func (d *busyAtomic) all(ks []string) {
	for _, k := range ks {
		go d.poke(k)
	}
}

// The map is still used when the flag has been taken back.
type busyEarly struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyEarly) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
}

func (d *busyEarly) drainBad(k string) {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
	d.sums[k]++ // want `goroutine-race: d\.sums is written in a goroutine`
}

func (d *busyEarly) all(ks []string) {
	for _, k := range ks {
		go d.poke(k)
	}
}

// Another one takes it back.
type busyReset struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyReset) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
}

func (d *busyReset) drainBad(k string) {
	d.sums[k]++ // want `goroutine-race: d\.sums is written in a goroutine`
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

func (d *busyReset) reset() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

func (d *busyReset) all(ks []string) {
	for _, k := range ks {
		go d.poke(k)
		d.reset()
	}
}

// Nothing is held where the flag is looked at.
type busyUnlocked struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyUnlocked) poke(k string) {
	if d.busy {
		return
	}
	d.mu.Lock()
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
}

func (d *busyUnlocked) drainBad(k string) {
	d.sums[k]++ // want `goroutine-race: d\.sums is written in a goroutine`
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

func (d *busyUnlocked) all(ks []string) {
	for _, k := range ks {
		go d.poke(k)
	}
}

// Nothing is held where the flag is taken back: the next one may begin before what is done here is seen.
type busyLoose struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyLoose) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
}

func (d *busyLoose) drainBad(k string) {
	d.sums[k]++ // want `goroutine-race: d\.sums is written in a goroutine`
	d.busy = false
}

func (d *busyLoose) all(ks []string) {
	for _, k := range ks {
		go d.poke(k)
	}
}

// Who starts it has given the flag away, and goes on at the map.
type busyBeside struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyBeside) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
	d.sums[k]++ // of the finding below
}

func (d *busyBeside) drainBad(k string) {
	d.sums[k]++ // want `goroutine-race: d\.sums is written in a goroutine under d\.busy`
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// Two are started by one flag, and the first to end takes it back.
type busyTwo struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyTwo) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
	go d.drainBad(k)
}

func (d *busyTwo) drainBad(k string) {
	d.sums[k]++ // want `check-then-act: d\.sums is read here`
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// The goroutine has the flag, and others come with the mutex alone.
type busyOther struct {
	mu   sync.Mutex
	busy bool
	sums map[string]int
}

func (d *busyOther) poke(k string) {
	d.mu.Lock()
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	go d.drainBad(k)
}

func (d *busyOther) drainBad(k string) {
	d.sums[k]++ // want `d\.sums`
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

func (d *busyOther) SumBad(k string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sums[k] // want `unguarded-access: d\.sums is read under d\.mu, and written under d\.busy`
}
