package locks

import (
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// An Effect is what a call does to the locks that are held: the state at the
// function's exit, of which each case is a way to return. Its conditions are on
// parameters, package-level variables, and the function's own results. The zero
// Effect is none.
type Effect struct{ exit State }

// EffectOf returns the effect of a function whose returns meet in exit.
func EffectOf(exit State) Effect {
	if exit.IsTop() || exit.Trivial() || len(exit.Locks()) == 0 {
		return Effect{}
	}
	e := newState(alike(told(whole(exit.s.cases))), nil, exit.s.widened)
	if len(e.Locks()) == 0 {
		return Effect{}
	}
	return Effect{e}
}

// told returns the cases without what a function does to a lock on some returns
// and not on others, with nothing that tells its caller which: it leaves it
// held, or gives the caller's up. Nothing could go on from there, so it is the
// analysis that has lost track. Such a lock counts as kept.
func told(cases []Case) []Case {
	var out []Case
	for i, c := range cases {
		for _, l := range c.Locks {
			keep := l.Can
			for _, does := range [...]Can{Own, Gone} {
				if l.Can&does != 0 && (l.Can != does || !distinct(cases, i, l)) {
					keep &^= does
				}
			}
			if keep == l.Can {
				continue
			}
			if out == nil {
				out = slices.Clone(cases)
			}
			if l.Can = keep; l.Can == 0 {
				l.Can = Kept
			}
			if l.Can&Taken == 0 {
				l.Mode, l.Sec = 0, Sections{}
			}
			out[i] = out[i].set(l)
		}
	}
	if out == nil {
		return cases
	}
	return out
}

// distinct reports whether the cases in which something else is done to the
// lock contradict the i-th.
func distinct(cases []Case, i int, l Lock) bool {
	for _, d := range cases {
		if d.lock(l.Path).Can != l.Can && !contradict(cases[i].When, d.When) {
			return false
		}
	}
	return true
}

// alike makes one case of those that differ in nothing but sections: which of
// its acquisitions a function leaves to its caller does not matter to it.
func alike(cases []Case) []Case {
	var out []Case
next:
	for _, c := range cases {
		for i := range out {
			if len(out[i].Locks) == len(c.Locks) && slices.EqualFunc(out[i].Locks, c.Locks, func(a, b Lock) bool {
				return a.Path == b.Path && a.Can == b.Can && a.Mode == b.Mode
			}) {
				out[i] = widen([]Case{out[i], c})
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}

// None reports whether the call changes nothing.
func (e Effect) None() bool { return e.exit.IsTop() }

// Exit returns the state at exit; top if the call changes nothing.
func (e Effect) Exit() State { return e.exit }

// Equal reports whether two effects are the same.
func (e Effect) Equal(f Effect) bool { return Lattice{}.Equals(e.exit, f.exit) }

// Takes returns the locks that the call takes and keeps, at least sometimes.
func (e Effect) Takes() []Held {
	var out []Held
	for _, l := range e.exit.Locks() {
		if l.Can&Taken != 0 {
			out = append(out, Held{Lock: l.Path, Mode: l.Mode, Sec: l.Sec})
		}
	}
	return out
}

// Releases returns the caller's locks that the call lets go, at least
// sometimes, whether or not it takes them again.
func (e Effect) Releases() []accesspath.Path { return e.exit.Left() }

// Unknown returns the effect of which nothing is known but which locks it is
// about: what stands in for the effect of a recursion that does not settle.
func (e Effect) Unknown() Effect {
	if e.None() {
		return e
	}
	var locks []Lock
	for _, l := range e.exit.Locks() {
		locks = append(locks, Lock{Path: l.Path, Can: Any, Mode: Read, Sec: Many})
	}
	return Effect{newState([]Case{{Locks: locks}}, nil, true)}
}

// String says what a call does, case by case.
func (e Effect) String() string {
	if e.None() {
		return "keeps all locks"
	}
	return e.exit.String()
}

// After returns s after a call with the effect, both in the caller's terms.
func (s State) After(e Effect) State {
	if e.None() {
		return s
	}
	return s.Then(e.exit)
}

// Then returns the state after what led to s and then what led to e, both in
// the same terms. Cases that contradict each other are no path. Complexity:
// the product of the cases, which are bounded, times their locks.
func (s State) Then(e State) State {
	switch {
	case s.IsTop() || e.Trivial():
		return s
	case e.IsTop():
		return e
	}
	cases := make([]Case, 0, len(s.s.cases)*len(e.s.cases))
	for _, c := range s.s.cases {
		for _, d := range e.s.cases {
			if contradict(c.When, d.When) {
				continue
			}
			next := c
			for _, cond := range d.When {
				next.When = with(next.When, cond)
			}
			if len(d.Locks) > 0 {
				next.Locks = zip(c.Locks, d.Locks, Lock.then)
			}
			cases = append(cases, next)
		}
	}
	dropped := s.s.dropped
	for _, h := range e.s.held {
		dropped = without(dropped, h.Lock)
	}
	for _, p := range e.Left() {
		if !has(dropped, p) && e.Of(p).Can&Gone != 0 {
			dropped = union(dropped, []accesspath.Path{p})
		}
	}
	return newState(cases, union(dropped, e.s.dropped), s.s.widened || e.s.widened)
}

// A Verdict says what becomes of a callee's condition at a call.
type Verdict uint8

const (
	// Unknown: the caller cannot tell; both are possible.
	Unknown Verdict = iota
	// Never: the call cannot come out that way.
	Never
	// If: it depends on a condition of the caller's.
	If
)

// A Subst expresses a callee's state in its caller's terms.
type Subst struct {
	// Lock gives the lock; the unknown path for one that the caller cannot
	// name.
	Lock func(accesspath.Path) accesspath.Path
	// Each gives the locks for which the one stands that is that of each element of a list, by their own names; nil
	// for any other lock, and where the caller does not name them. Nil: never.
	Each func(accesspath.Path) []accesspath.Path
	// Reading tells whether what the callee takes is the read lock of that lock, as
	// RWMutex.RLocker gives it. Nil: never.
	Reading func(accesspath.Path) bool
	// Cond gives the condition.
	Cond func(Cond) (Cond, Verdict)
	// Section numbers a section of the callee in the caller.
	Section func(Section) Section
	// Whole is the section that stands for too many to list: to the caller,
	// what a call leaves is one section. Zero leaves it at too many.
	Whole Section
}

// locks returns what a lock is called by the caller: nothing if it cannot name it.
func (m Subst) locks(p accesspath.Path) []accesspath.Path {
	if m.Each != nil {
		if each := m.Each(p); each != nil {
			return each
		}
	}
	if q := m.Lock(p); q.Known() {
		return []accesspath.Path{q}
	}
	return nil
}

// Map returns s in the terms of a caller. Deferred calls that were registered
// are the callee's own business.
func (s State) Map(m Subst) State {
	if s.IsTop() || s.Trivial() {
		return s
	}
	cases := make([]Case, 0, len(s.s.cases))
	for _, c := range s.s.cases {
		if out, ok := c.rewrite(m); ok {
			cases = append(cases, out)
		}
	}
	var dropped []accesspath.Path
	for _, p := range s.s.dropped {
		dropped = append(dropped, m.locks(p)...)
	}
	slices.SortFunc(dropped, comparePath)
	return newState(cases, slices.Compact(dropped), s.s.widened)
}

func (c Case) rewrite(m Subst) (Case, bool) {
	var out Case
	for _, cond := range c.When {
		switch d, v := m.Cond(cond); v {
		case Never:
			return out, false
		case If:
			if knows(out.When, d.Not()) {
				return out, false
			}
			out.When = with(out.When, d)
		}
	}
	for _, l := range c.Locks {
		if l.Mode == Write && m.Reading != nil && m.Reading(l.Path) {
			l.Mode = Read
		}
		if l.Sec = l.Sec.Map(m.Section); l.Sec == Many && m.Whole != 0 {
			l.Sec = m.Whole.Of()
		}
		for _, l.Path = range m.locks(l.Path) {
			out.Locks = append(out.Locks, l)
		}
	}
	out.Locks = tidy(out.Locks)
	return out, true
}

// String lists the cases: "s.mu held (2)", "if lock: …; if !lock: …".
func (s State) String() string {
	if s.IsTop() {
		return "unreached"
	}
	var parts []string
	for _, c := range s.s.cases {
		parts = append(parts, c.String())
	}
	text := strings.Join(parts, "; ")
	if s.s.widened {
		text += " (too many cases)"
	}
	return text
}

// String says what the case holds, and when.
func (c Case) String() string {
	var conds, held []string
	for _, w := range c.When {
		conds = append(conds, w.String())
	}
	for _, l := range c.Locks {
		held = append(held, l.String())
	}
	if len(held) == 0 {
		held = []string{"all kept"}
	}
	text := strings.Join(held, ", ")
	if len(conds) > 0 {
		text = "if " + strings.Join(conds, " and ") + ": " + text
	}
	return text
}
