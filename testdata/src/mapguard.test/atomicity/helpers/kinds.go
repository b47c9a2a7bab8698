package helpers

import "sync"

// The helpers belong to an embedded struct, to an interface, to a named map
// type, to a generic type, to a variable of the package.

type table struct {
	mu   sync.Mutex
	rows map[string]*conn // guarded by mu
}

func (t *table) row(k string) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows[k]
}

func (t *table) setRow(k string, c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[k] = c
}

type database struct {
	table
	backup *table
}

func (d *database) embeddedBad(k string) {
	if d.row(k) == nil {
		d.setRow(k, dial(k)) // want `split-lock: `
	}
}

func (d *database) fieldBad(k string) {
	if d.backup.row(k) == nil {
		d.backup.setRow(k, dial(k)) // want `split-lock: `
	}
}

func (d *database) copiedOk(k string) {
	if c := d.row(k); c != nil {
		d.backup.setRow(k, c)
	}
}

// rows is what a database needs of a table; a table is the only one.
type rows interface {
	row(k string) *conn
	setRow(k string, c *conn)
}

var _ rows = (*table)(nil)

func interfaceBad(r rows, k string) {
	if r.row(k) == nil {
		r.setRow(k, dial(k)) // want `split-lock: `
	}
}

// A named map type has the methods, its owner the lock.
type byName map[string]*conn

func (b byName) has(k string) bool { _, ok := b[k]; return ok }

func (b byName) put(k string, c *conn) { b[k] = c }

type names struct {
	mu sync.Mutex
	by byName // guarded by mu
}

func (n *names) splitBad(k string) {
	n.mu.Lock()
	has := n.by.has(k)
	n.mu.Unlock()
	if !has {
		n.mu.Lock()
		n.by.put(k, dial(k)) // want `split-lock: `
		n.mu.Unlock()
	}
}

func (n *names) wholeOk(k string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.by.has(k) {
		n.by.put(k, dial(k))
	}
}

type safe[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func (s *safe[K, V]) Get(k K) (v V, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok = s.m[k]
	return v, ok
}

func (s *safe[K, V]) Set(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
}

func genericBad(s *safe[string, *conn], k string) *conn {
	c, ok := s.Get(k)
	if !ok {
		c = dial(k)
		s.Set(k, c) // want `split-lock:.*, low`
	}
	return c
}

// A generic function over a generic type.
func getOrMakeBad[K comparable, V any](s *safe[K, V], k K, build func() V) V {
	if v, ok := s.Get(k); ok {
		return v
	}
	v := build()
	s.Set(k, v) // want `split-lock:.*, low`
	return v
}

func useBoth(k string) *conn {
	return getOrMakeBad(&shared, k, func() *conn { return dial(k) })
}

var shared safe[string, *conn]

func sharedBad(k string) {
	if _, ok := shared.Get(k); !ok {
		shared.Set(k, dial(k)) // want `split-lock:.*, low`
	}
}

var (
	regMu sync.Mutex
	reg   = map[string]*conn{}
)

func registered(k string) bool {
	regMu.Lock()
	defer regMu.Unlock()
	return reg[k] != nil
}

func register(k string, c *conn) {
	regMu.Lock()
	defer regMu.Unlock()
	reg[k] = c
}

func registryBad(k string) {
	if !registered(k) {
		register(k, dial(k)) // want `split-lock: `
	}
}

// A second lock that everybody holds around the two steps makes them one.
type serial struct {
	op sync.Mutex // held by those that change m
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (s *serial) get(k string) *conn { s.mu.RLock(); defer s.mu.RUnlock(); return s.m[k] }

func (s *serial) set(k string, c *conn) { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = c }

func (s *serial) EnsureOk(k string) *conn {
	s.op.Lock()
	defer s.op.Unlock()
	c := s.get(k)
	if c == nil {
		c = dial(k)
		s.set(k, c)
	}
	return c
}

func (s *serial) ReplaceOk(k string) {
	s.op.Lock()
	defer s.op.Unlock()
	s.set(k, dial(k))
}

// Partly has a lock that not everybody holds.
type Partly struct {
	op sync.Mutex
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (s *Partly) get(k string) *conn { s.mu.RLock(); defer s.mu.RUnlock(); return s.m[k] }

// Set inserts beside EnsureBad, which overwrites it.
func (s *Partly) Set(k string, c *conn) { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = c }

// EnsureBad keeps its like out, but not Set.
func (s *Partly) EnsureBad(k string) *conn {
	s.op.Lock()
	defer s.op.Unlock()
	c := s.get(k)
	if c == nil {
		c = dial(k)
		s.Set(k, c) // want `split-lock: `
	}
	return c
}
