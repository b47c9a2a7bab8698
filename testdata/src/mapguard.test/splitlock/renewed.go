package splitlock

import "sync"

// A map that is only ever replaced by another, complete one loses nothing to who replaces
// it once more: the last has the newest state.

type gauges struct {
	mu     sync.Mutex
	counts map[string]int

	cacheMu sync.RWMutex
	cached  map[string]int
}

func (g *gauges) AllOk() map[string]int {
	g.cacheMu.RLock()
	if g.cached != nil {
		defer g.cacheMu.RUnlock()
		return g.cached
	}
	g.cacheMu.RUnlock()
	all := g.gather()
	g.cacheMu.Lock()
	g.cached = all
	g.cacheMu.Unlock()
	return all
}

func (g *gauges) gather() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make(map[string]int)
	for k, n := range g.counts {
		all[k] = n
	}
	return all
}

// What is put in meanwhile is lost.
type meters struct {
	mu     sync.RWMutex
	levels map[string]*conn
}

func (m *meters) FillBad(fresh func() map[string]*conn) *conn {
	m.mu.RLock()
	some := m.levels != nil
	m.mu.RUnlock()
	if some {
		return nil
	}
	all := fresh()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.levels = all // want `m.levels is compared with nil at line \d+ and assigned here`
	return all["first"]
}

func (m *meters) add(k string, c *conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.levels[k] = c
}

// Nor is a copy with one more: it is made of what the look found.
type scales struct {
	mu    sync.RWMutex
	units map[string]int
}

func (s *scales) PutBad(k string) {
	s.mu.RLock()
	next := make(map[string]int, len(s.units))
	for k, n := range s.units {
		next[k] = n
	}
	s.mu.RUnlock()
	next[k] = 1
	s.mu.Lock()
	s.units = next // want `s.units is ranged over at line \d+ and assigned here`
	s.mu.Unlock()
}
