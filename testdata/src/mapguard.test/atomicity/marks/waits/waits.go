// Package waits has entries that are claimed under a key: others wait on a condition variable until the claim is dropped.
package waits

import "sync"

type box struct {
	name  string
	users int
	whole bool
}

type depot struct {
	mu    sync.Mutex
	free  sync.Cond
	busy  map[string]struct{}
	ready map[string]*box
	taken map[string]struct{}
	loose map[string]*box
}

// NewDepot makes a depot.
func NewDepot() *depot {
	d := &depot{busy: make(map[string]struct{}), ready: make(map[string]*box), taken: make(map[string]struct{}), loose: make(map[string]*box)}
	d.free.L = &d.mu
	return d
}

// claim returns the box that is ready, or claims its name.
func (d *depot) claim(name string) *box {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, ok := d.busy[name]; ok; _, ok = d.busy[name] {
		d.free.Wait()
	}
	if b := d.ready[name]; b != nil {
		b.users++
		return b
	}
	d.busy[name] = struct{}{}
	return nil
}

func (d *depot) drop(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := len(d.busy)
	delete(d.busy, name)
	if len(d.busy) != before-1 {
		panic("not claimed: " + name)
	}
	d.free.Broadcast()
}

func (d *depot) show(name string, b *box) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, name)
	d.ready[name] = b
	d.free.Broadcast()
}

// GetOk builds a box while others wait for it.
func (d *depot) GetOk(name string, build func(string) *box) *box {
	if b := d.claim(name); b != nil {
		return b
	}
	b := build(name)
	if b == nil {
		d.drop(name)
		return nil
	}
	if !b.whole {
		return b // it goes on to be filled
	}
	d.show(name, b)
	return b
}

// Fill ends what a box that is not whole still claims.
func (d *depot) Fill(b *box) {
	d.drop(b.name)
}

// Leave gives a box up.
func (d *depot) Leave(b *box) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b.users--; b.users == 0 {
		delete(d.ready, b.name)
	}
}

// hasty claims a name without waiting for who has it.
func (d *depot) hasty(name string) *box {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b := d.loose[name]; b != nil {
		return b
	}
	d.taken[name] = struct{}{}
	return nil
}

func (d *depot) showLoose(name string, b *box) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.taken, name)
	d.loose[name] = b
}

// HastyBad builds a box beside others.
func (d *depot) HastyBad(name string, build func(string) *box) *box {
	if b := d.hasty(name); b != nil {
		return b
	}
	b := build(name)
	d.showLoose(name, b) // want `split-lock: d.loose is read at line`
	return b
}

// A hall lets its claims go while it looks.
type hall struct {
	mu    sync.Mutex
	free  sync.Cond
	busy  map[string]struct{}
	ready map[string]*box
}

// NewHall makes a hall.
func NewHall() *hall {
	h := &hall{busy: make(map[string]struct{}), ready: make(map[string]*box)}
	h.free.L = &h.mu
	return h
}

func (h *hall) claim(name string) *box {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ok := h.busy[name]; ok; _, ok = h.busy[name] {
		h.free.Wait()
	}
	if b := h.ready[name]; b != nil {
		return b
	}
	h.mu.Unlock() // others come in between
	h.mu.Lock()
	h.busy[name] = struct{}{}
	return nil
}

func (h *hall) show(name string, b *box) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.busy, name)
	h.ready[name] = b
	h.free.Broadcast()
}

// GetBad builds a box that another one may build, too.
func (h *hall) GetBad(name string, build func(string) *box) *box {
	if b := h.claim(name); b != nil {
		return b
	}
	b := build(name)
	h.show(name, b) // want `split-lock: h.ready is read at line`
	return b
}

// A barn drops its claims before what they are for is there.
type barn struct {
	mu    sync.Mutex
	free  sync.Cond
	busy  map[string]struct{}
	ready map[string]*box
}

// NewBarn makes a barn.
func NewBarn() *barn {
	n := &barn{busy: make(map[string]struct{}), ready: make(map[string]*box)}
	n.free.L = &n.mu
	return n
}

func (n *barn) claim(name string) *box {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, ok := n.busy[name]; ok; _, ok = n.busy[name] {
		n.free.Wait()
	}
	if b := n.ready[name]; b != nil {
		return b
	}
	n.busy[name] = struct{}{}
	return nil
}

func (n *barn) drop(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.busy, name)
	n.free.Broadcast()
}

func (n *barn) put(name string, b *box) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ready[name] = b
}

// EarlyBad drops its claim too early.
func (n *barn) EarlyBad(name string, build func(string) *box) *box {
	if b := n.claim(name); b != nil {
		return b
	}
	b := build(name)
	n.drop(name)
	n.put(name, b) // want `split-lock: n.ready is read at line`
	return b
}
