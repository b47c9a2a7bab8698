// Package unguarded pins the rule unguarded-access: a location without its
// guard, and a shared location without any guard.
package unguarded

import "sync"

type stats struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (s *stats) incOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k]++
}

func (s *stats) setOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = 1
}

func (s *stats) readOk(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[k]
}

func (s *stats) readBad(k string) int {
	return s.m[k] // want `unguarded-access: s\.m is read without mu .*declared guarded by mu \(held at 4 of \d+ accesses\)`
}

// A length is one word, that of before a change or of after it, as under the lock.
func (s *stats) lenBad() int {
	return len(s.m) // want `unguarded-access: s\.m is measured with len without mu.*, low`
}

func (s *stats) rangeBad() (n int) {
	for _, v := range s.m { // want `unguarded-access: s\.m is ranged over without mu`
		n += v
	}
	return n
}

func (s *stats) writeBad(k string) {
	s.m[k] = 7 // want `unguarded-access: s\.m is written without mu`
}

func (s *stats) deleteBad(k string) {
	delete(s.m, k) // want `unguarded-access: s\.m is deleted without mu`
}

func (s *stats) ResetBad() {
	s.m = make(map[string]int) // want `unguarded-access: s\.m is assigned without mu`
}

// A helper that gives the object an empty map most likely prepares it.
func (s *stats) resetOk() {
	s.m = make(map[string]int)
}

// The lock is released too early.
func (s *stats) afterUnlockBad(k string) int {
	s.mu.RLock()
	s.mu.RUnlock()
	return s.m[k] // want `unguarded-access: s\.m is read without mu`
}

// A goroutine is on its own.
func (s *stats) goroutineBad(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	go func() {
		s.m[k] = 1 // want `(unguarded-access|goroutine-race): s\.m`
	}()
}

// Kept for later, it runs without the lock.
func (s *stats) laterBad(k string) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	return func() {
		s.m[k] = 1 // want `unguarded-access: s\.m`
	}
}

type hidden struct {
	mu sync.Mutex
	m  map[string]int
}

// String formats; two findings in one function and category are one.
func (h *hidden) twiceBad(k string) int {
	n := h.m[k]         // want `unguarded-access: h\.m`
	return n + h.m["x"] // related
}

func (h *hidden) lockedOk(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.m[k] = 1
}

func (h *hidden) lockedTooOk(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.m, k)
}

var hits = map[string]int{}

// HitBad changes a package-level map that other packages can reach.
func HitBad(k string) {
	hits[k] = 1 // want `unguarded-access: hits .*medium`
}

// Hits reads it, which is part of HitBad's finding: the map has no lock at all.
func Hits(k string) int {
	return hits[k]
}

// writeOnly is never read: nothing depends on it.
var writeOnly = map[string]int{}

// NoteOk only writes.
func NoteOk(k string) { writeOnly[k] = 1 }
