package mapescape

import (
	"errors"
	"sync"
)

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

// A helper reads what the section of each of its callers has made.
type Metals struct {
	mu    sync.Mutex
	kinds []string
	names map[string]*metal // guarded by mu
}

type metal struct{ weight int }

func (m *Metals) Weight(alloy []string) (sum int) {
	m.prepare()
	return m.weigh(alloy)
}

func (m *Metals) Heavy(n string) bool {
	m.prepare()
	return m.weightOk(n) > 10
}

func (m *Metals) prepare() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names != nil {
		return
	}
	m.names = make(map[string]*metal)
	for _, n := range m.kinds {
		if _, ok := m.names[n]; !ok {
			m.names[n] = &metal{len(n)}
		}
	}
}

func (m *Metals) weigh(alloy []string) (sum int) {
	for _, n := range alloy {
		sum += m.weightOk(n)
	}
	return sum
}

func (m *Metals) weightOk(n string) int { return m.names[n].weight }

// One of the callers has not been there.
type Gases struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (g *Gases) Weight(n string) int {
	g.prepare()
	return g.weightBad(n)
}

func (g *Gases) Heavy(n string) bool { return g.weightBad(n) > 10 }

func (g *Gases) prepare() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.names == nil {
		g.names = make(map[string]int)
		g.names["air"] = 1
	}
}

func (g *Gases) weightBad(n string) int {
	return g.names[n] // want `unguarded-access: g\.names`
}

// It has been there with another object.
type Liquids struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
	of    *Liquids
}

func (l *Liquids) Weight(n string) int {
	l.prepare()
	return l.of.weightBad(n)
}

func (l *Liquids) prepare() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.names == nil {
		l.names = make(map[string]int)
		l.names["water"] = 1
	}
}

func (l *Liquids) weightBad(n string) int {
	return l.names[n] // want `unguarded-access: l\.names`
}

// The section comes behind the read, or only on some ways.
type Salts struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (s *Salts) Weight(n string, first bool) int {
	if first {
		s.prepare()
	}
	sum := s.weightBad(n)
	s.prepare()
	return sum
}

func (s *Salts) prepare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = make(map[string]int)
		s.names["rock"] = 1
	}
}

func (s *Salts) weightBad(n string) int {
	return s.names[n] // want `unguarded-access: s\.names`
}

// What is put in later comes beside the reads of a helper, too.
type Acids struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (a *Acids) Weight(n string) int {
	a.prepare()
	return a.weightBad(n)
}

func (a *Acids) Add(n string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names[n] = len(n)
}

func (a *Acids) prepare() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.names == nil {
		a.names = make(map[string]int)
		a.names["citric"] = 1
	}
}

func (a *Acids) weightBad(n string) int {
	return a.names[n] // want `unguarded-access: a\.names`
}

// What its callers go through may leave before it comes to the section.
type Stones struct {
	mu    sync.Mutex
	kinds []string
	names map[string]int // guarded by mu
}

func (s *Stones) Weight(n string) int {
	s.prepare()
	return s.weightBad(n)
}

func (s *Stones) prepare() {
	if len(s.kinds) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = make(map[string]int)
		for i, n := range s.kinds {
			s.names[n] = i
		}
	}
}

func (s *Stones) weightBad(n string) int {
	return s.names[n] // want `unguarded-access: s\.names`
}

// It says so by an error, after which the caller does not go on.
type Ores struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (o *Ores) Weight(n string, kinds []string) (int, error) {
	if err := o.prepare(kinds); err != nil {
		return 0, err
	}
	return o.weightOk(n), nil
}

func (o *Ores) prepare(kinds []string) error {
	if len(kinds) == 0 {
		return errors.New("no kinds")
	}
	o.mu.Lock()
	if o.names == nil {
		o.names = make(map[string]int)
		for i, n := range kinds {
			o.names[n] = i
		}
	}
	o.mu.Unlock()
	return nil
}

func (o *Ores) weightOk(n string) int { return o.names[n] }
