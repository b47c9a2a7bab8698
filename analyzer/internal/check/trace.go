package check

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A Step is one step of an interleaving of two goroutines.
type Step struct {
	Goroutine string // A or B
	Role      finding.Role
	Pos       token.Pos
	// Inner is the access itself, where Pos is a call that makes it.
	Inner  token.Pos
	Action string
	// Note says what the step does to the other goroutine.
	Note  string
	Locks []string
	// Lost: the other goroutine undoes this step.
	Lost bool
}

const (
	first  = "A"
	second = "B"
)

// PairTrace builds the interleaving of a verdict: the steps of the schedule
// in which the check is out of date when its act runs.
func (in *Input) PairTrace(v *witness.Verdict) []Step {
	t := pairTrace{in: in, v: v}
	if other := t.second(); other != nil {
		return t.between(other)
	}
	return t.both()
}

type pairTrace struct {
	in *Input
	v  *witness.Verdict
}

// both is the schedule in which two goroutines pass the same check before
// either acts.
func (t *pairTrace) both() []Step {
	found, lost, note := t.words()
	steps := append(t.check(first, found), t.check(second, found)...)
	act := t.act(first)
	act.Lost = lost
	steps = append(steps, act)
	if pos := t.v.Func.Uses[t.v.Pair.Act]; pos.IsValid() && witness.KeepsOwn(t.v) {
		steps[len(steps)-1].Lost = false
		return append(steps, Step{
			Goroutine: second, Role: finding.Use, Pos: pos,
			Action: "leaves A's in the map and returns its own value", Note: "which the map does not hold",
		})
	}
	last := t.act(second)
	last.Note = note
	steps = append(steps, last)
	if pos := t.v.Func.Uses[t.v.Pair.Act]; pos.IsValid() && lost {
		steps = append(steps, Step{Goroutine: first, Role: finding.Use, Pos: pos, Action: "returns its own value", Note: "which the map no longer holds"})
	}
	return steps
}

// words describes what both find, whether the first one's act is undone, and
// what the second one's does.
func (t *pairTrace) words() (found string, lost bool, note string) {
	p, op := t.v.Pair, t.v.Act.Op
	switch {
	case op == access.Delete || op == access.Remove || op == access.Clear:
		return "found", false, "acts on what A has already deleted"
	case op == access.Assign:
		return "as it was", true, "overwrites A's value, and the entries in it"
	case p.Has(depend.Data) && p.Has(depend.Content):
		return "the old value", true, "computed from the old value: A's change is lost"
	case t.v.Check.Op == access.Len:
		return "the test passes", false, "one more than the test allows"
	case t.v.Act.Stored == access.StoredPure && p.Has(depend.Effects):
		return "absent", false, "what the check decides on happens twice"
	case p.Has(depend.Content):
		return "the old state", true, "overwrites A's"
	}
	return "absent", true, "overwrites A's"
}

// check is the check of one goroutine and, when it is locked, the release
// after it.
func (t *pairTrace) check(who, found string) []Step {
	c := t.v.Check
	steps := []Step{{
		Goroutine: who, Role: finding.Look, Pos: t.in.At(c), Inner: c.Inner, Locks: t.in.Locks(t.v.CheckLocks),
		Action: t.in.Name(c.Path) + " is " + CheckWord(c) + Via(c) + ": " + found,
	}}
	if pos := t.in.Between(t.v); pos.IsValid() {
		steps = append(steps, Step{Goroutine: who, Role: finding.Release, Pos: pos, Action: t.in.LockNames(t.v.CheckLocks) + " is released"})
	}
	return steps
}

// act is the act of one goroutine.
func (t *pairTrace) act(who string) Step {
	a := t.v.Act
	return Step{
		Goroutine: who, Role: finding.Act, Pos: t.in.At(a), Inner: a.Inner, Locks: t.in.Locks(t.v.ActLocks),
		Action: t.in.object(a) + " is " + ActWord(a) + Via(a),
	}
}

// between is the schedule in which another goroutine changes the map between
// check and act: it refills the entry before a deletion, say.
func (t *pairTrace) between(other *infer.Site) []Step {
	steps := t.check(first, "out of date")
	steps = append(steps, Step{
		Goroutine: second, Role: finding.Change, Pos: t.in.At(other.Acc), Inner: other.Acc.Inner, Lost: true,
		Locks:  t.in.Locks(t.in.Guards.Plausible(other.Held, other.Acc.Path)),
		Action: t.in.object(other.Acc) + " is " + ActWord(other.Acc) + ", in " + other.Func.Name,
	})
	act := t.act(first)
	act.Note = t.note(other.Acc)
	return append(steps, act)
}

// other chooses the access that a finding's second goroutine makes: one that
// suits, best in another function, and not one that brings the object up; of several,
// one that threads of the package bring together with a.
func (in *Input) other(a *access.Access, f *infer.Func, suits func(*infer.Site) bool) *infer.Site {
	var best *infer.Site
	pl := in.Place(a.Path.Location())
	most := -1
	for i := range pl.Sites {
		s := &pl.Sites[i]
		alone := s.Exempt || s.Acc.Joined || s.Acc == a
		if alone || !in.Local(in.At(s.Acc)) || !suits(s) || in.Pkg.Another(a.Path, s.Acc.Path) {
			continue
		}
		if r := 4*in.rank(s, f, in.Sharing.Met(pl, a, s.Acc)) + plainness(a, s.Acc); r > most {
			best, most = s, r
		}
	}
	return best
}

// rank orders accesses by how well they serve as another goroutine's than one in f; those that
// it is known to meet best. What is a part of the same call, or gives the variable its map
// where it has none, serves less, and what only the program's start does, or nothing that runs, least of all.
func (in *Input) rank(s *infer.Site, f *infer.Func, meets bool) int {
	switch {
	case s.AtStart, in.Pkg.Rests(s.Func), in.Pkg.Known() && !in.Pkg.Late([]*infer.Site{s}):
		return 0
	case meets:
		return 5
	case s.Func == f:
		return 1
	case s.Acc.First:
		return 2
	case s.Func != nil && (runs(f, s.Func) || runs(s.Func, f)):
		return 3
	}
	return 4
}

// plainness orders accesses that serve equally well by how plain it is that they meet a, from 0 to 3: best both touch
// the map itself, or both its variable, and what has the map is not the result of a call, which may be another one each time.
func plainness(a, b *access.Access) (n int) {
	if a.Op.OfVariable() == b.Op.OfVariable() {
		n = 2
	}
	if kind := b.Path.Root().Kind; kind == accesspath.Global || kind == accesspath.Param {
		n++
	}
	return n
}

// runs reports whether f calls g, and g runs there.
func runs(f, g *infer.Func) bool {
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind.InPlace() && c.Callee == g.Key {
			return true
		}
	}
	return false
}

// Writer finds a change of the map in place, best in another function.
func (in *Input) Writer(a *access.Access, f *infer.Func) *infer.Site {
	return in.other(a, f, func(s *infer.Site) bool { return s.Acc.Op.ChangesEntries() })
}

// AccessTrace builds the interleaving of an access that meets another one: a
// write with any, a read with a write.
func (in *Input) AccessTrace(f *infer.Func, a *access.Access, held []locks.Held) []Step {
	writes := a.Op.Writes()
	clashes := func(s *infer.Site) bool { return s.Acc.Op.Uses() && (writes || s.Acc.Op.Writes()) }
	other := in.other(a, f, func(s *infer.Site) bool { return clashes(s) && !in.KeptApart(held, a, s) })
	if other == nil && !writes {
		other = in.other(a, f, clashes)
	}
	own := Step{Goroutine: first, Role: finding.Access, Pos: in.At(a), Inner: a.Inner, Action: in.object(a) + " is " + Doing(a) + Via(a), Locks: in.Locks(held)}
	if other == nil {
		if !writes {
			return in.elsewhere(a, own)
		}
		again := own
		again.Goroutine, again.Note = second, Collision(a.Op, a.Op)
		return []Step{own, again}
	}
	return []Step{own, {
		Goroutine: second, Role: finding.Access, Pos: in.At(other.Acc), Inner: other.Acc.Inner, Note: Collision(a.Op, other.Acc.Op),
		Locks:  in.Locks(in.Guards.Plausible(other.Held, other.Acc.Path)),
		Action: in.object(other.Acc) + " is " + Doing(other.Acc) + " at the same time, in " + other.Func.Name,
	}}
}

// elsewhere is the interleaving of a read with a change in another package, of
// which only the guard is known here: those who change the map hold it.
func (in *Input) elsewhere(a *access.Access, own Step) []Step {
	g := in.Guards.Of(a.Path.Location())
	if g == nil || g.Writes == 0 || !g.Pos().IsValid() {
		return nil
	}
	return []Step{own, {
		Goroutine: second, Pos: g.Pos(), Locks: []string{g.Lock.Name()}, Note: Collision(a.Op, access.Insert),
		Action: in.Name(a.Path) + " is changed at the same time by package " + g.Lock.Pkg().Name() + ", under the lock that is declared here",
	}}
}

// Collision is what the runtime says of two accesses at one time, although it
// does not always notice. It watches the map, not the variable that holds it,
// and not its length.
func Collision(a, b access.Op) string {
	switch {
	case outside(a) || outside(b):
		return race
	case a == access.Range || b == access.Range:
		return "fatal error: concurrent map iteration and map write"
	case a.Writes() && b.Writes():
		return "fatal error: concurrent map writes"
	}
	return "fatal error: concurrent map read and map write"
}

// race is the collision that the runtime does not stop.
const race = "data race"

func outside(op access.Op) bool {
	return op == access.Len || op == access.NilTest || op == access.Assign
}

// object names what an access touches: an entry, or the map.
func (in *Input) object(a *access.Access) string {
	switch a.Op {
	case access.Insert, access.Delete, access.Store, access.Remove:
		return "the entry of " + in.Name(a.Path)
	}
	return in.Name(a.Path)
}

// Locks names the locks of a step.
func (in *Input) Locks(held []locks.Held) []string {
	var out []string
	for _, h := range held {
		name := in.Name(h.Lock)
		switch {
		case h.Mode != locks.Read:
		case readable(h.Lock):
			name += " (read)"
		default:
			name += " (of the starter)" // which several goroutines have in common
		}
		out = append(out, name)
	}
	return out
}

// readable reports whether a lock can be held for reading, as far as its type is known.
func readable(lock accesspath.Path) bool {
	loc := lock.Location()
	if !loc.Valid() {
		return true
	}
	t, known := loc.Type()
	m, _, _ := types.LookupFieldOrMethod(t, true, loc.Var.Pkg(), "RLock")
	return !known || m != nil
}

// Between finds where the function of a pair ends the check's critical section
// on the way to the act; NoPos if that happens inside a callee.
func (in *Input) Between(v *witness.Verdict) token.Pos {
	for _, s := range v.Func.Locking {
		if s.Acquire || s.Deferred || !v.Func.Flow.Between(v.Check.Point, s.Point, v.Act.Point) {
			continue
		}
		if slices.ContainsFunc(v.CheckLocks, func(h locks.Held) bool { return h.Lock == s.Lock }) {
			return s.Pos
		}
	}
	return token.NoPos
}
