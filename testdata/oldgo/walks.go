// Package oldgo is built with a version of the language that has no package maps: copies are made entry by entry.
package oldgo

import (
	"sync"
	tm "time"
)

type note struct{ at tm.Time }

// A hub has listeners that may wait, or come back to it.
type hub struct {
	mu        sync.RWMutex
	listeners map[string]func(string)     // guarded by mu
	notes     map[string]*note            // guarded by mu
	times     map[tm.Duration][]tm.Time   // guarded by mu
	parts     map[string]map[string]*note // guarded by mu
	inner     map[string]struct{ n int }  // guarded by mu
}

func (h *hub) put(k string, f func(string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners[k] = f
	h.notes[k] = &note{}
	h.times[tm.Second] = nil
	h.parts[k] = nil
	h.inner[k] = struct{ n int }{1}
}

func (h *hub) drop(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, k)
	delete(h.notes, k)
	delete(h.times, tm.Second)
	delete(h.parts, k)
	delete(h.inner, k)
}

func (h *hub) tellBad(what string) {
	for _, f := range h.listeners { // want `unguarded-access: .*`
		f(what)
	}
}

// A name of the copy's loop is taken.
func (h *hub) sendBad(ch chan *note) {
	key := 0
	for range h.notes { // want `unguarded-access: .*`
		ch <- nil
		key++
	}
	println(key)
}

func (h *hub) timesBad(ch chan tm.Time) {
	for d, ts := range h.times { // want `unguarded-access: .*`
		for _, t := range ts {
			ch <- t.Add(d)
		}
	}
}
