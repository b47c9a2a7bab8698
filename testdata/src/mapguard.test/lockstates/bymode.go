package lockstates

import (
	"errors"
	"sync"
)

// A visit to a museum brings its lock along, in the mode that a flag of it tells, unless the museum is closed.
type museum struct {
	mu     sync.RWMutex
	pieces map[string]int
	closed bool
}

type visit struct {
	to      *museum
	curator bool
	moved   []string
}

var errClosed = errors.New("closed")

func (m *museum) Size() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.pieces)
}

func (m *museum) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	clear(m.pieces)
}

func (m *museum) Enter(curator bool) (*visit, error) {
	if curator {
		m.mu.Lock()
	} else {
		m.mu.RLock()
	}
	if m.closed {
		if curator {
			m.mu.Unlock()
		} else {
			m.mu.RUnlock()
		}
		return nil, errClosed
	}
	return &visit{to: m, curator: curator}, nil
}

func (v *visit) Leave() {
	if !v.curator {
		v.to.mu.RUnlock()
		return
	}
	v.to.mu.Unlock()
}

func (v *visit) FindOk(k string) int { return v.to.pieces[k] }

func (v *visit) MoveOk(k string, n int) bool {
	if !v.curator {
		return false
	}
	v.put(k, n)
	v.moved = append(v.moved, k)
	return true
}

func (v *visit) put(k string, n int) { v.to.pieces[k] = n }

func (v *visit) MoveBad(k string, n int) {
	v.to.pieces[k] = n // want `rlock-write: .*pieces is written`
}

func (v *visit) OthersBad(k string, n int) {
	if v.curator {
		return
	}
	v.to.pieces[k] = n // want `rlock-write: .*pieces is written`
}

func (v *visit) LateBad(k string, n int) {
	if v.curator {
		v.to.mu.Unlock()
		v.to.pieces[k] = n // want `unguarded-access: .*pieces is written.*, low`
	}
}

// Here the visitor locks by helpers, and others lead visitors round.
type garden struct {
	mu     sync.RWMutex
	beds   map[string]int
	closed bool
}

type stroll struct {
	in    *garden
	picks bool
}

func (s *stroll) lock() {
	if s.picks {
		s.in.mu.Lock()
	} else {
		s.in.mu.RLock()
	}
}

func (s *stroll) unlock() {
	if s.picks {
		s.in.mu.Unlock()
	} else {
		s.in.mu.RUnlock()
	}
}

func (g *garden) Enter(picks bool) (*stroll, error) {
	s := &stroll{in: g, picks: picks}
	s.lock()
	if g.closed {
		s.unlock()
		return nil, errClosed
	}
	return s, nil
}

func (s *stroll) Leave() { s.unlock() }

func (g *garden) Lead(picks bool, f func(*stroll) error) error {
	s, err := g.Enter(picks)
	if err != nil {
		return err
	}
	defer func() {
		s.Leave()
	}()
	return f(s)
}

func (g *garden) Beds() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return len(g.beds)
}

func (g *garden) Sow(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.beds[k]++
}

func (s *stroll) LookOk(k string) int { return s.in.beds[k] }

func (s *stroll) PickOk(k string) error {
	if !s.picks {
		return errClosed
	}
	delete(s.in.beds, k)
	return nil
}

func (s *stroll) PickBad(k string) {
	delete(s.in.beds, k) // want `rlock-write: .*beds is deleted`
}

// The lock is gone when the stroll is over.
func (g *garden) TwiceBad(k string) error {
	s, err := g.Enter(true)
	if err != nil {
		return err
	}
	err = s.PickOk(k)
	s.Leave()
	g.beds[k] = 1 // want `unguarded-access: .*beds is written`
	return err
}

func (g *garden) LeadBad(k string) error {
	err := g.Lead(true, func(s *stroll) error { return s.PickOk(k) })
	g.beds[k] = 1 // want `unguarded-access: .*beds is written`
	return err
}

func (g *garden) OnceOk(k string) error {
	s, err := g.Enter(true)
	if err != nil {
		return err
	}
	err = s.PickOk(k)
	g.beds[k] = 1
	s.Leave()
	return err
}

// The flag can be set later.
type park struct {
	mu    sync.RWMutex
	trees map[string]int
}

type walk struct {
	in    *park
	plans bool
}

func (p *park) Enter(plans bool) *walk {
	if plans {
		p.mu.Lock()
	} else {
		p.mu.RLock()
	}
	if len(p.trees) == 0 {
		(&walk{in: p, plans: plans}).Leave()
		return nil
	}
	return &walk{in: p, plans: plans}
}

func (w *walk) Leave() {
	if w.plans {
		w.in.mu.Unlock()
	} else {
		w.in.mu.RUnlock()
	}
}

func (w *walk) Upgrade() { w.plans = true }

func (w *walk) PlantBad(k string) {
	if w.plans {
		w.in.trees[k] = 1 // want `rlock-write: .*trees is written`
	}
}

func (p *park) Trees() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.trees)
}

func (p *park) Fell(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.trees, k)
}

// Each branch makes an object of its own.
type quarry struct {
	mu     sync.RWMutex
	stones map[string]int
}

type shift struct {
	in   *quarry
	digs bool
}

func (q *quarry) Begin(digs bool) *shift {
	if digs {
		q.mu.Lock()
		return &shift{in: q, digs: true}
	}
	q.mu.RLock()
	return &shift{in: q}
}

func (s *shift) End() {
	if s.digs {
		s.in.mu.Unlock()
	} else {
		s.in.mu.RUnlock()
	}
}

func (s *shift) CountOk(k string) int { return s.in.stones[k] }

func (s *shift) DigOk(k string) bool {
	if s.digs {
		s.in.stones[k]--
	}
	return s.digs
}

func (q *quarry) Stones() int {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return len(q.stones)
}

func (q *quarry) Fill(k string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stones[k] = 1
}
