// Package lru is a stand-in for the library.
package lru

type Key any

type Cache struct {
	MaxEntries int
	OnEvicted  func(key Key, value any)

	cache map[any]any
}

func New(maxEntries int) *Cache {
	return &Cache{MaxEntries: maxEntries, cache: make(map[any]any)}
}

func (c *Cache) Add(key Key, value any) { c.cache[key] = value }

func (c *Cache) Get(key Key) (value any, ok bool) {
	value, ok = c.cache[key]
	return value, ok
}

func (c *Cache) Remove(key Key) {
	if c.OnEvicted != nil {
		c.OnEvicted(key, c.cache[key])
	}
}

func (c *Cache) Len() int { return len(c.cache) }

func (c *Cache) Clear() {
	for k := range c.cache {
		c.Remove(k)
	}
}
