// Package xsync has the names of the real one, for tests.
package xsync

// A MapOf is a concurrent map.
type MapOf[K comparable, V any] struct{ _ int }

// NewMapOf makes one.
func NewMapOf[K comparable, V any]() *MapOf[K, V] { return nil }

// Load looks up.
func (m *MapOf[K, V]) Load(key K) (value V, ok bool) { return value, ok }

// Store inserts.
func (m *MapOf[K, V]) Store(key K, value V) {}

// Delete deletes.
func (m *MapOf[K, V]) Delete(key K) {}

// LoadOrStore looks up or inserts at once.
func (m *MapOf[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) { return value, false }

// LoadOrCompute looks up or inserts at once.
func (m *MapOf[K, V]) LoadOrCompute(key K, f func() V) (actual V, loaded bool) { return actual, false }

// LoadAndDelete looks up and deletes at once.
func (m *MapOf[K, V]) LoadAndDelete(key K) (value V, loaded bool) { return value, false }

// Compute replaces or deletes at once.
func (m *MapOf[K, V]) Compute(key K, f func(old V, loaded bool) (V, bool)) (actual V, ok bool) {
	return actual, false
}

// Range visits all.
func (m *MapOf[K, V]) Range(f func(key K, value V) bool) {}

// Size counts.
func (m *MapOf[K, V]) Size() int { return 0 }
