// Package lockset is the lattice of must-held lock sets.
//
// A [State] says which locks are held on every path to a program point, in
// which mode and by which acquisition. States are ordered by what they
// promise: top (unreached) promises everything, the empty reached state
// promises nothing. Merge is the greatest lower bound, so solving with it from
// top gives the locks that must be held. The chain from top to bottom is finite:
// merging only drops locks, weakens modes and unites acquisitions.
//
// A lock may also be held under a condition: after
//
//	if locking { mu.Lock() }
//
// mu is held where locking is true. Such an entry arises only at a merge of a
// state that knows the condition true with one that knows it false. Any other
// lock that only one side of a merge took is noted as held perhaps.
package lockset

import (
	"cmp"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// A Mode is how a lock is held. Read is the weaker.
type Mode uint8

const (
	// Read is a read lock (RLock).
	Read Mode = iota + 1
	// Write is an exclusive lock.
	Write
)

// An Acq identifies the acquisitions that may have taken a held lock: up to
// four positive numbers, sorted, the rest zero. [Many] stands for more.
// Two points with equal Acq lie in the same critical section, as far as
// acquisitions can tell.
type Acq [4]int32

// Many is the acquisition set that is too large to list.
var Many = Acq{-1, -1, -1, -1}

// Entry is the acquisition of locks that the caller holds.
var Entry = AcqOf(1 << 30)

// AcqOf returns the set of the one acquisition id, which must be positive.
func AcqOf(id int32) Acq { return Acq{id} }

// Union returns the acquisitions in a or b.
func (a Acq) Union(b Acq) Acq {
	if a == b {
		return a
	}
	if a == Many || b == Many {
		return Many
	}
	var ids []int32
	for _, x := range [...]Acq{a, b} {
		for _, id := range x {
			if id != 0 {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > len(a) {
		return Many
	}
	var u Acq
	copy(u[:], ids)
	return u
}

// A Cond is a branch condition and the outcome under which it is considered.
// The zero Cond is always true.
type Cond struct {
	Val   accesspath.Path
	Truth bool
}

// Not returns the condition with the opposite outcome.
func (c Cond) Not() Cond { return Cond{c.Val, !c.Truth} }

// A Held is one lock that is held, if If holds.
type Held struct {
	Lock accesspath.Path
	If   Cond
	Mode Mode
	Acq  Acq
}

// A State is an element of the lattice. States are values: operations return
// new ones and share what did not change. The zero State is top.
type State struct {
	reached  bool
	held     []Held            // sorted by lock, condition
	released []accesspath.Path // sorted: locks of the caller that may have been released
	assumed  []Cond            // sorted: branch outcomes that are known here
	maybe    []accesspath.Path // sorted: locks taken on some paths only
	dropped  []accesspath.Path // sorted: locks let go on some path
}

// maxAssumed bounds the branch outcomes that a state remembers.
const maxAssumed = 6

// Reached returns the state at a function's entry: nothing held, no promise.
func Reached() State { return State{reached: true} }

// IsTop reports whether no path reaches the state.
func (s State) IsTop() bool { return !s.reached }

func compareCond(a, b Cond) int {
	if c := cmp.Compare(a.Val.ID(), b.Val.ID()); c != 0 {
		return c
	}
	switch {
	case a.Truth == b.Truth:
		return 0
	case b.Truth:
		return -1
	}
	return 1
}

func compareHeld(a, b Held) int {
	if c := cmp.Compare(a.Lock.ID(), b.Lock.ID()); c != 0 {
		return c
	}
	return compareCond(a.If, b.If)
}

func comparePath(a, b accesspath.Path) int { return cmp.Compare(a.ID(), b.ID()) }

// Acquire returns s with lock held.
func (s State) Acquire(lock accesspath.Path, mode Mode, acq Acq) State {
	if s.IsTop() || !lock.Known() {
		return s
	}
	held := s.without(lock)
	h := Held{Lock: lock, Mode: mode, Acq: acq}
	i, _ := slices.BinarySearchFunc(held, h, compareHeld)
	s.held = slices.Insert(held, i, h)
	s.maybe, s.dropped = drop(s.maybe, lock), drop(s.dropped, lock)
	return s
}

// Release returns s with lock not held. A lock that s does not hold in any
// case is noted as one of the caller's.
func (s State) Release(lock accesspath.Path) State {
	if s.IsTop() || !lock.Known() {
		return s
	}
	if h, ok := s.Find(lock); !ok || h.If.Val.Known() {
		if i, found := slices.BinarySearchFunc(s.released, lock, comparePath); !found {
			s.released = slices.Insert(slices.Clone(s.released), i, lock)
		}
	}
	s.dropped = union(s.dropped, []accesspath.Path{lock})
	s.held = s.without(lock)
	s.maybe = drop(s.maybe, lock)
	return s
}

// drop returns paths without p; it does not change the slice it gets.
func drop(paths []accesspath.Path, p accesspath.Path) []accesspath.Path {
	i, found := slices.BinarySearchFunc(paths, p, comparePath)
	if !found {
		return paths
	}
	return slices.Delete(slices.Clone(paths), i, i+1)
}

// Reacquire returns s in which every held lock that match accepts, belongs to a new
// critical section acq: it was released and taken again.
func (s State) Reacquire(acq Acq, match func(Held) bool) State {
	held := slices.Clone(s.held)
	for i := range held {
		if match(held[i]) {
			held[i].Acq = acq
		}
	}
	s.held = normalize(held)
	return s
}

func (s State) without(lock accesspath.Path) []Held {
	out := make([]Held, 0, len(s.held)+1)
	for _, h := range s.held {
		if h.Lock != lock {
			out = append(out, h)
		}
	}
	return out
}

// Find returns how lock is held. A lock that is held under a condition counts:
// the function takes it whenever its caller asks for it.
func (s State) Find(lock accesspath.Path) (Held, bool) {
	for _, h := range s.held {
		if h.Lock == lock {
			return h, true
		}
	}
	return Held{}, false
}

// Held returns the locks held, sorted; the caller must not change it.
func (s State) Held() []Held { return s.held }

// Released returns the caller's locks that may have been released on the way;
// the caller must not change it.
func (s State) Released() []accesspath.Path { return s.released }

// Maybe returns the locks that are taken on some paths to the point and not on
// others, as far as s does not know which; the caller must not change it. They
// promise nothing, but what happens here may well be covered. A lock that was
// held and let go on one of the paths is not among them: there it is plainly
// missing.
func (s State) Maybe() []accesspath.Path { return s.maybe }

// Suspect returns s with lock held perhaps.
func (s State) Suspect(lock accesspath.Path) State {
	if _, held := s.Find(lock); held || s.IsTop() || !lock.Known() {
		return s
	}
	if _, lost := slices.BinarySearchFunc(s.dropped, lock, comparePath); lost {
		return s
	}
	s.maybe = union(s.maybe, []accesspath.Path{lock})
	return s
}

// Assume returns s on the branch where c holds. A lock held under c is held;
// one held under its opposite is not.
func (s State) Assume(c Cond) State {
	if s.IsTop() || !c.Val.Known() {
		return s
	}
	if i, found := slices.BinarySearchFunc(s.assumed, c, compareCond); !found && len(s.assumed) < maxAssumed {
		s.assumed = slices.Insert(slices.Clone(s.assumed), i, c)
	}
	if !slices.ContainsFunc(s.held, func(h Held) bool { return h.If.Val == c.Val }) {
		return s
	}
	var held []Held
	for _, lock := range locksOf(s, State{}) {
		if h, ok := s.entry(lock, c); ok {
			h.If = Cond{}
			held = append(held, h)
		}
		for _, h := range s.held {
			if h.Lock == lock && h.If.Val.Known() && h.If.Val != c.Val {
				held = append(held, h)
			}
		}
	}
	s.held = normalize(held)
	return s
}

// Forget returns s without what it knows of the condition val, because val
// takes a new value here.
func (s State) Forget(val accesspath.Path) State {
	uses := func(c Cond) bool { return c.Val == val }
	if !slices.ContainsFunc(s.assumed, uses) && !slices.ContainsFunc(s.held, func(h Held) bool { return uses(h.If) }) {
		return s
	}
	s.assumed = slices.DeleteFunc(slices.Clone(s.assumed), uses)
	before := s
	s.held = slices.DeleteFunc(slices.Clone(s.held), func(h Held) bool { return uses(h.If) })
	for _, h := range before.held {
		s = s.Suspect(h.Lock)
	}
	return s
}

// Conditional reports whether s knows any branch outcome or conditional lock.
func (s State) Conditional() bool {
	return len(s.assumed) > 0 || slices.ContainsFunc(s.held, func(h Held) bool { return h.If.Val.Known() })
}

// normalize sorts held and drops conditional entries that say no more than
// the unconditional entry of the same lock.
func normalize(held []Held) []Held {
	slices.SortFunc(held, compareHeld)
	out := held[:0]
	var any Held // the unconditional entry of the lock at hand
	for _, h := range held {
		switch {
		case !h.If.Val.Known():
			any = h
		case h.Lock == any.Lock && h.Mode == any.Mode && h.Acq == any.Acq:
			continue
		}
		out = append(out, h)
	}
	return out
}

// Lattice is the semilattice of States, for the dataflow solver.
// Ident is top; Merge is associative, commutative and idempotent.
type Lattice struct{}

// Ident returns top, the state of a point that no path reaches.
func (Lattice) Ident() State { return State{} }

// Equals reports whether a and b are the same element.
func (Lattice) Equals(a, b State) bool {
	return a.reached == b.reached && slices.Equal(a.held, b.held) &&
		slices.Equal(a.released, b.released) && slices.Equal(a.assumed, b.assumed) &&
		slices.Equal(a.maybe, b.maybe) && slices.Equal(a.dropped, b.dropped)
}

// Merge returns the greatest lower bound: what holds whichever of the two
// paths was taken. Complexity: linear in the locks, times the conditions.
func (l Lattice) Merge(a, b State) State {
	switch {
	case a.IsTop():
		return b
	case b.IsTop():
		return a
	case l.Equals(a, b):
		return a
	}
	out := State{reached: true}
	for _, c := range a.assumed {
		if _, both := slices.BinarySearchFunc(b.assumed, c, compareCond); both {
			out.assumed = append(out.assumed, c)
		}
	}
	out.released = union(a.released, b.released)
	conds := candidates(a, b)
	for _, lock := range locksOf(a, b) {
		for _, c := range conds {
			if h, ok := meet(a, b, lock, c); ok && !out.knows(c.Not()) {
				out.held = append(out.held, h)
			}
		}
	}
	out.held = normalize(out.held)
	out.dropped = union(a.dropped, b.dropped)
	for _, lock := range union(locksOf(a, b), union(a.maybe, b.maybe)) {
		_, held := out.Find(lock)
		if _, lost := slices.BinarySearchFunc(out.dropped, lock, comparePath); !held && !lost {
			out.maybe = append(out.maybe, lock)
		}
	}
	return out
}

// entail returns what s promises of lock when c holds: anything when s knows
// that c does not hold, else what an entry says.
func (s State) entail(lock accesspath.Path, c Cond) (h Held, explicit, vacuous bool) {
	if s.knows(c.Not()) {
		return Held{}, false, true
	}
	h, explicit = s.entry(lock, c)
	return h, explicit, false
}

// entry returns the entry that speaks of lock when c holds: its own, or the
// unconditional one.
func (s State) entry(lock accesspath.Path, c Cond) (h Held, ok bool) {
	for _, e := range s.held {
		if e.Lock == lock && (!e.If.Val.Known() || e.If == c) {
			h, ok = e, true // the unconditional one stands first
		}
	}
	return h, ok
}

func (s State) knows(c Cond) bool {
	_, ok := slices.BinarySearchFunc(s.assumed, c, compareCond)
	return ok && c.Val.Known()
}

func meet(a, b State, lock accesspath.Path, c Cond) (Held, bool) {
	ha, exA, vacA := a.entail(lock, c)
	hb, exB, vacB := b.entail(lock, c)
	switch {
	case exA && exB:
		return Held{lock, c, min(ha.Mode, hb.Mode), ha.Acq.Union(hb.Acq)}, true
	case exA && vacB:
		return Held{lock, c, ha.Mode, ha.Acq}, true
	case vacA && exB:
		return Held{lock, c, hb.Mode, hb.Acq}, true
	}
	return Held{}, false
}

// candidates returns the conditions under which a merged lock can be held,
// the unconditional one first, sorted.
func candidates(a, b State) []Cond {
	conds := []Cond{{}}
	for _, s := range [...]State{a, b} {
		for _, h := range s.held {
			if h.If.Val.Known() {
				conds = append(conds, h.If)
			}
		}
		for _, c := range s.assumed {
			conds = append(conds, c.Not())
		}
	}
	slices.SortFunc(conds, compareCond)
	return slices.Compact(conds)
}

func locksOf(a, b State) []accesspath.Path {
	var locks []accesspath.Path
	for _, s := range [...]State{a, b} {
		for _, h := range s.held {
			locks = append(locks, h.Lock)
		}
	}
	slices.SortFunc(locks, comparePath)
	return slices.Compact(locks)
}

func union(a, b []accesspath.Path) []accesspath.Path {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	u := slices.Concat(a, b)
	slices.SortFunc(u, comparePath)
	return slices.Compact(u)
}
