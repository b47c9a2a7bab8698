// Package mapescape pins the rule map-escape: the guarded map is passed on itself
// its critical section.
package mapescape

import (
	"maps"
	"sync"
)

// A Pool has a guarded map.
type Pool struct {
	mu sync.Mutex
	m  map[string]int            // guarded by mu
	in map[string]map[string]int // guarded by mu
}

// AllBad returns the map itself.
func (p *Pool) AllBad() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m // want `map-escape: p\.m .*returned`
}

// AllOk returns a copy.
func (p *Pool) AllOk() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.m)
}

// CopyOk copies by hand.
func (p *Pool) CopyOk() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make(map[string]int, len(p.m))
	for k, v := range p.m {
		out[k] = v
	}
	return out
}

// InnerBad returns a map of the map.
func (p *Pool) InnerBad(k string) map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.in[k] // want `map-escape: p\.in`
}

// TakeOk gives the map away: the field gets another one before the lock is
// released.
func (p *Pool) TakeOk() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.m
	p.m = make(map[string]int)
	return m
}

// SendBad sends the map itself.
func (p *Pool) SendBad(ch chan<- map[string]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ch <- p.m // want `map-escape: p\.m is passed on itself`
}

var last map[string]int

// StoreBad stores it where any code finds it.
func (p *Pool) StoreBad() {
	p.mu.Lock()
	defer p.mu.Unlock()
	last = p.m // want `map-escape: p\.m is passed on itself`
}

// Last reads what was stored.
func Last(k string) int { return last[k] }

// CaptureBad lets a goroutine use it without the lock.
func (p *Pool) CaptureBad() {
	p.mu.Lock()
	m := p.m
	p.mu.Unlock()
	go func() {
		m["a"] = 1 // want `(map-escape|unguarded-access|goroutine-race): .*p\.m`
	}()
}

// AliasBad keeps the map beyond the section.
func (p *Pool) AliasBad(k string) int {
	p.mu.Lock()
	m := p.m
	p.mu.Unlock()
	return m[k] // want `unguarded-access: p\.m`
}

// Put changes the map.
func (p *Pool) Put(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = 1
	p.in[k]["a"] = 1
}

// A Snapshot's map is only ever replaced: returning it is harmless.
type Snapshot struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

// AllOk returns the current map.
func (s *Snapshot) AllOk() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m
}

// Replace sets another one.
func (s *Snapshot) Replace(m map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m = maps.Clone(m)
}

// viewLocked is for callers that hold the lock.
func (p *Pool) viewLockedOk() map[string]int { return p.m }

// CountOk uses it under the lock.
func (p *Pool) CountOk() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.viewLockedOk())
}
