// Package lockstates: what is held case by case. Locks that are taken under a
// condition, that a callee keeps if it succeeds, that it gives up and takes
// again, and calls that are deferred on some paths only.
package lockstates

import (
	"errors"
	"sync"
)

type item struct{ n int }

// A store has a mutex that plainly is the map's.
type store struct {
	mu   sync.RWMutex
	m    map[string]*item
	busy bool
	hook func()
}

var errBusy = errors.New("busy")

// Put is a writer that makes the map a shared one.
func (s *store) Put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = &item{}
}

// Del is another one.
func (s *store) Del(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, k)
}
