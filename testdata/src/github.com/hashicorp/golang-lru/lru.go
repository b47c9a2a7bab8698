// Package lru is a stand-in for the library.
package lru

type Cache struct {
	evict func(key, value any)
	cache map[any]any
}

func New(size int) (*Cache, error) { return NewWithEvict(size, nil) }

func NewWithEvict(size int, onEvicted func(key, value any)) (*Cache, error) {
	return &Cache{evict: onEvicted, cache: make(map[any]any, size)}, nil
}

func (c *Cache) Add(key, value any) (evicted bool) {
	c.cache[key] = value
	return false
}

func (c *Cache) Get(key any) (value any, ok bool) {
	value, ok = c.cache[key]
	return value, ok
}

func (c *Cache) Remove(key any) (present bool) { return c.cache[key] != nil }

func (c *Cache) Purge() {
	for k, v := range c.cache {
		c.evict(k, v)
	}
}

func (c *Cache) Each(visit func(key any)) {}
