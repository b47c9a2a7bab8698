package paths

import "sync"

// A cache is a generic type.
type cache[K comparable, V any] struct {
	mu sync.Mutex
	// guarded by mu
	entries map[K]V
}

func (c *cache[K, V]) getBad(k K, load func() V) V {
	if v, ok := c.entries[k]; ok { // want `check-then-act: .*c\.entries`
		return v
	}
	v := load()
	c.entries[k] = v
	return v
}

func (c *cache[K, V]) getOk(k K, load func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.entries[k]; ok {
		return v
	}
	v := load()
	c.entries[k] = v
	return v
}

func instantiatedBad(c *cache[string, *conn], k string) {
	if c.entries[k] == nil { // want `check-then-act: .*c\.entries`
		c.entries[k] = &conn{}
	}
}

func instantiatedOk(c *cache[string, *conn], k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[k] == nil {
		c.entries[k] = &conn{}
	}
}

func genericFunctionBad[V any](c *cache[string, V], k string, v V) {
	if _, ok := c.entries[k]; !ok { // want `check-then-act: .*c\.entries`
		c.entries[k] = v
	}
}

func genericFunctionOk[V any](c *cache[string, V], k string, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[k]; !ok {
		c.entries[k] = v
	}
}

// A genericHolder embeds an instance.
type genericHolder struct {
	cache[string, int]
}

func (h *genericHolder) promotedGenericBad(k string) {
	if _, ok := h.entries[k]; !ok { // want `check-then-act: .*entries`
		h.entries[k] = 1
	}
}

// putIfAbsent is generic over the map's type.
func putIfAbsent[M ~map[K]V, K comparable, V any](m M, k K, v V) {
	if _, ok := m[k]; !ok {
		m[k] = v
	}
}

func (r *registry) genericHelperOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	putIfAbsent(r.direct, k, &conn{})
}

// The helper does not know which lock protects the map: the call is reported.
func (r *registry) genericHelperBad(k string) {
	putIfAbsent(r.direct, k, &conn{}) // want `check-then-act: .*r\.direct`
}
