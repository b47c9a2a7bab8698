// Package others pins that concurrent maps of other modules are known.
package others

import (
	cmap "github.com/orcaman/concurrent-map/v2"
	"github.com/puzpuzpuz/xsync/v3"
)

type conn struct{ hits int }

func dial(string) *conn { return &conn{} }

type sharded struct {
	m cmap.ConcurrentMap[string, *conn]
	n cmap.ConcurrentMap[string, int]
}

func (s *sharded) getSetBad(k string) *conn {
	c, ok := s.m.Get(k)
	if !ok {
		c = dial(k)
		s.m.Set(k, c) // want `sync-map: `
	}
	return c
}

func (s *sharded) hasSetBad(k string) {
	if !s.m.Has(k) {
		s.m.Set(k, dial(k)) // want `sync-map: .*; use SetIfAbsent`
	}
}

func (s *sharded) countBad(k string) {
	n, _ := s.n.Get(k)
	s.n.Set(k, n+1) // want `sync-map: .*; use Upsert`
}

func (s *sharded) removeBad(k string) {
	if c, ok := s.m.Get(k); ok && c.hits == 0 {
		s.m.Remove(k) // want `sync-map: .*, low`
	}
}

func (s *sharded) capacityBad(k string) {
	if s.m.Count() < 10 {
		s.m.Set(k, dial(k)) // want `sync-map: `
	}
}

func (s *sharded) setIfAbsentOk(k string) {
	if !s.m.Has(k) {
		s.m.SetIfAbsent(k, dial(k))
	}
}

func (s *sharded) upsertOk(k string) {
	s.n.Upsert(k, 1, func(exist bool, old, fresh int) int { return old + fresh })
}

func (s *sharded) popOk(k string) int {
	if c, ok := s.m.Pop(k); ok {
		return c.hits
	}
	return 0
}

func (s *sharded) removeCbOk(k string) {
	s.m.RemoveCb(k, func(_ string, c *conn, ok bool) bool { return ok && c.hits == 0 })
}

type typed struct {
	m *xsync.MapOf[string, *conn]
	n *xsync.MapOf[string, int]
}

func (t *typed) loadStoreBad(k string) *conn {
	if c, ok := t.m.Load(k); ok {
		return c
	}
	c := dial(k)
	t.m.Store(k, c) // want `sync-map: `
	return c
}

func (t *typed) loadDeleteBad(k string) {
	if c, ok := t.m.Load(k); ok && c.hits == 0 {
		t.m.Delete(k) // want `sync-map: .*, low`
	}
}

func (t *typed) countBad(k string) {
	n, _ := t.n.Load(k)
	t.n.Store(k, n+1) // want `sync-map: `
}

func (t *typed) loadOrComputeOk(k string) *conn {
	if c, ok := t.m.Load(k); ok {
		return c
	}
	c, _ := t.m.LoadOrCompute(k, func() *conn { return dial(k) })
	return c
}

func (t *typed) computeOk(k string) {
	t.n.Compute(k, func(old int, _ bool) (int, bool) { return old + 1, false })
}
