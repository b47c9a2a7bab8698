// Package boxes has a container of anything, with a lock for itself. // want package:`Box\.things by Box\.mu 2/2`
package boxes

import "sync"

// A Box holds anything.
type Box struct {
	mu     sync.RWMutex
	things map[string]any
}

// Thing gets something.
func (b *Box) Thing(k string) any { // want Thing:`reads arg0\.things under arg0\.mu; returns arg0\.things\[\*\]`
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.things[k]
}

// SetThing puts something in.
func (b *Box) SetThing(k string, v any) { // want SetThing:`writes arg0\.things under arg0\.mu`
	b.mu.Lock()
	defer b.mu.Unlock()
	b.things[k] = v
}
