package syncmap

import "sync"

// A parameter.

func ensureBad(m *sync.Map, k string) *conn {
	if v, ok := m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	m.Store(k, v) // want `sync-map: `
	return v
}

func ensureOk(m *sync.Map, k string) *conn {
	v, _ := m.LoadOrStore(k, dial(k))
	return v.(*conn)
}

func exists(m *sync.Map, k string) bool { _, ok := m.Load(k); return ok }

func (c *cache) passedBad(k string) {
	if !exists(&c.m, k) {
		c.m.Store(k, dial(k)) // want `sync-map: `
	}
}

// Variables of the package, plain and anonymous.

var conns sync.Map

func globalBad(k string) {
	if _, ok := conns.Load(k); !ok {
		conns.Store(k, dial(k)) // want `sync-map: `
	}
}

var state struct {
	byName sync.Map
	byID   [4]sync.Map
}

func anonymousBad(k string) {
	if _, ok := state.byName.Load(k); !ok {
		state.byName.Store(k, dial(k)) // want `sync-map: `
	}
}

// Shards.

func shardBad(id int, k string) {
	if _, ok := state.byID[id%4].Load(k); !ok {
		state.byID[id%4].Store(k, dial(k)) // want `sync-map: `
	}
}

func shardPointerBad(id int, k string) {
	m := &state.byID[id%4]
	if _, ok := m.Load(k); !ok {
		m.Store(k, dial(k)) // want `sync-map: `
	}
}

// Embedded.

type embedded struct{ sync.Map }

func (e *embedded) embeddedBad(k string) *conn {
	v, ok := e.Load(k)
	if !ok {
		v = dial(k)
		e.Store(k, v) // want `sync-map: `
	}
	return v.(*conn)
}

func (e *embedded) embeddedOk(k string) *conn {
	v, _ := e.LoadOrStore(k, dial(k))
	return v.(*conn)
}

// In an entry of a sync.Map.

// In an entry of a concurrent map.
func (c *cache) nestedBad(k, j string) {
	v, _ := c.m.LoadOrStore(k, new(sync.Map))
	in := v.(*sync.Map)
	if _, ok := in.Load(j); !ok {
		in.Store(j, dial(j)) // want `sync-map: `
	}
}

// A generic wrapper.

// A Map is a sync.Map with types.
type Map[K comparable, V any] struct{ m sync.Map }

// Load looks up.
func (m *Map[K, V]) Load(k K) (v V, ok bool) {
	x, ok := m.m.Load(k)
	if !ok {
		return v, false
	}
	return x.(V), true
}

// Store inserts.
func (m *Map[K, V]) Store(k K, v V) { m.m.Store(k, v) }

// Delete deletes.
func (m *Map[K, V]) Delete(k K) { m.m.Delete(k) }

// LoadOrStore looks up or inserts.
func (m *Map[K, V]) LoadOrStore(k K, v V) (V, bool) {
	x, loaded := m.m.LoadOrStore(k, v)
	return x.(V), loaded
}

// Range visits all.
func (m *Map[K, V]) Range(f func(K, V) bool) {
	m.m.Range(func(k, v any) bool { return f(k.(K), v.(V)) })
}

// GetOrMakeBad makes what is missing.
func (m *Map[K, V]) GetOrMakeBad(k K, build func() V) V {
	if v, ok := m.Load(k); ok {
		return v
	}
	v := build()
	m.Store(k, v) // want `sync-map: `
	return v
}

// GetOrMakeOk makes what is missing, and may throw it away.
func (m *Map[K, V]) GetOrMakeOk(k K, build func() V) V {
	if v, ok := m.Load(k); ok {
		return v
	}
	v, _ := m.LoadOrStore(k, build())
	return v
}

type typed struct {
	byName Map[string, *conn]
	counts *Map[string, int]
}

func (t *typed) loadStoreBad(k string) *conn {
	c, ok := t.byName.Load(k)
	if !ok {
		c = dial(k)
		t.byName.Store(k, c) // want `sync-map: `
	}
	return c
}

func (t *typed) loadDeleteBad(k string) {
	if c, ok := t.byName.Load(k); ok && c.idle() {
		t.byName.Delete(k) // want `sync-map: .*, low`
	}
}

func (t *typed) countBad(k string) {
	n, _ := t.counts.Load(k)
	t.counts.Store(k, n+1) // want `sync-map: `
}

// The wrapper's Range calls the visitor from a literal of its own: it is not
// seen to be one.
// It would take a look that a wrapper's literal passes on to the function that
// the wrapper gets.
func (t *typed) FN_rangeDeleteBad() {
	t.byName.Range(func(k string, c *conn) bool {
		if c.idle() {
			t.byName.Delete(k)
		}
		return true
	})
}

func (t *typed) loadOrStoreOk(k string) *conn {
	c, _ := t.byName.LoadOrStore(k, dial(k))
	return c
}

// All that write hold one lock.

type serial struct {
	mu sync.Mutex // held by writers of m
	m  sync.Map
}

func (s *serial) readOk(k string) bool { _, ok := s.m.Load(k); return ok }

func (s *serial) ensureOk(k string) *conn {
	if v, ok := s.m.Load(k); ok {
		return v.(*conn)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	s.m.Store(k, v)
	return v
}

// The look under the lock is missing.
type once struct {
	mu sync.Mutex // held by writers of m
	m  sync.Map
}

func (s *once) ensureBad(k string) *conn {
	if v, ok := s.m.Load(k); ok {
		return v.(*conn)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v := dial(k)
	s.m.Store(k, v) // want `sync-map: `
	return v
}

// The one that writes without the lock makes the others' worthless.
type leaky struct {
	mu sync.Mutex
	m  sync.Map
}

func (l *leaky) ensureBad(k string) *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v, ok := l.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	l.m.Store(k, v) // want `sync-map: `
	return v
}

// Put replaces what another goroutine has just made.
func (l *leaky) Put(k string, c *conn) { l.m.Store(k, c) }

// What was there is asked for, and dealt with.
func (c *cache) swapAskedOk(k string) *conn {
	if v, ok := c.m.Load(k); ok && !v.(*conn).idle() {
		return v.(*conn)
	}
	v := dial(k)
	if old, was := c.m.Swap(k, v); was {
		old.(*conn).Close()
	}
	return v
}
