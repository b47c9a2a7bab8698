// Package lib silences its own findings; what other packages must know of it
// travels all the same.
package lib

import "sync"

// A Table has a guard, and a method that forgets it.
type Table struct {
	Mu sync.Mutex
	M  map[string]*int // guarded by Mu
}

// Has looks without the lock, by itself.
func (t *Table) Has(k string) bool {
	return t.M[k] != nil //mapguard:ignore a hint, which may be out of date
}

// Set needs the lock, and takes it.
func (t *Table) Set(k string) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	t.M[k] = new(int)
}
