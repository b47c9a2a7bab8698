// Package lib locks in its methods, and leaves the order of calls to others.
package lib

import (
	"errors"
	"sync"
)

// ErrNone says that there is no such session.
var ErrNone = errors.New("no session")

// A Session has identity.
type Session struct {
	User string
	Live bool
}

// Sessions are the live ones.
type Sessions struct {
	mu sync.RWMutex
	m  map[string]*Session
}

// New makes an empty one.
func New() *Sessions { return &Sessions{m: make(map[string]*Session)} }

// Has looks.
func (s *Sessions) Has(id string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.m[id]
	return ok
}

// Get returns nil when there is none.
func (s *Sessions) Get(id string) *Session {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[id]
}

// Find fails when there is none.
func (s *Sessions) Find(id string) (*Session, error) {
	if v := s.Get(id); v != nil {
		return v, nil
	}
	return nil, ErrNone
}

// Len counts.
func (s *Sessions) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.m)
}

// Set inserts.
func (s *Sessions) Set(id string, v *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[id] = v
}

// Remove deletes.
func (s *Sessions) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, id)
}

// SetNX inserts unless there is one, and says whether it did.
func (s *Sessions) SetNX(id string, v *Session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[id]; ok {
		return false
	}
	s.m[id] = v
	return true
}

var (
	flagsMu sync.Mutex
	flags   = map[string]*Session{}
)

// Flag looks into the package's own map.
func Flag(k string) *Session {
	flagsMu.Lock()
	defer flagsMu.Unlock()
	return flags[k]
}

// SetFlag changes it.
func SetFlag(k string, v *Session) {
	flagsMu.Lock()
	defer flagsMu.Unlock()
	flags[k] = v
}
