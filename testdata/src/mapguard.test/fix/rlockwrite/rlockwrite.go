// Package rlockwrite pins the fix of a write under a read lock: the write lock
// instead. Beside each file stands what the fixes make of it.
package rlockwrite

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"sync"
)

type conn struct{ id int }

type pool struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
	n  map[string]int   // guarded by mu
}

func (p *pool) deferredBad(k string) {
	p.mu.RLock() // held to the end
	defer p.mu.RUnlock()
	p.m[k] = &conn{} // want `rlock-write: p\.m`
}

func (p *pool) plainBad(k string) {
	p.mu.RLock()
	delete(p.m, k) // want `rlock-write: p\.m`
	p.mu.RUnlock()
}

func (p *pool) checkThenActBad(k string) *conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	c, ok := p.m[k]
	if !ok {
		c = &conn{id: len(p.m)}
		p.m[k] = c // want `rlock-write: p\.m`
	}
	return c
}

func (p *pool) manyReleasesBad(k string) bool {
	p.mu.RLock()
	if p.m[k] == nil {
		p.mu.RUnlock()
		return false
	}
	for i := range 3 {
		if i == p.n[k] {
			p.mu.RUnlock()
			return true
		}
	}
	p.n[k]++ // want `rlock-write: p\.n`
	p.mu.RUnlock()
	return true
}

func (p *pool) drawnBad(n int) string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	name := drawn()
	p.n[name] = n // want `rlock-write: p\.n`
	return name
}

func drawn() string {
	b := make([]byte, 8)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Two maps under one lock, one finding, one change.
func (p *pool) bothBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.n[k] = 1 // want `rlock-write: p\.n`
	p.m[k] = &conn{}
	p.n[k+k] = 2
}

// Only the second section writes, the first one stays as it is.
func (p *pool) secondSectionBad(k string) int {
	p.mu.RLock()
	n := p.n[k]
	p.mu.RUnlock()
	fmt.Println(n)
	p.mu.RLock()
	p.n[k] = 7 // want `rlock-write: p\.n`
	p.mu.RUnlock()
	return n
}

// Both acquisitions meet the deferred release.
func (p *pool) droppedInBetweenBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.n[k] > 0 {
		p.mu.RUnlock()
		fmt.Println(k)
		p.mu.RLock()
	}
	p.m[k] = nil // want `rlock-write: p\.m`
}

// What the section calls is known to be brief.
func (p *pool) callsBad(k string, more map[string]int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	key := strings.ToLower(normal(k))
	maps.Copy(p.n, more) // want `rlock-write: p\.n`
	p.n[key] = len(fmt.Sprint(p.n[k])) + num()
	maps.DeleteFunc(p.n, func(k string, n int) bool { return n == num() })
}

func normal(k string) string { return strings.TrimSpace(k) }

func num() int { return 3 }

// Embedded, and reached through another struct.
type embedded struct {
	sync.RWMutex
	m map[string]int // guarded by RWMutex
}

type outer struct{ in *embedded }

func (o *outer) promotedBad(k string) {
	o.in.RLock()
	defer o.in.RUnlock()
	o.in.m[k] = 1 // want `rlock-write: o\.in\.m`
}

func (o *outer) promotedOk(k string) {
	o.in.Lock()
	defer o.in.Unlock()
	o.in.m[k] = 1
}

var (
	tableMu sync.RWMutex
	table   = map[string]int{} // guarded by tableMu
)

func globalBad(k string) {
	tableMu.RLock()
	defer tableMu.RUnlock()
	table[k] = 1 // want `rlock-write: table`
}

// In a literal that is called in place.
func (p *pool) literalBad(k string) {
	func() {
		p.mu.RLock()
		defer p.mu.RUnlock()
		p.n[k] = 1 // want `rlock-write: p\.n`
	}()
}

func (p *pool) rightOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n[k], p.m[k] = 1, nil
}

// What is saved is saved under the write lock elsewhere, so it may be here.
type saved struct {
	mu   sync.RWMutex
	m    map[string]int // guarded by mu
	save func() error
}

func newSaved(save func() error) *saved {
	return &saved{m: make(map[string]int), save: save}
}

func (s *saved) setOk(k string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k]++
	return s.save()
}

func (s *saved) addBad(k string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.m[k] > 0 {
		return nil
	}
	s.m[k] = 1 // want `rlock-write: s\.m`
	return s.save()
}

func (s *saved) dropBad(k string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.m, k) // want `rlock-write: s\.m`
	return s.save()
}
