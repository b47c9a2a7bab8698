package threads

import (
	"sync"
	"time"
)

// A goroutine that ends by starting its successor is one that goes on.
type lineOk struct{ seen sync.Map }

func (l *lineOk) Start(in func() string) { go l.next(in) }

func (l *lineOk) next(in func() string) {
	l.count(in())
	time.Sleep(time.Second)
	go l.next(in)
}

func (l *lineOk) count(k string) {
	if _, ok := l.seen.Load(k); !ok {
		l.seen.Store(k, new(time.Timer))
	}
}

// Only one case goes on.
type chosenOk struct {
	seen sync.Map
	stop chan struct{}
}

func (c *chosenOk) Start(in func() string) { go c.next(in) }

func (c *chosenOk) next(in func() string) {
	k := in()
	if _, ok := c.seen.Load(k); !ok {
		c.seen.Store(k, new(time.Timer))
	}
	select {
	case <-c.stop:
	case <-time.After(time.Second):
		go c.next(in)
	}
}

// The successor has begun when this one comes to the map.
type earlyBad struct{ seen sync.Map }

func (e *earlyBad) Start(in func() string) { go e.next(in) }

func (e *earlyBad) next(in func() string) {
	go e.next(in)
	k := in()
	if _, ok := e.seen.Load(k); !ok {
		e.seen.Store(k, new(time.Timer)) // want `sync-map: `
	}
}

// What is deferred comes when the successor has begun.
type deferredBad struct{ seen sync.Map }

func (d *deferredBad) Start(in func() string) { go d.next(in) }

func (d *deferredBad) next(in func() string) {
	defer d.count(in())
	time.Sleep(time.Second)
	go d.next(in)
}

func (d *deferredBad) count(k string) {
	if _, ok := d.seen.Load(k); !ok {
		d.seen.Store(k, new(time.Timer)) // want `sync-map: `
	}
}

// There are two successors.
type forkedBad struct{ seen sync.Map }

func (f *forkedBad) Start(in func() string) { go f.next(in) }

func (f *forkedBad) next(in func() string) {
	k := in()
	if _, ok := f.seen.Load(k); !ok {
		f.seen.Store(k, new(time.Timer)) // want `sync-map: `
	}
	go f.next(in)
	go f.next(in)
}

// Each call leaves a line of goroutines behind.
type calledBad struct{ seen sync.Map }

func (c *calledBad) Start(in func() string) {
	c.next(in)
	c.next(in)
}

func (c *calledBad) next(in func() string) {
	k := in()
	if _, ok := c.seen.Load(k); !ok {
		c.seen.Store(k, new(time.Timer)) // want `sync-map: `
	}
	go c.next(in)
}
