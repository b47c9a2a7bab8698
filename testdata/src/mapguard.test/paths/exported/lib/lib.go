// Package lib exports maps and their locks.
package lib

import "sync"

// Mu guards Names.
var Mu sync.Mutex

// Names is guarded by Mu.
var Names = map[string]int{}

// An Item has identity.
type Item struct{ ID int }

// A Store has exported fields.
type Store struct {
	Mu sync.RWMutex
	// Items is guarded by Mu.
	Items map[string]*Item
}

// Put shows how it is done.
func (s *Store) Put(k string, v *Item) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Items[k] = v
}

// Default is a store for everybody.
var Default = &Store{Items: map[string]*Item{}}
