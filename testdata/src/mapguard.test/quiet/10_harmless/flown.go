package harmless

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

type table struct{ weights []int }

type session struct {
	mu    sync.Mutex
	hits  int
	table *table
}

func weigh(names []string) *table {
	t := &table{}
	for _, n := range names {
		t.weights = append(t.weights, len(n))
	}
	return t
}

type flown struct {
	group    singleflight.Group
	tables   sync.Map
	sessions sync.Map
}

// What two flights give says the same.
func (f *flown) tableOk(k string, names []string) *table {
	v, ok := f.tables.Load(k)
	if !ok {
		v, _, _ = f.group.Do(k, func() (any, error) { return weigh(names), nil })
		f.tables.Store(k, v)
	}
	return v.(*table)
}

// A flight that begins when another has ended makes a second session.
func (f *flown) sessionBad(k string, names []string) *session {
	v, ok := f.sessions.Load(k)
	if !ok {
		v, _, _ = f.group.Do(k, func() (any, error) { return &session{table: weigh(names)}, nil })
		f.sessions.Store(k, v) // want `sync-map: .*f\.sessions`
	}
	s := v.(*session)
	s.mu.Lock()
	s.hits++
	s.mu.Unlock()
	return s
}

type checker struct {
	tagged sync.Map
	check  func(v any) error
}

// The check is made whatever was found: it does not hang on the look.
func (c *checker) eitherWayOk(k string, v any) error {
	if tagged, ok := c.tagged.Load(k); ok {
		if !tagged.(bool) {
			return nil
		}
		return c.check(v)
	}
	tagged := len(k) > 3
	c.tagged.Store(k, tagged)
	if !tagged {
		return nil
	}
	return c.check(v)
}

// Where nothing was found alone, it is made twice.
func (c *checker) firstAloneBad(k string, v any) error {
	if tagged, ok := c.tagged.Load(k); ok {
		if !tagged.(bool) {
			return nil
		}
		return nil
	}
	c.tagged.Store(k, len(k) > 3) // want `sync-map: .*c\.tagged.*, low`
	return c.check(v)
}
