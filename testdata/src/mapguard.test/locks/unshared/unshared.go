// Package unshared has objects with a flag that says that nothing else knows them.
package unshared

import "sync"

type layer struct {
	private bool
	mu      sync.RWMutex
	items   map[string]int
}

func newLayer() *layer { return &layer{items: make(map[string]int)} }

// NewPrivate returns a layer for one goroutine.
func newPrivate() *layer { return &layer{items: make(map[string]int), private: true} }

func (l *layer) lock() {
	if !l.private {
		l.mu.Lock()
	}
}

func (l *layer) unlock() {
	if !l.private {
		l.mu.Unlock()
	}
}

func (l *layer) put(k string, v int) {
	l.lock()
	defer l.unlock()
	l.items[k] = v
}

func (l *layer) persistOk(to *layer) int {
	if l.private {
		n := len(l.items)
		if n == 0 {
			return 0
		}
		for k, v := range l.items {
			to.put(k, v)
		}
		l.items = nil
		return n
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.items)
	l.items = make(map[string]int)
	return n
}

// Where the flag says that the layer is shared, the lock is missing.
func (l *layer) forgetBad(k string) {
	if l.private {
		delete(l.items, k)
		return
	}
	if _, ok := l.items[k]; ok { // want `check-then-act: l\.items`
		delete(l.items, k)
	}
}

type opened struct {
	serial bool
	mu     sync.Mutex
	items  map[string]int
}

func (o *opened) put(k string) {
	if !o.serial {
		o.mu.Lock()
		defer o.mu.Unlock()
	}
	o.items[k]++
}

func (o *opened) add(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.items[k]++
}

// The flag changes while others have the object.
func (o *opened) close() { o.serial = true }

func (o *opened) dropBad(k string) {
	if o.serial {
		if _, ok := o.items[k]; ok { // want `check-then-act: o\.items`
			delete(o.items, k)
		}
	}
}

type logged struct {
	quiet bool
	logMu sync.Mutex
	log   map[string]int
	mu    sync.Mutex
	// guarded by mu
	items map[string]int
}

func (l *logged) note(k string) {
	if !l.quiet {
		l.logMu.Lock()
		l.log[k]++
		l.logMu.Unlock()
	}
	l.mu.Lock()
	l.items[k]++
	l.mu.Unlock()
}

// The flag is about another lock.
func (l *logged) tellBad(k string) int {
	if l.quiet {
		return l.items[k] // want `unguarded-access: l\.items is read without mu`
	}
	return 0
}

// Run runs all of them beside each other.
func Run() {
	base, top := newLayer(), newLayer()
	o := &opened{items: make(map[string]int)}
	l := &logged{log: make(map[string]int), items: make(map[string]int)}
	for range 2 {
		go top.persistOk(base)
		go base.forgetBad("a")
		go o.put("a")
		go o.add("a")
		go o.dropBad("a")
		go o.close()
		go l.note("a")
		go l.tellBad("a")
		go func() {
			p := newPrivate()
			p.put("a", 1)
			p.persistOk(top)
		}()
	}
}
