// Package confinement pins that a map which one goroutine owns needs no lock.
package confinement

import (
	"sync"
	"time"
)

type conn struct{ id int }

type request struct {
	k     string
	reply chan *conn
}

// An actor owns its map in one loop.
type actor struct {
	in   chan request
	quit chan struct{}
	m    map[string]*conn
}

func newActor() *actor {
	a := &actor{in: make(chan request), quit: make(chan struct{}), m: make(map[string]*conn)}
	go a.loopOk()
	return a
}

func (a *actor) loopOk() {
	for {
		select {
		case r := <-a.in:
			if a.m[r.k] == nil {
				a.m[r.k] = &conn{}
			}
			r.reply <- a.m[r.k]
		case <-time.After(time.Second):
			a.expireOk()
		case <-a.quit:
			return
		}
	}
}

func (a *actor) expireOk() {
	for k, c := range a.m {
		if c.id > 10 {
			delete(a.m, k)
		}
	}
}

// GetOk asks the loop.
func (a *actor) GetOk(k string) *conn {
	r := request{k, make(chan *conn)}
	a.in <- r
	return <-r.reply
}

// A local map belongs to the goroutine that captured it.
func localOk(in <-chan string) {
	seen := make(map[string]bool)
	go func() {
		for k := range in {
			if !seen[k] {
				seen[k] = true
			}
		}
	}()
}

// The map lives in the goroutine's function.
func insideOk(in <-chan string) {
	go func() {
		seen := make(map[string]bool)
		for k := range in {
			if !seen[k] {
				seen[k] = true
			}
		}
	}()
}

// One worker for each shard, each with a map of its own.
func shardsOk(in []chan string) {
	for i := range in {
		seen := make(map[string]bool)
		go func() {
			for k := range in[i] {
				if !seen[k] {
					seen[k] = true
				}
			}
		}()
	}
}

// A leaky actor also lets others in.
type leaky struct {
	in chan string
	m  map[string]*conn
}

func startLeaky() *leaky {
	l := &leaky{in: make(chan string), m: make(map[string]*conn)}
	go l.loopBad()
	return l
}

func (l *leaky) loopBad() {
	for k := range l.in {
		if l.m[k] == nil { // want `check-then-act: .*l\.m`
			l.m[k] = &conn{}
		}
	}
}

// Drop deletes beside the loop.
func (l *leaky) DropBad(k string) {
	delete(l.m, k) // want `(unguarded-access|goroutine-race): .*l\.m`
}

// Handed over: the sender keeps nothing.
func handOverOk(out chan<- map[string]int) {
	m := make(map[string]int)
	m["a"]++
	out <- m
}

type workers struct {
	mu sync.Mutex
	m  map[string]*conn
}

// Several workers share one map.
func (w *workers) severalBad(n int, in <-chan string) {
	for range n {
		go func() {
			for k := range in {
				if w.m[k] == nil { // want `check-then-act: .*w\.m`
					w.m[k] = &conn{}
				}
			}
		}()
	}
}
