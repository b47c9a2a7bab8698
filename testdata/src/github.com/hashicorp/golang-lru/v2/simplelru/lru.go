// Package simplelru is a stand-in for the library.
package simplelru

type EvictCallback[K comparable, V any] func(key K, value V)

type LRU[K comparable, V any] struct {
	evict EvictCallback[K, V]
	items map[K]V
}

func NewLRU[K comparable, V any](size int, onEvict EvictCallback[K, V]) (*LRU[K, V], error) {
	return &LRU[K, V]{evict: onEvict, items: make(map[K]V, size)}, nil
}

func (c *LRU[K, V]) Add(key K, value V) (evicted bool) {
	c.items[key] = value
	return false
}

func (c *LRU[K, V]) Purge() {
	for k, v := range c.items {
		c.evict(k, v)
	}
}
