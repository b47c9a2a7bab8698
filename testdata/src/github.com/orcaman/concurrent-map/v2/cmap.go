// Package cmap has the names of the real one, for tests.
package cmap

// A ConcurrentMap is a map in shards.
type ConcurrentMap[K comparable, V any] struct{ _ int }

// New makes one.
func New[V any]() (m ConcurrentMap[string, V]) { return m }

// Get looks up.
func (m ConcurrentMap[K, V]) Get(key K) (v V, ok bool) { return v, ok }

// Has looks up.
func (m ConcurrentMap[K, V]) Has(key K) bool { return false }

// Count counts.
func (m ConcurrentMap[K, V]) Count() int { return 0 }

// Set inserts.
func (m ConcurrentMap[K, V]) Set(key K, value V) {}

// Remove deletes.
func (m ConcurrentMap[K, V]) Remove(key K) {}

// SetIfAbsent inserts unless there is one.
func (m ConcurrentMap[K, V]) SetIfAbsent(key K, value V) bool { return false }

// Upsert inserts or updates at once.
func (m ConcurrentMap[K, V]) Upsert(key K, value V, cb func(exist bool, old, fresh V) V) (res V) {
	return res
}

// Pop looks up and deletes at once.
func (m ConcurrentMap[K, V]) Pop(key K) (v V, exists bool) { return v, exists }

// RemoveCb deletes when cb says so.
func (m ConcurrentMap[K, V]) RemoveCb(key K, cb func(key K, v V, exists bool) bool) bool {
	return false
}

// IterCb visits all.
func (m ConcurrentMap[K, V]) IterCb(fn func(key K, v V)) {}
