// Package gate has what runs a function the first time alone.
package gate

import (
	"sync"
	"sync/atomic"
)

// A Gate lets the first one through, and the others when that is done. Fact: it is a once that can be rewound.
type Gate struct {
	mu     sync.Mutex
	passed uint32
}

// First runs f if no one has run any.
func (g *Gate) First(f func()) {
	if atomic.LoadUint32(&g.passed) == 1 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.passed == 0 {
		defer atomic.StoreUint32(&g.passed, 1)
		f()
	}
}

// Rewind lets one through again.
func (g *Gate) Rewind() {
	g.mu.Lock()
	defer g.mu.Unlock()
	atomic.StoreUint32(&g.passed, 0)
}

// An Opened is a gate that asks under its lock alone.
type Opened struct {
	mu   sync.Mutex
	done bool
}

// First runs f if no one has run any.
func (o *Opened) First(f func()) {
	o.mu.Lock()
	if !o.done {
		f()
		o.done = true
	}
	o.mu.Unlock()
}

// A Hasty is a gate that others pass while the first one is still at it.
type Hasty struct {
	mu   sync.Mutex
	done bool
}

// First runs f if it sees no one who has run any.
func (h *Hasty) First(f func()) {
	if h.done {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done {
		f()
		h.done = true
	}
}

// A Torn is a gate that runs what it gets without its lock.
type Torn struct {
	mu   sync.Mutex
	done bool
}

// First runs f if no one has said that he has.
func (t *Torn) First(f func()) {
	t.mu.Lock()
	done := t.done
	t.mu.Unlock()
	if done {
		return
	}
	f()
	t.mu.Lock()
	t.done = true
	t.mu.Unlock()
}

// An Early is a gate that says that it is done before it is.
type Early struct {
	mu   sync.Mutex
	done atomic.Bool
}

// First runs f if no one has begun to.
func (e *Early) First(f func()) {
	if e.done.Load() {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.done.Load() {
		e.done.Store(true)
		f()
	}
}

// A Fickle is a gate that may have its function run again.
type Fickle struct {
	mu   sync.Mutex
	done bool
}

// First runs f until it has succeeded.
func (k *Fickle) First(f func() error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.done {
		return
	}
	if f() == nil {
		k.done = true
	}
}
