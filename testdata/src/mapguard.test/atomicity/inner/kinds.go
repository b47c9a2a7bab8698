package inner

import (
	"slices"
	"sync"
)

// The inner container has no lock of its own; the outer one was its guard.

type group struct {
	names []string
	count map[string]int
}

type groups struct {
	mu sync.Mutex
	m  map[string]*group // guarded by mu
}

func (g *groups) Forget(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if in := g.m[k]; in != nil && len(in.names) == 0 {
		delete(g.m, k)
	}
}

// The outer map's lock guards a map in the entry's struct, too.
func (g *groups) mapBad(k, name string) {
	g.mu.Lock()
	in := g.m[k]
	g.mu.Unlock()
	in.count[name]++ // want `check-then-act: .*high`
}

// Forget asks for the length of the slice.
func (g *groups) sliceBad(k, name string) {
	g.mu.Lock()
	in := g.m[k]
	g.mu.Unlock()
	if in != nil {
		in.names = append(in.names, name) // want `split-lock:.*, low`
	}
}

func (g *groups) deleteBad(k, name string) {
	g.mu.Lock()
	in, ok := g.m[k]
	g.mu.Unlock()
	if ok {
		delete(in.count, name) // want `unguarded-access: .*high`
	}
}

func (g *groups) againBad(k, name string) {
	g.mu.Lock()
	in := g.m[k]
	g.mu.Unlock()
	g.mu.Lock()
	in.names = append(in.names, name) // want `split-lock:.*, low`
	g.mu.Unlock()
}

func (g *groups) heldOk(k, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if in := g.m[k]; in != nil {
		in.names = append(in.names, name)
		in.count[name]++
	}
}

func (g *groups) dropOk(k, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if in := g.m[k]; in != nil {
		delete(in.count, name)
	}
}

func (g *groups) sumOk(k string) (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if in := g.m[k]; in != nil && len(in.count) > 0 {
		for _, c := range in.count {
			n += c
		}
		in.count["sum"] = n
		n = in.count[k]
	}
	return n
}

func (g *groups) fetchedAgainOk(k, name string) {
	g.mu.Lock()
	in := g.m[k]
	g.mu.Unlock()
	if in == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if in := g.m[k]; in != nil {
		in.names = append(in.names, name)
	}
}

// A map of maps.

type index struct {
	mu sync.RWMutex
	by map[string]map[string]int // guarded by mu
}

func (x *index) dropIfEmptyOk(k, j string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.by[k], j)
	if len(x.by[k]) == 0 {
		delete(x.by, k)
	}
}

func (x *index) innerUnlockedBad(k, j string) {
	x.mu.RLock()
	in := x.by[k]
	x.mu.RUnlock()
	in[j] = 1 // want `(split-lock|unguarded-access): `
}

func (x *index) innerLockedAgainBad(k, j string) {
	x.mu.RLock()
	in, ok := x.by[k]
	x.mu.RUnlock()
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	in[j] = 1 // want `split-lock:.*, low`
}

func (x *index) innerOk(k, j string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if in := x.by[k]; in != nil {
		in[j] = 1
	}
}

// A map of slices: the slice that was fetched is another one by now.

type queues struct {
	mu sync.Mutex
	q  map[string][]string // guarded by mu
}

func (q *queues) pushBad(k, job string) {
	q.mu.Lock()
	l := q.q[k]
	q.mu.Unlock()
	l = append(l, job)
	q.mu.Lock()
	q.q[k] = l // want `split-lock: `
	q.mu.Unlock()
}

func (q *queues) drainOk(k string) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.q[k]
	delete(q.q, k)
	return l
}

// Replaced, not deleted: the compacted copy lacks what comes late.

type series struct {
	mu      sync.Mutex
	samples []float64
}

type store struct {
	mu sync.RWMutex
	m  map[uint64]*series
}

// compactOk puts another object in its place, without what comes late.
func (s *store) appendBad(id uint64, v float64) {
	s.mu.RLock()
	in := s.m[id]
	s.mu.RUnlock()
	if in == nil {
		return
	}
	in.mu.Lock()
	in.samples = append(in.samples, v) // want `split-lock:.*, low`
	in.mu.Unlock()
}

func (s *store) appendOk(id uint64, v float64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if in := s.m[id]; in != nil {
		in.mu.Lock()
		in.samples = append(in.samples, v)
		in.mu.Unlock()
	}
}

func (s *store) compactOk(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.m[id]
	in.mu.Lock()
	defer in.mu.Unlock()
	s.m[id] = &series{samples: slices.Clip(in.samples)}
}

// The whole map is taken away, and what is in it is written out.

type batch struct {
	mu   sync.Mutex
	rows []string
}

type writer struct {
	mu      sync.Mutex
	batches map[string]*batch
}

func (w *writer) batch(k string) *batch {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, ok := w.batches[k]
	if !ok {
		b = &batch{}
		w.batches[k] = b
	}
	return b
}

func (w *writer) addBad(k, row string) {
	b := w.batch(k)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, row) // want `split-lock:.*, low`
}

func (w *writer) addOk(k, row string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, ok := w.batches[k]
	if !ok {
		b = &batch{}
		w.batches[k] = b
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, row)
}

func (w *writer) flushOk(write func([]string)) {
	w.mu.Lock()
	taken := w.batches
	w.batches = make(map[string]*batch)
	w.mu.Unlock()
	for _, b := range taken {
		b.mu.Lock()
		write(b.rows)
		b.mu.Unlock()
	}
}

// The outer map is a sync.Map.

type peers struct{ m sync.Map } // of *bucket

// dropOk takes it out in between.
func (p *peers) addBad(k, item string) {
	v, _ := p.m.LoadOrStore(k, &bucket{items: make(map[string]int)})
	in := v.(*bucket)
	in.mu.Lock()
	in.items[item]++ // want `split-lock: .*, but nothing keeps peers.dropOk from deleting.*, low`
	in.mu.Unlock()
}

func (p *peers) addOk(k, item string) {
	for {
		v, _ := p.m.LoadOrStore(k, &bucket{items: make(map[string]int)})
		in := v.(*bucket)
		in.mu.Lock()
		if !in.removed {
			in.items[item]++
			in.mu.Unlock()
			return
		}
		in.mu.Unlock()
	}
}

func (p *peers) dropOk(k string) {
	v, ok := p.m.Load(k)
	if !ok {
		return
	}
	in := v.(*bucket)
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.items) == 0 {
		in.removed = true
		p.m.CompareAndDelete(k, v)
	}
}
