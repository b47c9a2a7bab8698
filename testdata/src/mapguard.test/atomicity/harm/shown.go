package harm

import (
	"io"
	"sync"
	"sync/atomic"
)

// Structs that are kept by pointer: two copies do harm where something shows that
// they can come to differ.

// A node of a tree that is parsed once. Its methods give what they make of it.
type node interface {
	Append([]byte) []byte
	isNode()
}

type parsed struct {
	root node
	err  error
}

// A Layout has exported fields, which nothing here writes once it is made.
type Layout struct {
	Name   string
	Fields []string
	Format func(string) string
}

// A Basket is made with a map that others are to fill.
type Basket struct {
	Name  string
	Items map[string]int
}

// output is called for what it does.
type output struct {
	w    io.Writer
	tags []string
}

type notifier struct {
	notify func(string)
	tags   []string
}

type drawing struct {
	next func() int
	tags []string
}

type hits struct {
	n    int64
	tags []string
}

type flagged struct {
	on   atomic.Bool
	tags []string
}

type latched struct {
	on   atomic.Bool
	tags []string
}

// A plan is filled in before any map has it, a draft once one has.
type plan struct{ steps []string }
type draft struct{ steps []string }

// A crew is as it was made, and so is a team, but its members are not: one works from
// the start, the others do what they are told.
type crew struct{ names []string }
type team struct{ members []player }
type player interface{ Do(string) error }

// tree leads to leaves, one of which is changed.
type tree struct{ first *leaf }
type leaf struct {
	up    *tree
	words []string
}

type shown struct {
	mu      sync.Mutex
	parsed  map[string]*parsed
	layouts map[string]*Layout
	baskets map[string]*Basket
	outputs map[string]*output
	notify  map[string]*notifier
	drawing map[string]*drawing
	hits    map[string]*hits
	flags   map[string]*flagged
	latches map[string]*latched
	plans   map[string]*plan
	drafts  map[string]*draft
	trees   map[string]*tree
	crews   map[string]*crew
	teams   map[string]*team
}

func (s *shown) parsedOk(k string, parse func(string) (node, error)) (node, error) {
	s.mu.Lock()
	v := s.parsed[k]
	s.mu.Unlock()
	if v == nil {
		root, err := parse(k)
		v = &parsed{root, err}
		s.mu.Lock()
		s.parsed[k] = v
		s.mu.Unlock()
	}
	return v.root, v.err
}

func (s *shown) layoutOk(k string, format func(string) string) *Layout {
	s.mu.Lock()
	v := s.layouts[k]
	s.mu.Unlock()
	if v == nil {
		v = &Layout{Name: k, Fields: []string{k}, Format: format}
		s.mu.Lock()
		s.layouts[k] = v
		s.mu.Unlock()
	}
	return v
}

func (s *shown) basketBad(k string) *Basket {
	s.mu.Lock()
	v := s.baskets[k]
	s.mu.Unlock()
	if v == nil {
		v = &Basket{Name: k, Items: make(map[string]int)}
		s.mu.Lock()
		s.baskets[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (s *shown) outputBad(k string, w io.Writer) *output {
	s.mu.Lock()
	v := s.outputs[k]
	s.mu.Unlock()
	if v == nil {
		v = &output{w: w}
		s.mu.Lock()
		s.outputs[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (s *shown) notifierBad(k string, f func(string)) *notifier {
	s.mu.Lock()
	v := s.notify[k]
	s.mu.Unlock()
	if v == nil {
		v = &notifier{notify: f}
		s.mu.Lock()
		s.notify[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (s *shown) drawingBad(k string) *drawing {
	s.mu.Lock()
	v := s.drawing[k]
	s.mu.Unlock()
	if v == nil {
		n := 0
		v = &drawing{next: func() int { n++; return n }}
		s.mu.Lock()
		s.drawing[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (s *shown) hitsBad(k string) *hits {
	s.mu.Lock()
	v := s.hits[k]
	s.mu.Unlock()
	if v == nil {
		v = &hits{tags: []string{k}}
		s.mu.Lock()
		s.hits[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (h *hits) count() { atomic.AddInt64(&h.n, 1) }

func (s *shown) flaggedOk(k string) *flagged {
	s.mu.Lock()
	v := s.flags[k]
	s.mu.Unlock()
	if v == nil {
		v = &flagged{tags: []string{k}}
		v.on.Store(len(k) > 3)
		s.mu.Lock()
		s.flags[k] = v
		s.mu.Unlock()
	}
	return v
}

func (s *shown) latchedBad(k string) *latched {
	s.mu.Lock()
	v := s.latches[k]
	s.mu.Unlock()
	if v == nil {
		v = &latched{tags: []string{k}}
		s.mu.Lock()
		s.latches[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (l *latched) trip() bool { return l.on.CompareAndSwap(false, true) }

func (s *shown) planOk(k string) *plan {
	s.mu.Lock()
	v := s.plans[k]
	s.mu.Unlock()
	if v == nil {
		v = &plan{}
		v.steps = append(v.steps, k)
		s.mu.Lock()
		s.plans[k] = v
		s.mu.Unlock()
	}
	return v
}

func (s *shown) draftBad(k string) *draft {
	s.mu.Lock()
	v := s.drafts[k]
	s.mu.Unlock()
	if v == nil {
		made := &draft{}
		s.mu.Lock()
		s.drafts[k] = made // want `split-lock: .*high`
		s.mu.Unlock()
		made.steps = append(made.steps, k)
		return made
	}
	return v
}

func (s *shown) treeBad(k string) *tree {
	s.mu.Lock()
	v := s.trees[k]
	s.mu.Unlock()
	if v == nil {
		v = &tree{&leaf{}}
		s.mu.Lock()
		s.trees[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (t *tree) say(w string) { t.first.words = append(t.first.words, w) }

func newCrew(k string) *crew {
	c := &crew{names: []string{k}}
	go func() { println(c.names[0]) }()
	return c
}

func (s *shown) crewBad(k string) *crew {
	s.mu.Lock()
	v := s.crews[k]
	s.mu.Unlock()
	if v == nil {
		v = newCrew(k)
		s.mu.Lock()
		s.crews[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

func (s *shown) teamBad(k string, hire func(string) player) *team {
	s.mu.Lock()
	v := s.teams[k]
	s.mu.Unlock()
	if v == nil {
		v = &team{members: []player{hire(k)}}
		s.mu.Lock()
		s.teams[k] = v // want `split-lock: .*high`
		s.mu.Unlock()
	}
	return v
}

// What a key is made of was not worth making: only the pointer tells two of them apart.
type handle[K comparable] struct{ key K }

type handles[K comparable] struct {
	mu  sync.Mutex
	all map[K]*handle[K]
}

func (h *handles[K]) getBad(k K) *handle[K] {
	h.mu.Lock()
	v := h.all[k]
	h.mu.Unlock()
	if v == nil {
		v = &handle[K]{k}
		h.mu.Lock()
		h.all[k] = v // want `split-lock: .*high`
		h.mu.Unlock()
	}
	return v
}
