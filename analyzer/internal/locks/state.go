package locks

import (
	"cmp"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// MaxCases bounds the cases of a state.
const MaxCases = 8

// A Case is what some of the paths to a point have in common.
type Case struct {
	// When are the branch outcomes that all of them know, sorted.
	When []Cond
	// Locks are the locks that they changed, sorted by path.
	Locks []Lock
	// registered are the deferred calls that all or some of them registered,
	// by their number, and unsure those that only some did.
	registered, unsure uint64
}

// A Held is one lock that is held in any case.
type Held struct {
	Lock accesspath.Path
	Mode Mode
	Sec  Sections
	// Lent: it is as good as a read lock, since the one who started the goroutine holds it, for writing, for all that
	// it started; it keeps out those who are none of them.
	Lent bool
}

// A State is an element of the lattice. States are values: operations return
// new ones and share what did not change. The zero State is top.
type State struct{ s *state }

type state struct {
	cases   []Case            // sorted by what they say of locks and deferred calls, which is unique
	dropped []accesspath.Path // sorted: locks let go on some path, and not taken since
	widened bool
	held    []Held // in any case, sorted
}

var reached = newState([]Case{{}}, nil, false)

// Reached returns the state at a function's entry: nothing changed yet.
func Reached() State { return reached }

// Make returns the state of the given cases, which must be consistent.
func Make(cases []Case, dropped []accesspath.Path, widened bool) State {
	for i := range cases {
		slices.SortFunc(cases[i].When, compareCond)
		cases[i].Locks = tidy(cases[i].Locks)
	}
	slices.SortFunc(dropped, comparePath)
	return newState(cases, dropped, widened)
}

// newState sorts and bounds the cases, whose slices it takes over.
func newState(cases []Case, dropped []accesspath.Path, widened bool) State {
	if len(cases) == 0 {
		return State{}
	}
	cases = unite(cases)
	if len(cases) > MaxCases || widened && len(cases) > 1 {
		cases, widened = []Case{widen(cases)}, true
	}
	return State{&state{cases: cases, dropped: dropped, widened: widened, held: must(cases)}}
}

// unite sorts the cases and makes one of those that differ in nothing but what
// they know.
func unite(cases []Case) []Case {
	if len(cases) == 1 {
		return cases
	}
	slices.SortStableFunc(cases, compareCase)
	out := cases[:1]
	for _, c := range cases[1:] {
		last := &out[len(out)-1]
		if compareCase(*last, c) == 0 {
			last.When = common(last.When, c.When)
			continue
		}
		out = append(out, c)
	}
	return out
}

func compareCase(a, b Case) int {
	if c := cmp.Or(cmp.Compare(a.registered, b.registered), cmp.Compare(a.unsure, b.unsure)); c != 0 {
		return c
	}
	return slices.CompareFunc(a.Locks, b.Locks, compareLock)
}

// widen makes one case of many: of each lock, all that any of them says.
func widen(cases []Case) Case {
	out := cases[0]
	for _, c := range cases[1:] {
		out.When = common(out.When, c.When)
		out.unsure |= c.unsure | (out.registered ^ c.registered)
		out.registered |= c.registered
		out.Locks = zip(out.Locks, c.Locks, Lock.join)
	}
	return out
}

// zip combines what two cases say of each lock that either mentions.
func zip(a, b []Lock, f func(x, y Lock) Lock) []Lock {
	out := make([]Lock, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var l Lock
		switch {
		case len(b) == 0 || len(a) > 0 && comparePath(a[0].Path, b[0].Path) < 0:
			l = f(a[0], Lock{Path: a[0].Path, Can: Kept})
			a = a[1:]
		case len(a) == 0 || comparePath(a[0].Path, b[0].Path) > 0:
			l = f(Lock{Path: b[0].Path, Can: Kept}, b[0])
			b = b[1:]
		default:
			l = f(a[0], b[0])
			a, b = a[1:], b[1:]
		}
		if !l.untouched() {
			out = append(out, l)
		}
	}
	return out
}

// tidy sorts the locks and joins what is said twice.
func tidy(locks []Lock) []Lock {
	slices.SortStableFunc(locks, func(a, b Lock) int { return comparePath(a.Path, b.Path) })
	out := locks[:0]
	for _, l := range locks {
		switch {
		case l.untouched() || !l.Path.Known():
		case len(out) > 0 && out[len(out)-1].Path == l.Path:
			out[len(out)-1] = out[len(out)-1].join(l)
		default:
			out = append(out, l)
		}
	}
	return out
}

// must returns the locks that all cases hold, by their own names: a case that knows two
// objects to be one names the lock by the other, and comes last.
func must(cases []Case) []Held {
	first := slices.IndexFunc(cases, func(c Case) bool { return !c.equates() })
	if first < 0 {
		first = 0
	}
	var out []Held
	for _, l := range cases[first].Locks {
		for i := range cases {
			if i != first {
				l = l.join(cases[i].held(l.Path))
			}
		}
		if l.Must() && !breaks(cases, l.Path) {
			out = append(out, Held{Lock: l.Path, Mode: l.Mode, Sec: l.Sec})
		}
	}
	return out
}

// equates reports whether the case knows that two objects are one.
func (c Case) equates() bool {
	return slices.ContainsFunc(c.When, func(w Cond) bool { return w.Holds && w.Left.Known() })
}

// held returns what the case says of a lock, by whichever name it has.
func (c Case) held(p accesspath.Path) Lock {
	own := c.lock(p)
	if own.Must() || own.Can != Kept || !c.equates() {
		return own
	}
	for _, l := range c.Locks {
		if l.Must() && slices.ContainsFunc(c.When, func(w Cond) bool { return w.mirrors(p, l.Path) }) {
			l.Path = p
			return l
		}
	}
	return own
}

// Excludes reports whether the case knows that a condition does not hold.
func (c Case) Excludes(cond Cond) bool { return knows(c.When, cond.Not()) }

// lock returns what the case says of a lock.
func (c Case) lock(p accesspath.Path) Lock {
	i, found := slices.BinarySearchFunc(c.Locks, p, func(l Lock, p accesspath.Path) int { return comparePath(l.Path, p) })
	if !found {
		return Lock{Path: p, Can: Kept}
	}
	return c.Locks[i]
}

// set returns the case with what is said of one lock replaced.
func (c Case) set(l Lock) Case {
	i, found := slices.BinarySearchFunc(c.Locks, l.Path, func(l Lock, p accesspath.Path) int { return comparePath(l.Path, p) })
	switch {
	case found && l.untouched():
		c.Locks = slices.Delete(slices.Clone(c.Locks), i, i+1)
	case found:
		c.Locks = slices.Clone(c.Locks)
		c.Locks[i] = l
	case !l.untouched():
		locks := make([]Lock, 0, len(c.Locks)+1)
		c.Locks = append(append(append(locks, c.Locks[:i]...), l), c.Locks[i:]...)
	}
	return c
}

// each returns the state in which every case is replaced.
func (s State) each(f func(Case) Case) State {
	cases := make([]Case, len(s.s.cases))
	for i, c := range s.s.cases {
		cases[i] = f(c)
	}
	return newState(cases, s.s.dropped, s.s.widened)
}

// IsTop reports whether no path reaches the state.
func (s State) IsTop() bool { return s.s == nil }

// Widened reports whether the state has had more cases than are kept apart: it
// knows less than it could.
func (s State) Widened() bool { return s.s != nil && s.s.widened }

// Trivial reports whether nothing is known, and nothing has been done.
func (s State) Trivial() bool {
	return s.s == reached.s || s.s != nil && len(s.s.cases) == 1 && len(s.s.dropped) == 0 && s.s.cases[0].trivial()
}

func (c Case) trivial() bool { return len(c.When) == 0 && len(c.Locks) == 0 && c.registered == 0 }

// Cases returns the cases; the caller must not change them.
func (s State) Cases() []Case {
	if s.s == nil {
		return nil
	}
	return s.s.cases
}

// Acquire returns s with lock held.
func (s State) Acquire(lock accesspath.Path, mode Mode, sec Sections) State {
	if s.IsTop() || !lock.Known() {
		return s
	}
	s = s.each(func(c Case) Case { return c.set(c.lock(lock).acquire(mode, sec)) })
	return s.drop(without(s.s.dropped, lock))
}

// Release returns s with lock not held. A lock that s does not hold is one of
// the caller's.
func (s State) Release(lock accesspath.Path) State {
	if s.IsTop() || !lock.Known() {
		return s
	}
	s = s.each(func(c Case) Case { return c.set(c.lock(lock).release()) })
	return s.drop(union(s.s.dropped, []accesspath.Path{lock}))
}

// drop returns s with other locks noted as let go.
func (s State) drop(dropped []accesspath.Path) State {
	if slices.Equal(s.s.dropped, dropped) {
		return s
	}
	next := *s.s
	next.dropped = dropped
	return State{&next}
}

// Reacquire returns s in which every lock taken here that match accepts lies
// in a new critical section: it was released and taken again. One that is
// perhaps held for reading only perhaps was.
func (s State) Reacquire(sec Section, match func(Lock) bool) State {
	if s.IsTop() {
		return s
	}
	return s.each(func(c Case) Case {
		for _, l := range c.Locks {
			if l.Can&Taken == 0 || !match(l) {
				continue
			}
			if l.Mode == Write {
				l.Sec = sec.Of()
			} else {
				l.Sec = l.Sec.Union(sec.Of())
			}
			c = c.set(l)
		}
		return c
	})
}

// Assume returns s on the branch where c holds: the cases that can be there.
func (s State) Assume(c Cond) State {
	if s.IsTop() || !c.Known() {
		return s
	}
	var cases []Case
	for _, k := range s.s.cases {
		if !knows(k.When, c.Not()) {
			k.When = with(k.When, c)
			cases = append(cases, k)
		}
	}
	return newState(cases, s.s.dropped, s.s.widened)
}

// Forget returns s without what it knows of a test, because its value is a new
// one here.
func (s State) Forget(about Cond) State {
	return s.forget(func(c Cond) bool { return c.About(about) })
}

// ForgetWhere returns s without the conditions that match accepts.
func (s State) ForgetWhere(match func(Cond) bool) State { return s.forget(match) }

func (s State) forget(match func(Cond) bool) State {
	if s.IsTop() || !slices.ContainsFunc(s.s.cases, func(c Case) bool { return slices.ContainsFunc(c.When, match) }) {
		return s
	}
	return s.each(func(c Case) Case {
		c.When = slices.DeleteFunc(slices.Clone(c.When), match)
		return c
	})
}

// Copy returns s in which each case that knows the outcome of one test knows
// that another, of the same outcome, came out alike.
func (s State) Copy(from, to Cond) State { return s.copy(from, to, false) }

// CopyNot is Copy for a test with the opposite outcome.
func (s State) CopyNot(from, to Cond) State { return s.copy(from, to, true) }

func (s State) copy(from, to Cond, opposite bool) State {
	if s.IsTop() {
		return s
	}
	return s.each(func(c Case) Case {
		for _, holds := range [...]bool{true, false} {
			from.Holds, to.Holds = holds, holds != opposite
			if knows(c.When, from) {
				c.When = with(c.When, to)
			}
		}
		return c
	})
}

// Conditional reports whether s knows any branch outcome.
func (s State) Conditional() bool {
	return s.s != nil && slices.ContainsFunc(s.s.cases, func(c Case) bool { return len(c.When) > 0 })
}

func has(paths []accesspath.Path, p accesspath.Path) bool {
	_, found := slices.BinarySearchFunc(paths, p, comparePath)
	return found
}

// without returns the sorted paths without p; it does not change the slice.
func without(paths []accesspath.Path, p accesspath.Path) []accesspath.Path {
	i, found := slices.BinarySearchFunc(paths, p, comparePath)
	if !found {
		return paths
	}
	return slices.Delete(slices.Clone(paths), i, i+1)
}

func union(a, b []accesspath.Path) []accesspath.Path {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	case len(b) == 1 && has(a, b[0]):
		return a
	}
	u := slices.Concat(a, b)
	slices.SortFunc(u, comparePath)
	return slices.Compact(u)
}
