package marks

import (
	"sync"
	"sync/atomic"
)

// exchangeDeck has its flag set whatever it was, and asks what it was.
type exchangeDeck struct {
	mu    sync.Mutex
	busy  atomic.Bool
	tapes map[string]*tape
}

// LoadOk is alone until the flag is back.
func (d *exchangeDeck) LoadOk(label string) {
	if d.busy.Swap(true) {
		return
	}
	defer d.busy.Store(false)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
}

// invertDeck takes what was not set for a reason to go.
type invertDeck struct {
	mu    sync.Mutex
	busy  atomic.Bool
	tapes map[string]*tape
}

// LoadBad is there with another one.
func (d *invertDeck) LoadBad(label string) {
	if !d.busy.Swap(true) {
		return
	}
	defer d.busy.Store(false)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
}

// blindDeck does not ask what the flag was.
type blindDeck struct {
	mu    sync.Mutex
	busy  atomic.Bool
	tapes map[string]*tape
}

// LoadBad is there with another one.
func (d *blindDeck) LoadBad(label string) {
	d.busy.Swap(true)
	defer d.busy.Store(false)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
}

// offDeck sets the entry of a key to false again.
type offDeck struct {
	mu    sync.Mutex
	busy  map[string]bool
	tapes map[string]*tape
}

func (d *offDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[label] {
		return false
	}
	d.busy[label] = true
	return true
}

func (d *offDeck) done(label string) {
	d.mu.Lock()
	d.busy[label] = false
	d.mu.Unlock()
}

// LoadOk is alone with its key.
func (d *offDeck) LoadOk(label string) {
	if !d.try(label) {
		return
	}
	defer d.done(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
}

// freeDeck has the entry of a key set to false by anyone.
type freeDeck struct {
	mu    sync.Mutex
	busy  map[string]bool
	tapes map[string]*tape
}

func (d *freeDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[label] {
		return false
	}
	d.busy[label] = true
	return true
}

// Free takes back what another one has set.
func (d *freeDeck) Free(label string) {
	d.mu.Lock()
	d.busy[label] = false
	d.mu.Unlock()
}

// LoadBad comes with another.
func (d *freeDeck) LoadBad(label string) {
	if !d.try(label) {
		return
	}
	defer d.Free(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
}

// A reel is claimed by itself.
type reel struct {
	busy bool
	mu   sync.Mutex
}

func (r *reel) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy {
		return false
	}
	r.busy = true
	return true
}

func (r *reel) end() {
	r.mu.Lock()
	r.busy = false
	r.mu.Unlock()
}

// reelDeck claims a reel, of which there are many, for what all have in common.
type reelDeck struct {
	mu    sync.Mutex
	reels map[string]*reel
	tapes map[string]*tape
}

// LoadBad is alone with a reel only.
func (d *reelDeck) LoadBad(which, label string) {
	d.mu.Lock()
	r := d.reels[which]
	d.mu.Unlock()
	if !r.begin() {
		return
	}
	defer r.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
}

// spareDeck claims its reel, which another one replaces.
type spareDeck struct {
	mu    sync.Mutex
	reel  *reel
	tapes map[string]*tape
}

// LoadBad is alone with the reel that it has found.
func (d *spareDeck) LoadBad(label string) {
	if !d.reel.begin() {
		return
	}
	defer d.reel.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
}

// Replace brings another reel.
func (d *spareDeck) Replace(r *reel) { d.reel = r }

// partDeck has a reel as a part of it.
type partDeck struct {
	mu    sync.Mutex
	reel  reel
	tapes map[string]*tape
}

// LoadOk is alone with the deck.
func (d *partDeck) LoadOk(label string) {
	if !d.reel.begin() {
		return
	}
	defer d.reel.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made
	d.mu.Unlock()
}

// waitDeck lets those go on who find that it is closed: they are not alone.
type waitDeck struct {
	mu     sync.Mutex
	busy   bool
	closed bool
	tapes  map[string]*tape
}

func (d *waitDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *waitDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad may not be alone.
func (d *waitDeck) LoadBad(label string) error {
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
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Close lets all go on.
func (d *waitDeck) Close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
}
