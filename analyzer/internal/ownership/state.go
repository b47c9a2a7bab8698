package ownership

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// maxKeys bounds the objects of one function that are told apart, and maxParts
// the paths of one object that have a value of their own.
const (
	maxKeys  = 160
	maxParts = 64
)

// An object is what is known of the paths with one root: the root's value and
// that of the parts that differ, and where goroutines reach which fields. It is
// never changed once it is made.
type object struct {
	val Value
	// cut: it has too many parts; it stays Shared as a whole until it is made
	// anew.
	cut   bool
	parts []part // by path
	at    []reached
}

type part struct {
	path accesspath.Path
	val  Value
}

// A State is what is owned at one point: a finite map from access paths to
// values. A path without an entry has that of its longest prefix with one, and
// a root without one its value at the function's start, which base gives. The
// zero State is bottom: unreached.
//
// What a state holds can be other states' too: only a clone is changed, and it
// copies a part before it changes that for the first time.
type State struct {
	reached bool
	// lost: there were too many objects; nothing is known any more.
	lost bool
	// apart: this state alone has own; kept apart: it alone has custody.
	apart, keptApart bool
	own              []owning // by root
	// custody is that of maps that were read from their place, by the numbers
	// that the Result gives them.
	custody []Custody
	base    func(accesspath.Root) Value
}

// owning is an object with its root.
type owning struct {
	root accesspath.Path
	*object
}

// newState returns the state at a function's start.
func newState(base func(accesspath.Root) Value) State { return State{reached: true, base: base} }

// clone returns a state that can be changed.
func (s State) clone() State {
	s.apart, s.keptApart = false, false
	return s
}

func rootOf(p accesspath.Path) accesspath.Path {
	for q := p; q.Known(); q = q.Parent() {
		p = q
	}
	return p
}

// find returns what is known of root, nil if nothing is.
func (s *State) find(root accesspath.Path) *object {
	if i, ok := s.search(root); ok {
		return s.own[i].object
	}
	return nil
}

func (s *State) search(root accesspath.Path) (int, bool) {
	return slices.BinarySearchFunc(s.own, root.ID(), func(o owning, id int) int { return o.root.ID() - id })
}

// object returns what is known of root; the value at the start if nothing is.
func (s *State) object(root accesspath.Path) *object {
	if o := s.find(root); o != nil {
		return o
	}
	return whole(s.base(root.Root()))
}

var wholes = [...]*object{{val: Shared}, {val: Owned}}

// whole returns an object all of which has one value.
func whole(v Value) *object {
	for _, o := range wholes {
		if o.val == v {
			return o
		}
	}
	return &object{val: v}
}

// whole reports whether all of the object has one value.
func (o *object) whole() bool { return len(o.parts) == 0 && len(o.at) == 0 }

func (o *object) lookup(p accesspath.Path) Value {
	v, depth := o.val, 0
	for _, x := range o.parts {
		if x.path.Depth() > depth && p.HasPrefix(x.path) {
			v, depth = x.val, x.path.Depth()
		}
	}
	for q := p; q.Known() && q.Depth() > 0; q = q.Parent() {
		if q.IsElem() && q.Depth() >= depth {
			v = o.joinElements(v, q)
		}
	}
	return v
}

// joinElements joins a value with those of the elements that may be the one at a path: of the same
// container, under a key that is not known to be another one.
func (o *object) joinElements(v Value, at accesspath.Path) Value {
	fixed := at.Key().InConst()
	for _, x := range o.parts {
		if x.path != at && x.path.IsElem() && x.path.Parent() == at.Parent() && !(fixed && x.path.Key().InConst()) {
			v = Join(v, x.val)
		}
	}
	return v
}

// reachedAt reports whether a goroutine can reach p.
func (o *object) reachedAt(p accesspath.Path) bool {
	return slices.ContainsFunc(o.at, func(r reached) bool { return p.HasPrefix(r.path) && r.fields.meets(p, r.path) })
}

// Lookup returns the value of what lies at p.
func (s *State) Lookup(p accesspath.Path) Value {
	switch {
	case !s.reached:
		return Unreached
	case s.lost || !p.Known():
		return Shared
	}
	o := s.find(rootOf(p))
	if o == nil {
		return s.base(p.Root())
	}
	if o.reachedAt(p) {
		return Shared
	}
	return o.lookup(p)
}

// storage returns the value of the variable or field at p itself, not of what
// it holds.
func (s *State) storage(p accesspath.Path) Value {
	if p.Depth() == 0 {
		return s.Lookup(p)
	}
	if s.lost || !s.reached {
		return Shared
	}
	o := s.object(rootOf(p))
	for _, r := range o.at {
		if p != r.path && p.HasPrefix(r.path) && r.fields.meets(p, r.path) {
			return Shared
		}
	}
	return o.lookup(p.Parent())
}

// with returns o with another value at p, and what was known of p's parts gone.
func (o *object) with(p accesspath.Path, v Value) *object {
	if o.cut {
		return o
	}
	out := &object{val: o.val, parts: make([]part, 0, len(o.parts)+1)}
	for _, x := range o.parts {
		if !x.path.HasPrefix(p) {
			out.parts = append(out.parts, x)
		}
	}
	for _, r := range o.at {
		if !r.path.HasPrefix(p) {
			out.at = append(out.at, r)
		}
	}
	return out.add(p, v)
}

// add puts a value for p into an object under construction.
func (o *object) add(p accesspath.Path, v Value) *object {
	if o.cut {
		return o
	}
	i, found := slices.BinarySearchFunc(o.parts, p, func(x part, p accesspath.Path) int { return x.path.ID() - p.ID() })
	if found {
		o.parts[i].val = v
		return o
	}
	if len(o.parts) >= maxParts {
		return &object{val: Shared, cut: true}
	}
	o.parts = slices.Insert(o.parts, i, part{p, v})
	return o
}

func (s *State) put(root accesspath.Path, o *object) {
	if s.lost {
		return
	}
	i, found := s.search(root)
	switch {
	case found && s.own[i].object == o:
		return
	case !found && len(s.own) == maxKeys:
		s.lost, s.own = true, nil
		return
	case !s.apart:
		s.own, s.apart = append(make([]owning, 0, len(s.own)+4), s.own...), true
	}
	if found {
		s.own[i].object = o
	} else {
		s.own = slices.Insert(s.own, i, owning{root, o})
	}
}

// set gives what lies at p a new value: what was known of its parts is gone.
func (s *State) set(p accesspath.Path, v Value) {
	root := rootOf(p)
	o := s.find(root)
	switch {
	case o == nil && v == Shared && s.base(root.Root()) == Shared:
		return
	case o != nil && o.whole() && o.val == v:
		return
	case p == root:
		s.put(root, whole(v))
		return
	case o == nil:
		o = whole(s.base(root.Root()))
	}
	s.put(root, o.with(p, v))
}

// raise joins v into p and all its parts.
func (s *State) raise(p accesspath.Path, v Value) {
	root := rootOf(p)
	old := s.object(root)
	if old.cut || old.whole() && v.Leq(old.val) {
		return
	}
	o := &object{val: old.val, parts: append(make([]part, 0, len(old.parts)+1), old.parts...), at: old.at}
	for i := range o.parts {
		if x := &o.parts[i]; x.path.HasPrefix(p) {
			x.val = Join(x.val, v)
		}
	}
	if p == root {
		o.val = Join(o.val, v)
	} else {
		o = o.add(p, Join(old.lookup(p), v))
	}
	s.put(root, o)
}

// publishAt lets others reach the object at p, at some of its fields only.
func (s *State) publishAt(p accesspath.Path, f Fields) {
	s.publishAll(rootOf(p), []accesspath.Path{p}, f)
}

// publishAll is publishAt for paths with one root, in the order of their numbers.
func (s *State) publishAll(root accesspath.Path, paths []accesspath.Path, f Fields) {
	old := s.object(root)
	if old.val == Shared && len(old.parts) == 0 {
		return
	}
	at := make([]reached, len(paths))
	for i, p := range paths {
		at[i] = reached{p, f}
	}
	if !includes(old.at, at) {
		s.put(root, &object{val: old.val, parts: old.parts, at: mergeAt(old.at, at)})
	}
}

// keep gives the n-th read a custody.
func (s *State) keep(n int, c Custody) {
	if s.kept(n) == c {
		return
	}
	if !s.keptApart {
		s.custody, s.keptApart = slices.Clone(s.custody), true
	}
	for n >= len(s.custody) {
		s.custody = append(s.custody, Nowhere)
	}
	s.custody[n] = c
}

func (s *State) kept(n int) Custody {
	if n < len(s.custody) {
		return s.custody[n]
	}
	return Nowhere
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
	for _, o := range s.own {
		parts = append(parts, fmt.Sprintf("%s %s", o.root, o.val))
		for _, x := range o.parts {
			parts = append(parts, fmt.Sprintf("%s %s", x.path, x.val))
		}
		for _, r := range o.at {
			parts = append(parts, fmt.Sprintf("%s shared at %s", r.path, r.fields))
		}
	}
	return strings.Join(parts, "; ")
}

// Lattice joins states; it serves the dataflow solver.
type Lattice struct{}

// Ident is bottom.
func (Lattice) Ident() State { return State{} }

// Equals reports whether both say the same.
func (Lattice) Equals(a, b State) bool {
	return a.reached == b.reached && a.lost == b.lost && slices.EqualFunc(a.own, b.own, owning.equal) && equalCustody(a.custody, b.custody)
}

func (o owning) equal(b owning) bool { return o.root == b.root && o.object.equal(b.object) }

func equalCustody(a, b []Custody) bool {
	n := min(len(a), len(b))
	rest := func(c Custody) bool { return c != Nowhere }
	return slices.Equal(a[:n], b[:n]) && !slices.ContainsFunc(a[n:], rest) && !slices.ContainsFunc(b[n:], rest)
}

func (o *object) equal(b *object) bool {
	return o == b || o.val == b.val && o.cut == b.cut && slices.Equal(o.parts, b.parts) &&
		slices.EqualFunc(o.at, b.at, func(x, y reached) bool { return x.path == y.path && x.fields.Equal(y.fields) })
}

// Merge is the join: path by path, where a path without an entry has its
// prefix's value.
func (Lattice) Merge(a, b State) State {
	switch {
	case !a.reached:
		return b
	case !b.reached:
		return a
	case a.lost || b.lost:
		return State{reached: true, lost: true, base: a.base}
	}
	a.own, a.apart = a.mergeOwn(&b), false
	if len(a.own) > maxKeys {
		return State{reached: true, lost: true, base: a.base}
	}
	a.custody, a.keptApart = mergeCustody(a.custody, b.custody), false
	return a
}

// mergeOwn joins what two states say of each object. It returns what s has if
// that says all.
func (s *State) mergeOwn(b *State) []owning {
	var out []owning // nil as long as it is the same as that of s
	i, j := 0, 0
	for i < len(s.own) || j < len(b.own) {
		next := owning{}
		switch at := order(s.own, b.own, i, j); {
		case at == 0:
			next = owning{s.own[i].root, mergeObjects(s.own[i].object, b.own[j].object)}
			j++
		case at < 0:
			next = owning{s.own[i].root, mergeObjects(s.own[i].object, whole(b.base(s.own[i].root.Root())))}
		default:
			next = owning{b.own[j].root, mergeObjects(whole(s.base(b.own[j].root.Root())), b.own[j].object)}
			j++
		}
		same := i < len(s.own) && next == s.own[i]
		if out == nil && !same {
			out = append(make([]owning, 0, len(s.own)+len(b.own)-j+1), s.own[:i]...)
		}
		if out != nil {
			out = append(out, next)
		}
		if i < len(s.own) && next.root == s.own[i].root {
			i++
		}
	}
	if out == nil {
		return s.own
	}
	return out
}

// order compares the roots at i and j; where one list is at its end, the
// other's comes first.
func order(a, b []owning, i, j int) int {
	switch {
	case j == len(b):
		return -1
	case i == len(a):
		return 1
	}
	return a[i].root.ID() - b[j].root.ID()
}

func mergeObjects(a, b *object) *object {
	if a.cut || b.cut {
		return &object{val: Shared, cut: true}
	}
	switch {
	case a == b || a.covers(b):
		return a
	case b.covers(a):
		return b
	}
	out := &object{val: Join(a.val, b.val), at: mergeAt(a.at, b.at)}
	if n := max(len(a.parts), len(b.parts)); n > 0 {
		out.parts = make([]part, 0, n)
	}
	for _, x := range a.parts {
		out = out.add(x.path, Join(x.val, b.lookup(x.path)))
	}
	for _, y := range b.parts {
		out = out.add(y.path, Join(a.lookup(y.path), y.val))
	}
	return out
}

// covers reports whether joining b to o changes nothing.
func (o *object) covers(b *object) bool {
	if !b.val.Leq(o.val) || !includes(o.at, b.at) {
		return false
	}
	i := 0
	for _, x := range o.parts {
		if i < len(b.parts) && b.parts[i].path == x.path {
			i++
		}
		if !b.lookup(x.path).Leq(x.val) {
			return false
		}
	}
	return i == len(b.parts) // b has no part that o lacks
}

// mergeCustody takes the greater of both, for each read.
func mergeCustody(a, b []Custody) []Custody {
	var out []Custody // nil as long as it is the same as a
	for n, c := range b {
		if n < len(a) && a[n] >= c {
			continue
		}
		if out == nil {
			out = make([]Custody, max(len(a), len(b)))
			copy(out, a)
		}
		out[n] = c
	}
	if out == nil {
		return a
	}
	return out
}
