// Package sharing pins the evidence that two goroutines can meet at a map,
// and that nothing is reported without evidence.
package sharing

import (
	"sync"
	"time"
)

type conn struct{ id int }

// A free has no lock anywhere.
type free struct{ m map[string]*conn }

// Nothing shows a second goroutine: low.
func (f *free) noEvidenceOk(k string) {
	if f.m[k] == nil {
		f.m[k] = &conn{}
	}
}

type looped struct{ m map[string]*conn }

func (l *looped) ensure(k string) {
	if l.m[k] == nil { // want `check-then-act: .*l\.m.*concurrent map writes`
		l.m[k] = &conn{}
	}
}

func (l *looped) startLoop(keys []string) {
	for _, k := range keys {
		go l.ensure(k)
	}
}

type single struct{ m map[string]*conn }

// One goroutine owns the map.
func (s *single) confinedOk(k string) {
	if s.m[k] == nil {
		s.m[k] = &conn{}
	}
}

func (s *single) startOnce(k string) {
	go s.confinedOk(k)
}

type beside struct{ m map[string]*conn }

func (b *beside) ownBodyBad(k string) {
	go func() {
		delete(b.m, k) // want `(unguarded-access|goroutine-race): .*b\.m`
	}()
	if b.m[k] == nil { // want `check-then-act: .*b\.m`
		b.m[k] = &conn{}
	}
}

type two struct{ m map[string]*conn }

func (t *two) twoGoroutinesBad(k string) {
	go func() {
		if t.m[k] == nil { // want `check-then-act: .*t\.m`
			t.m[k] = &conn{}
		}
	}()
	go func() {
		delete(t.m, k) // want `(unguarded-access|goroutine-race): .*t\.m`
	}()
}

type waited struct{ m map[string]*conn }

func (w *waited) waitGroupGoBad(keys []string) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			if w.m[k] == nil { // want `check-then-act: .*w\.m.*concurrent map writes`
				w.m[k] = &conn{}
			}
		})
	}
	wg.Wait()
}

type timed struct{ m map[string]*conn }

// Expire deletes later, while others look up.
func (t *timed) afterFuncBad(k string) {
	time.AfterFunc(time.Second, func() {
		delete(t.m, k) // want `(unguarded-access|goroutine-race): .*t\.m`
	})
	if t.m[k] == nil { // want `check-then-act: .*t\.m`
		t.m[k] = &conn{}
	}
}

type lockedGoroutines struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (l *lockedGoroutines) lockedOk(keys []string) {
	for _, k := range keys {
		go func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.m[k] == nil {
				l.m[k] = &conn{}
			}
		}()
	}
}

// Each goroutine has a map of its own.
func ownMapsOk(keys []string) {
	for _, k := range keys {
		f := &free{m: make(map[string]*conn)}
		go func() {
			if f.m[k] == nil {
				f.m[k] = &conn{}
			}
		}()
	}
}

// The argument, not a captured variable, tells whose map it is.
type passed struct{ m map[string]*conn }

func fill(p *passed, k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func passedInLoop(p *passed, keys []string) {
	for _, k := range keys {
		go fill(p, k)
	}
}
