// Package store is the bottom of three. // want package:`Cache\.m by Cache\.mu 2/2; Open\.items by Open\.Mu 0/0; Table\.items by Table\.mu 5/5`
package store

import "sync"

// An Item has identity.
type Item struct{ ID int }

// A Table locks in its methods.
type Table struct {
	mu    sync.RWMutex
	items map[string]*Item
}

// Get checks under the read lock.
func (t *Table) Get(k string) *Item { // want Get:`reads arg0\.items under arg0\.mu`
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.items[k]
}

// Put acts under the lock.
func (t *Table) Put(k string, v *Item) { // want Put:`writes arg0\.items under arg0\.mu`
	t.mu.Lock()
	defer t.mu.Unlock()
	t.items[k] = v
}

// GetOrPut looks again before it acts.
func (t *Table) GetOrPut(k string) *Item { // want GetOrPut:`reads arg0\.items under arg0\.mu; writes arg0\.items under arg0\.mu`
	t.mu.Lock()
	defer t.mu.Unlock()
	if v := t.items[k]; v != nil {
		return v
	}
	v := &Item{}
	t.items[k] = v
	return v
}

// Lock takes the table's lock.
func (t *Table) Lock() { t.mu.Lock() } // want Lock:`acquires arg0\.mu`

// Unlock releases it.
func (t *Table) Unlock() { t.mu.Unlock() } // want Unlock:`releases arg0\.mu`

// FindLocked needs t's lock to be held.
func (t *Table) FindLocked(k string) *Item { // want FindLocked:`reads arg0\.items`
	return t.items[k]
}

// InsertLocked needs t's lock to be held.
func (t *Table) InsertLocked(k string, v *Item) { // want InsertLocked:`writes arg0\.items`
	t.items[k] = v
}

// With runs f under the lock.
func (t *Table) With(f func()) { // want With:`runs arg 1`
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// Len counts.
func (t *Table) Len() int { // want Len:`reads arg0\.items under arg0\.mu`
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.items)
}

// An Open leaves the locking to its users.
type Open struct {
	Mu    sync.Mutex
	items map[string]*Item // guarded by Mu
}

// Has reads; the caller locks Mu.
func (o *Open) Has(k string) bool { // want Has:`reads arg0\.items`
	_, ok := o.items[k]
	return ok
}

// Add writes; the caller locks Mu.
func (o *Open) Add(k string, v *Item) { // want Add:`writes arg0\.items`
	o.items[k] = v
}

// Exists checks any map.
func Exists(m map[string]*Item, k string) bool { // want Exists:`reads arg0`
	_, ok := m[k]
	return ok
}

// Ensure checks and acts on any map.
func Ensure(m map[string]*Item, k string) { // want Ensure:`reads arg0; writes arg0`
	if m[k] == nil {
		m[k] = &Item{}
	}
}

// A Cache is generic; its facts belong to the origin.
type Cache[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

// Load checks.
func (c *Cache[K, V]) Load(k K) (V, bool) { // want Load:`reads arg0\.m under arg0\.mu`
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	return v, ok
}

// Save acts.
func (c *Cache[K, V]) Save(k K, v V) { // want Save:`writes arg0\.m under arg0\.mu`
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = v
}

// Die never returns.
func Die(msg string) { // want Die:`never returns`
	panic(msg)
}

// Pure touches no map and no lock: it may run while any lock is held.
func Pure(a, b int) int { return a + b } // want Pure:`calm`
