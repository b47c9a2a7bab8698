package threads

import (
	"context"
	"sync"
	"time"
)

// A method that other packages run in a goroutine of the object's own, until it is told to
// stop, is there once for an object.

type watch struct {
	since time.Time
	seen  int
}

type watchman struct {
	mu      sync.RWMutex
	watches map[string]*watch
	round   func() []string
	ring    chan struct{}
}

func (w *watchman) Run(ctx context.Context) error {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		case <-w.ring:
		}
		w.walkOk()
	}
}

func (w *watchman) walkOk() {
	for _, name := range w.round() {
		w.mu.RLock()
		_, ok := w.watches[name]
		w.mu.RUnlock()
		if ok {
			continue
		}
		v := &watch{since: time.Now()}
		w.mu.Lock()
		w.watches[name] = v
		w.mu.Unlock()
	}
}

func (w *watchman) Since(name string) time.Time {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.watches[name].since
}

func (w *watchman) Ring() { w.ring <- struct{}{} }

// Here others do the same.

type watchmen struct {
	mu      sync.RWMutex
	watches map[string]*watch
	round   func() []string
}

func (w *watchmen) Run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
			w.walkBad()
		}
	}
}

func (w *watchmen) walkBad() {
	for _, name := range w.round() {
		w.mu.RLock()
		_, ok := w.watches[name]
		w.mu.RUnlock()
		if ok {
			continue
		}
		v := &watch{since: time.Now()}
		w.mu.Lock()
		w.watches[name] = v // want `split-lock: `
		w.mu.Unlock()
	}
}

func (w *watchmen) Ring() { w.walkBad() }

// One that gets what it serves is there once for each of those.

type gate struct {
	mu     sync.RWMutex
	passed map[string]*watch
}

type visitors interface{ Next() (string, bool) }

func (g *gate) Serve(from visitors) {
	for {
		name, ok := g.next(from)
		if !ok {
			return
		}
		g.passBad(name)
		<-time.After(time.Second)
	}
}

func (g *gate) next(from visitors) (string, bool) { return from.Next() }

func (g *gate) passBad(name string) {
	g.mu.RLock()
	_, ok := g.passed[name]
	g.mu.RUnlock()
	if ok {
		return
	}
	v := &watch{since: time.Now()}
	g.mu.Lock()
	g.passed[name] = v // want `split-lock: `
	g.mu.Unlock()
}

func (g *gate) Passed(name string) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.passed[name].seen++
	return g.passed[name].since
}
