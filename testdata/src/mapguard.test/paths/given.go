package paths

import "sync"

// What a new struct is given of another object is that object's still: its lock covers the map by
// either name, and without the lock it is the other's map that is raced on.

type gauge struct {
	mu     *sync.Mutex
	stores map[string]int // guarded by mu
	name   string
}

func (g *gauge) AddOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stores[k]++
}

func (g *gauge) WithOk(k string) *gauge {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := &gauge{mu: g.mu, stores: g.stores, name: k}
	if _, ok := m.stores[k]; !ok {
		m.stores[k] = 1
	}
	return m
}

func (g *gauge) WithBad(k string) *gauge {
	m := &gauge{mu: g.mu, stores: g.stores, name: k}
	m.stores[k]++ // want `: m?.*stores`
	return m
}

// The new one has a map of its own.
func (g *gauge) FreshOk(k string) *gauge {
	m := &gauge{mu: g.mu, stores: make(map[string]int), name: k}
	m.stores[k]++
	return m
}

// It was given another one since.
func (g *gauge) RenewedOk(k string) *gauge {
	m := &gauge{mu: g.mu, stores: g.stores, name: k}
	m.stores = make(map[string]int)
	m.stores[k]++
	return m
}

// The lock of the new struct is the other's, too.
func (g *gauge) LockedOk(k string) *gauge {
	m := &gauge{mu: g.mu, stores: g.stores}
	m.mu.Lock()
	defer m.mu.Unlock()
	g.stores[k]++
	m.stores[k]++
	return m
}
