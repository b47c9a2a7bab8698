package store

import "sync"

// A Zone locks in its methods, and forgets.
type Zone struct {
	mu    sync.Mutex
	items map[string]*Item
}

// Has looks under the lock.
func (z *Zone) Has(k string) bool { // want Has:`reads arg0\.items under arg0\.mu`
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.items[k] != nil
}

// Drop deletes under the lock.
func (z *Zone) Drop(k string) { // want Drop:`writes arg0\.items under arg0\.mu`
	z.mu.Lock()
	defer z.mu.Unlock()
	delete(z.items, k)
}
