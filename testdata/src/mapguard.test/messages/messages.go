// Package messages has one finding of each shape; its diagnostics are compared
// word by word, related positions included, with messages.golden.
package messages

import (
	"fmt"
	"net/http"
	"sync"
)

type conn struct{ id int }

// A Pool has a guard that is declared.
type Pool struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
	c  sync.Map
}

func (p *Pool) unlockedBad(k string) {
	if p.m[k] == nil { // reported
		p.m[k] = &conn{}
	}
}

func (p *Pool) upgradedBad(k string) {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c == nil {
		p.mu.Lock()
		p.m[k] = &conn{} // reported
		p.mu.Unlock()
	}
}

func (p *Pool) has(k string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m[k] != nil
}

func (p *Pool) put(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = &conn{}
}

func (p *Pool) helpersBad(k string) {
	if !p.has(k) {
		p.put(k) // reported
	}
}

func (p *Pool) readLockedBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	delete(p.m, k) // reported
}

func (p *Pool) forgottenBad() *conn {
	return p.m["a"] // reported
}

// AllBad gives the map away.
func (p *Pool) AllBad() map[string]*conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.m // reported
}

func (p *Pool) loadStoreBad(k string) {
	if _, ok := p.c.Load(k); !ok {
		p.c.Store(k, &conn{}) // reported
	}
}

type looped struct{ m map[string]*conn }

func (l *looped) startBad(keys []string) {
	for _, k := range keys {
		go func() {
			if l.m[k] == nil { // reported
				l.m[k] = &conn{}
			}
		}()
	}
}

var table = map[string]*conn{}

// EngineBad is reachable from other packages.
func EngineBad(k string) *conn {
	c := table[k] // reported
	if c == nil {
		c = &conn{}
		table[k] = c
	}
	return c
}

func (c *conn) stop() { c.id = -1 }

// A turnstile lets one sweep at a time through; what comes in does not ask.
type turnstile struct {
	mu   sync.Mutex
	open sync.Map
}

func (t *turnstile) sweepBad(old func(any) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open.Range(func(k, c any) bool {
		if old(k) {
			c.(*conn).stop()
			t.open.Delete(k) // reported
		}
		return true
	})
}

func (t *turnstile) enter(k string) any {
	c, _ := t.open.LoadOrStore(k, &conn{})
	return c
}

// A Region's lock is held where its state is read by others, and never where it
// changes.
type Region struct {
	mu    sync.RWMutex
	state struct{ peers map[string]int }
}

func (r *Region) sum() (n int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, p := range r.state.peers {
		n += p
	}
	return n
}

func (r *Region) has(k string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.state.peers[k]
	return ok
}

// ServeHTTP looks at what it writes: neither holds the lock.
func (r *Region) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.Method == http.MethodPut {
		r.state.peers[q.URL.Path] = 1
		return
	}
	fmt.Fprintln(w, r.has(q.URL.Path), r.sum(), r.state.peers["self"]) // reported
}
