// Package syncmap pins the rule sync-map: two steps on a concurrent map
// that should be one.
package syncmap

import (
	"errors"
	"sync"
)

type conn struct{ id int }

func dial(k string) *conn { return &conn{len(k)} }

type cache struct {
	m sync.Map
	p *sync.Map
}

func (c *cache) loadStoreBad(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: .*c\.m.*LoadOrStore`
	return v
}

func (c *cache) loadStoreOk(k string) *conn {
	v, _ := c.m.LoadOrStore(k, dial(k))
	return v.(*conn)
}

func (c *cache) pointerBad(k string) {
	if _, ok := c.p.Load(k); !ok {
		c.p.Store(k, dial(k)) // want `sync-map: .*c\.p.*LoadOrStore`
	}
}

// What is deleted may be another one than was looked at.
func (c *cache) loadDeleteBad(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).id > 3 {
		c.m.Delete(k) // want `sync-map: .*CompareAndDelete.*, low`
	}
}

// Two callers get the one value.
func (c *cache) loadUseDeleteBad(k string) *conn {
	v, ok := c.m.Load(k)
	if !ok {
		return nil
	}
	c.m.Delete(k) // want `sync-map: .*LoadAndDelete`
	return v.(*conn)
}

func (c *cache) loadAndDeleteOk(k string) *conn {
	v, ok := c.m.LoadAndDelete(k)
	if !ok {
		return nil
	}
	return v.(*conn)
}

func (c *cache) counterBad(k string) {
	v, _ := c.m.Load(k)
	n, _ := v.(int)
	c.m.Store(k, n+1) // want `sync-map: .*c\.m.*CompareAndSwap`
}

func (c *cache) counterOk(k string) {
	for {
		v, _ := c.m.LoadOrStore(k, 0)
		if c.m.CompareAndSwap(k, v, v.(int)+1) {
			return
		}
	}
}

func (c *cache) rangeStoreBad(k string) {
	found := false
	c.m.Range(func(key, v any) bool {
		found = found || v.(*conn).id == 7
		return !found
	})
	if !found {
		c.m.Store(k, dial(k)) // want `sync-map: `
	}
}

func (c *cache) rangeDeleteOk() {
	c.m.Range(func(k, v any) bool {
		c.m.Delete(k)
		return true
	})
}

// The visitor sees what was there a moment ago.
func (c *cache) rangeDeleteStaleBad() {
	c.m.Range(func(k, v any) bool {
		if v.(*conn).id > 3 {
			c.m.Delete(k) // want `sync-map: Range at line .* and Delete here.*, low`
		}
		return true
	})
}

func (c *cache) storeOnlyOk(k string) { c.m.Store(k, dial(k)) }

func (c *cache) differentMapsOk(k string) {
	if v, ok := c.m.Load(k); ok {
		c.p.Store(k, v)
	}
}

func (c *cache) setMemberOk(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, true)
	}
}

var table sync.Map

func globalBad(k string) *conn {
	v, ok := table.Load(k)
	if !ok {
		c := dial(k)
		table.Store(k, c) // want `sync-map: .*table.*LoadOrStore`
		return c
	}
	return v.(*conn)
}

// get and put wrap the map.
func (c *cache) get(k string) (*conn, bool) {
	v, ok := c.m.Load(k)
	if !ok {
		return nil, false
	}
	return v.(*conn), true
}

func (c *cache) put(k string, v *conn) { c.m.Store(k, v) }

func (c *cache) wrappersBad(k string) *conn {
	v, ok := c.get(k)
	if !ok {
		v = dial(k)
		c.put(k, v) // want `sync-map: .*c\.m.*LoadOrStore`
	}
	return v
}

type locked struct {
	mu sync.Mutex
	m  sync.Map
}

func (l *locked) lockedOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.m.Load(k); !ok {
		l.m.Store(k, dial(k))
	}
}

// A local one is not shared.
func localOk(keys []string) int {
	var m sync.Map
	for _, k := range keys {
		if _, ok := m.Load(k); !ok {
			m.Store(k, dial(k))
		}
	}
	n := 0
	m.Range(func(any, any) bool { n++; return true })
	return n
}

func newCacheOk(k string) *cache {
	c := &cache{p: new(sync.Map)}
	if _, ok := c.p.Load(k); !ok {
		c.p.Store(k, dial(k))
	}
	return c
}

type session struct{ seen int }

type sessions struct {
	open, kept sync.Map
}

func (s *sessions) of(k string) (*session, error) {
	v, ok := s.open.Load(k)
	if !ok {
		return nil, errors.New("no session")
	}
	return v.(*session), nil
}

// The object that was found goes back, where a logout may have deleted it.
func (s *sessions) touchBad(k string) {
	v, ok := s.open.Load(k)
	if !ok {
		return
	}
	found := v.(*session)
	found.seen++
	s.open.Store(k, found) // want `sync-map: .*deleted comes back; use CompareAndSwap.*, medium`
}

func (s *sessions) touchFoundBad(k string) error {
	found, err := s.of(k)
	if err != nil {
		return err
	}
	found.seen++
	s.open.Store(k, found) // want `sync-map: .*deleted comes back; use CompareAndSwap.*, medium`
	return nil
}

func (s *sessions) logout(k string) {
	s.open.Delete(k)
}

// Nothing deletes it: what goes back is there.
func (s *sessions) touchKept(k string) {
	v, ok := s.kept.Load(k)
	if !ok {
		return
	}
	found, ok := v.(*session)
	if !ok {
		return
	}
	found.seen++
	s.kept.Store(k, found) // want `sync-map: .*, low`
}

// Another object takes its place: an update is lost.
func (s *sessions) renewBad(k string) {
	v, ok := s.open.Load(k)
	if !ok {
		return
	}
	s.open.Store(k, &session{v.(*session).seen + 1}) // want `sync-map: .*an update by another goroutine is lost; use CompareAndSwap`
}

func (s *sessions) ofOrNew(k string) *session {
	if v, ok := s.open.Load(k); ok {
		return v.(*session)
	}
	return &session{}
}

// What the callee gives may be a new one, which two callers put in.
func (s *sessions) openBad(k string) *session {
	found := s.ofOrNew(k)
	s.open.Store(k, found) // want `sync-map: .*an update by another goroutine is lost.*, high`
	return found
}

type hooks struct{ byPath sync.Map }

// A slice cannot be compared: CompareAndSwap would panic.
func (h *hooks) appendBad(path string, f func()) {
	var all []func()
	if v, ok := h.byPath.Load(path); ok {
		all = v.([]func())
	}
	all = append(all, f)
	h.byPath.Store(path, all) // want `sync-map: .*: an update by another goroutine is lost; hold a mutex across both`
}

// The look goes over all entries, the act is on one of them: LoadOrStore under a key that is new would find none.
func (h *hooks) uniqueBad(path string, owner *session) bool {
	taken := false
	h.byPath.Range(func(_, v any) bool {
		taken = v == owner
		return !taken
	})
	if taken {
		return false
	}
	h.byPath.Store(path, owner) // want `sync-map: .*; hold a mutex across both`
	return true
}

func (h *hooks) drop(path string) { h.byPath.Delete(path) }

// An entry is replaced only where there is one: LoadOrStore would keep the old one.
func (s *sessions) replaceBad(k string, next *session) bool {
	if _, ok := s.open.Load(k); !ok {
		return false
	}
	s.open.Store(k, next) // want `sync-map: .*deleted comes back; use CompareAndSwap`
	return true
}
