package ownership

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// maxKeys bounds the paths of one function that have a value of their own.
const maxKeys = 192

// A State is what is owned at one point: a finite map from access paths to
// values. A path without an entry has that of its longest prefix with one, and
// a root without one its value at the function's start, which base gives. The
// zero State is bottom: unreached. States are compared and joined path by path;
// they are not changed once another refers to them.
type State struct {
	reached bool
	// lost: there were too many paths; nothing is known any more.
	lost bool
	own  map[accesspath.Path]Value
	// at are the locations at which an object is published although it is
	// otherwise owned, by the object's path.
	at map[accesspath.Path]Fields
	// custody is that of maps that were read from their place.
	custody map[ssa.Value]Custody
	base    func(accesspath.Root) Value
}

// newState returns the state at a function's start.
func newState(base func(accesspath.Root) Value) State { return State{reached: true, base: base} }

func (s State) clone() State {
	s.own, s.at, s.custody = maps.Clone(s.own), maps.Clone(s.at), maps.Clone(s.custody)
	return s
}

// Lookup returns the value of what lies at p. Its own location counts, and
// those on the way to it.
func (s *State) Lookup(p accesspath.Path) Value {
	if !s.reached {
		return Unreached
	}
	if s.lost || !p.Known() {
		return Shared
	}
	v, found := s.base(p.Root()), false
	for q := p; q.Known(); q = q.Parent() {
		if !found {
			if x, ok := s.own[q]; ok {
				v, found = x, true
			}
		}
		if l, ok := s.at[q]; ok && l.meets(p, q) {
			return Shared
		}
	}
	return v
}

// set gives what lies at p a new value: what was known of its parts is gone.
func (s *State) set(p accesspath.Path, v Value) {
	s.drop(p)
	s.put(p, v)
}

// raise joins v into p and all its parts.
func (s *State) raise(p accesspath.Path, v Value) {
	old := s.Lookup(p)
	for q, x := range s.own {
		if q.HasPrefix(p) {
			s.own[q] = Join(x, v)
		}
	}
	s.put(p, Join(old, v))
}

func (s *State) put(p accesspath.Path, v Value) {
	if s.lost || len(s.own) >= maxKeys {
		s.lost = true
		return
	}
	if s.own == nil {
		s.own = make(map[accesspath.Path]Value)
	}
	s.own[p] = v
}

func (s *State) drop(p accesspath.Path) {
	for q := range s.own {
		if q.HasPrefix(p) {
			delete(s.own, q)
		}
	}
	for q := range s.at {
		if q.HasPrefix(p) {
			delete(s.at, q)
		}
	}
}

// publishAt lets others reach the object at p, at some of its fields only.
func (s *State) publishAt(p accesspath.Path, f Fields) {
	if s.at == nil {
		s.at = make(map[accesspath.Path]Fields)
	}
	s.at[p] = s.at[p].Union(f)
}

func (s *State) keep(v ssa.Value, c Custody) {
	if s.custody == nil {
		s.custody = make(map[ssa.Value]Custody)
	}
	s.custody[v] = c
}

// String lists what is known, in the order in which the paths were made.
func (s State) String() string {
	switch {
	case !s.reached:
		return "unreached"
	case s.lost:
		return "too many objects to tell apart: all are taken for shared"
	}
	var parts []string
	byID := func(a, b accesspath.Path) int { return a.ID() - b.ID() }
	for _, p := range slices.SortedFunc(maps.Keys(s.own), byID) {
		parts = append(parts, fmt.Sprintf("%s %s", p, s.own[p]))
	}
	for _, p := range slices.SortedFunc(maps.Keys(s.at), byID) {
		parts = append(parts, fmt.Sprintf("%s shared at %s", p, s.at[p]))
	}
	return strings.Join(parts, "; ")
}

// Lattice joins states; it serves the dataflow solver.
type Lattice struct{}

// Ident is bottom.
func (Lattice) Ident() State { return State{} }

// Equals reports whether both say the same.
func (Lattice) Equals(a, b State) bool {
	return a.reached == b.reached && a.lost == b.lost && maps.Equal(a.own, b.own) && maps.Equal(a.custody, b.custody) &&
		maps.EqualFunc(a.at, b.at, Fields.Equal)
}

// Merge is the join: path by path, where a path without an entry has its
// prefix's value.
func (Lattice) Merge(a, b State) State {
	switch {
	case !a.reached || b.lost:
		return b
	case !b.reached || a.lost:
		return a
	}
	out := State{reached: true, base: a.base, own: make(map[accesspath.Path]Value, len(a.own))}
	for p := range a.own {
		out.own[p] = Join(a.plain(p), b.plain(p))
	}
	for p := range b.own {
		if _, ok := a.own[p]; !ok {
			out.own[p] = Join(a.plain(p), b.plain(p))
		}
	}
	if len(out.own) > maxKeys {
		return State{reached: true, lost: true, base: a.base}
	}
	out.at = mergeWith(a.at, b.at, Fields.Union)
	out.custody = mergeWith(a.custody, b.custody, func(x, y Custody) Custody { return max(x, y) })
	return out
}

// plain is Lookup without the locations that goroutines reach.
func (s *State) plain(p accesspath.Path) Value {
	for q := p; q.Known(); q = q.Parent() {
		if v, ok := s.own[q]; ok {
			return v
		}
	}
	return s.base(p.Root())
}

func mergeWith[K comparable, V any](a, b map[K]V, join func(V, V) V) map[K]V {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(b)
	for k, v := range a {
		if w, ok := out[k]; ok {
			v = join(v, w)
		}
		out[k] = v
	}
	return out
}
