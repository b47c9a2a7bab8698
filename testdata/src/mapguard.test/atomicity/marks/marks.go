// Package marks claims an operation by a flag, or by an entry under a key, before it looks and acts in two sections.
package marks

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errBusy = errors.New("busy")

// A tape is opened once at a time.
type tape struct{ label string }

func open(label string) *tape { return &tape{label} }

// flagDeck says by a flag that its one operation is under way.
type flagDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *flagDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *flagDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadOk is alone between begin and end.
func (d *flagDeck) LoadOk(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
	return nil
}

// EjectOk is so, too.
func (d *flagDeck) EjectOk(label string) *tape {
	if d.begin() != nil {
		return nil
	}
	d.mu.Lock()
	out := d.tapes[label]
	delete(d.tapes, label)
	d.mu.Unlock()
	d.end()
	return out
}

// swapDeck has its flag set by one atomic step.
type swapDeck struct {
	mu    sync.Mutex
	busy  int32
	tapes map[string]*tape
}

// LoadOk is alone until the flag is back.
func (d *swapDeck) LoadOk(label string) error {
	if !atomic.CompareAndSwapInt32(&d.busy, 0, 1) {
		return errBusy
	}
	defer atomic.StoreInt32(&d.busy, 0)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
	return nil
}

// boolDeck has an atomic flag, which an atomic step takes back.
type boolDeck struct {
	mu    sync.Mutex
	busy  atomic.Bool
	tapes map[string]*tape
}

// LoadOk is alone until the flag is back.
func (d *boolDeck) LoadOk(label string) error {
	if !d.busy.CompareAndSwap(false, true) {
		return errBusy
	}
	defer func() { d.busy.CompareAndSwap(true, false) }()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
	return nil
}

// numberDeck has a state, of which 0 is that nothing is under way.
type numberDeck struct {
	mu    sync.Mutex
	state int
	tapes map[string]*tape
}

// LoadOk is alone from the one section to the other.
func (d *numberDeck) LoadOk(labels []string) {
	d.mu.Lock()
	if d.state != 0 {
		d.mu.Unlock()
		return
	}
	d.state = 1
	d.mu.Unlock()
	for _, label := range labels {
		d.mu.Lock()
		_, there := d.tapes[label]
		d.mu.Unlock()
		if there {
			continue
		}
		made := open(label)
		d.mu.Lock()
		d.tapes[label] = made
		d.mu.Unlock()
	}
	d.mu.Lock()
	d.state = 0
	d.mu.Unlock()
}

// keyDeck waits until nothing is under way for a key.
type keyDeck struct {
	mu    sync.Mutex
	idle  *sync.Cond
	busy  map[string]bool
	tapes map[string]*tape
}

func (d *keyDeck) lock(label string) {
	d.mu.Lock()
	for d.busy[label] {
		d.idle.Wait()
	}
	d.busy[label] = true
	d.mu.Unlock()
}

func (d *keyDeck) unlock(label string) {
	d.mu.Lock()
	delete(d.busy, label)
	d.mu.Unlock()
	d.idle.Broadcast()
}

// LoadOk is alone with its key.
func (d *keyDeck) LoadOk(label string) error {
	d.lock(label)
	defer d.unlock(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
	return nil
}

// tryDeck refuses where something is under way for a key.
type tryDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *tryDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *tryDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadOk is alone with its key.
func (d *tryDeck) LoadOk(label string) error {
	if !d.try(label) {
		return errBusy
	}
	defer func() { d.done(label) }()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
	return nil
}
