// Package user counts in a goroutine by what another package does.
package user

import (
	"errors"
	"sync"

	"mapguard.test/crosspkg/feed/set"
)

// A Feed runs once at a time.
type Feed struct {
	mu      sync.Mutex
	running bool
	lines   chan string
	seen    set.Set
}

func (f *Feed) Start() error { // want Start:`spawns`
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running {
		return errors.New("runs")
	}
	f.start()
	return nil
}

func (f *Feed) start() {
	f.running = true
	go f.runOk()
}

func (f *Feed) runOk() {
	for l := range f.lines {
		f.seen.Add(l, "line")
	}
}

// A Both runs as many as it is told.
type Both struct {
	lines chan string
	seen  set.Set
}

// Start starts them.
func (b *Both) Start(n int) { // want Start:`spawns`
	for range n {
		go b.runBad()
	}
}

func (b *Both) runBad() {
	for l := range b.lines {
		b.seen.Add(l, "line") // want `goroutine-race: b\.seen is written`
	}
}

// A Few starts two, one after the other: that one function starts a goroutine for one object
// more than once, outside of a loop, does not count.
type Few struct {
	lines chan string
	seen  set.Set
}

// Start starts them.
func (f *Few) Start() { // want Start:`spawns`
	f.begin()
	f.begin()
}

func (f *Few) begin() { go f.FN_runBad() }

// FN_runBad is run by two: how often a function is called for one object counts in loops alone.
func (f *Few) FN_runBad() { // want FN_runBad:`.*`
	for l := range f.lines {
		f.seen.Add(l, "line")
	}
}
