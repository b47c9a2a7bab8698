package mapescape

import "sync"

// A map that is filled in the section that makes it, and never changed afterwards, is
// complete for all who come through that section.
type Shapes struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

type view struct{ names map[string]int }

func (s *Shapes) NamesOk(all []string) map[string]int {
	s.mu.Lock()
	if s.names == nil {
		s.names = make(map[string]int)
		for i, n := range all {
			s.names[n] = i
			s.names["the "+n] = i
		}
		delete(s.names, "")
	}
	s.mu.Unlock()
	return s.names
}

func (s *Shapes) ViewOk(all []string) *view {
	names := s.NamesOk(all)
	return &view{names: names}
}

func (s *Shapes) FirstOk(all []string) int {
	s.NamesOk(all)
	return s.names["first"]
}

// Nothing has made it here.
func (s *Shapes) FirstBad() int {
	return s.names["first"] // want `unguarded-access: s\.names`
}

// An early look that takes no lock comes to a map in the making.
type Colours struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (c *Colours) NamesBad(all []string) map[string]int {
	if c.names != nil { // want `unguarded-access: c\.names`
		return c.names
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names == nil {
		c.names = make(map[string]int)
		for i, n := range all {
			c.names[n] = i
		}
	}
	return c.names
}

// It is changed later.
type Sizes struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (s *Sizes) NamesBad(all []string) map[string]int {
	s.mu.Lock()
	if s.names == nil {
		s.names = make(map[string]int)
		for i, n := range all {
			s.names[n] = i
		}
	}
	s.mu.Unlock()
	return s.names // want `map-escape: s\.names`
}

func (s *Sizes) Add(n string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[n] = len(s.names)
}

// It is made anew: who has fetched it under the lock has a whole one, who looks at the
// field later may see the next one in the making.
type Weights struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (w *Weights) Reload(all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names = make(map[string]int)
	for i, n := range all {
		w.names[n] = i
	}
}

func (w *Weights) NamesOk() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.names
}

func (w *Weights) FirstOk() int {
	w.mu.Lock()
	names := w.names
	w.mu.Unlock()
	return names["first"]
}

func (w *Weights) NamesBad() map[string]int {
	w.mu.Lock()
	if w.names == nil {
		w.names = make(map[string]int)
	}
	w.mu.Unlock()
	return w.names // want `map-escape: w\.names`
}

// Two goroutines find that there is none, and each makes one.
type Tastes struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (t *Tastes) NamesBad(all []string) map[string]int {
	t.mu.Lock()
	none := t.names == nil
	t.mu.Unlock()
	if none {
		t.mu.Lock()
		t.names = make(map[string]int) // want `split-lock: t\.names`
		for i, n := range all {
			t.names[n] = i
		}
		t.mu.Unlock()
	}
	return t.names // want `map-escape: t\.names`
}

// The maps in it are changed later.
type Groups struct {
	mu    sync.Mutex
	names map[string]map[string]int // guarded by mu
}

func (g *Groups) NamesBad(all []string) map[string]map[string]int {
	g.mu.Lock()
	if g.names == nil {
		g.names = make(map[string]map[string]int)
		for _, n := range all {
			g.names[n] = make(map[string]int)
		}
	}
	g.mu.Unlock()
	return g.names // want `map-escape: g\.names`
}

func (g *Groups) Add(group, n string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.names[group][n]++
}

// A map that others have is given to the field, and then changed.
type Smells struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (s *Smells) NamesBad(first map[string]int, all []string) map[string]int {
	s.mu.Lock()
	if s.names == nil {
		s.names = first
		for i, n := range all {
			s.names[n] = i
		}
	}
	s.mu.Unlock()
	return s.names // want `map-escape: s\.names`
}
