package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// manyWithout reports whether use, which alone tells of the guard, speaks against it
// as well: who forgets a lock does so at one place or two. Where more than a third of
// the accesses do without it, three or more beside so many of the candidate's own,
// something else orders them.
func manyWithout(g *guard.Guard, own int) bool {
	without := g.Total - g.Held
	return g.How == guard.Used && without-own >= 3 && 3*without > g.Total
}

// rarelyHeld reports whether use alone tells of the guard, and all but a few of the accesses do without
// it, whatever requests come there: it orders those who build the object, say, which is read when it is
// done.
func rarelyHeld(g *guard.Guard) bool {
	return g.How == guard.Used && g.Total >= 8 && 4*g.Held <= g.Total
}

// unkept reports whether a comment names the lock of a field, and the code does not keep to it: less than half of the accesses
// hold it: none, or at least three do without.
func unkept(g *guard.Guard, pl *infer.Place) bool {
	return g.How == guard.Prose && pl.Loc.Var.IsField() && 2*g.Held < g.Total && (g.Held == 0 || g.Total-g.Held >= 3)
}

// without reports whether use speaks against the guard of a map at an access that a function makes:
// most do without it, and no request comes there that only locks could keep apart.
func (j *Judge) without(g *guard.Guard, pl *infer.Place, f *infer.Func, a *access.Access) bool {
	if unkept(g, pl) {
		return true
	}
	if !manyWithout(g, 0) && !j.mostlyWithout(g, pl, a) {
		return false
	}
	if g.Covers() && 2*g.Held > g.Total {
		return false // all who change it hold it: some readers have forgotten it
	}
	if rarelyHeld(g) && !j.Sharing.Shown(pl) {
		_, _, common := j.Pkg.InCommon(f, a)
		return !common
	}
	made := ssautil.Allocates(a.Path.Root().Val) // which requests do not know yet
	return made || a.Op == access.Len || !j.Sharing.Requested(pl, f, a)
}

// mostlyWithout reports whether more functions come to a map without its guard than with it,
// where no statement names the guard; or more accesses do, of which use alone tells the guard,
// and this one is a read. A lock that is not usually held tells that there was something to
// protect somewhere, and not that it is missing here. One function that holds it and one that
// does not are a contradiction all the same.
func (j *Judge) mostlyWithout(g *guard.Guard, pl *infer.Place, a *access.Access) bool {
	switch {
	case g.How < guard.Named:
		return false
	case g.How == guard.Used && !a.Op.Writes() && g.Total-g.Held > g.Held:
		return true
	case pl.Loc.Var.Pkg() != j.Pkg.Types && g.Total > 2*g.Held+1: // whose functions are not in sight
		return true
	}
	most, known := j.outvoted[pl]
	if !known {
		most = j.outvotes(g, pl)
		j.outvoted[pl] = most
	}
	return most
}

// outvotes reports whether more functions of the package come to a map without its guard than
// with it, apart from those that prepare the object; and more than one.
func (j *Judge) outvotes(g *guard.Guard, pl *infer.Place) bool {
	with, without := make(map[*infer.Func]bool), make(map[*infer.Func]bool)
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if !needsLock(s) || s.Imported() {
			continue
		}
		if _, ok := j.Guards.Holds(g, s.Held, s.Acc.Path); ok {
			with[s.Func] = true
		} else if !startUp(s) && !j.Pkg.Gives(s.Func, g.Lock) {
			without[s.Func] = true
		}
	}
	return len(without) > 1 && len(without) > len(with)
}

// inferred reports whether no goroutine is the evidence that a place is shared, nor a
// written statement: that it is, or which lock protects it.
func (j *Judge) inferred(e sharing.Evidence, pl *infer.Place) bool {
	return !e.Threads() && !j.stated(e, pl)
}

// stated reports whether a written statement is the evidence that a place is shared, or tells
// which lock protects it.
func (j *Judge) stated(e sharing.Evidence, pl *infer.Place) bool {
	if e.Claimed {
		return true
	}
	g := j.Guards.Of(pl.Loc)
	return g != nil && g.How == guard.Declared
}

// phaseLock reports whether goroutines hold the guard that end before the call returns which
// starts them, and the access does not meet these: the lock is there for that phase, and
// tells nothing of other callers. Nor do unexported functions that hold it besides. The access may be
// one of such goroutines itself, those of another call.
func (j *Judge) phaseLock(g *guard.Guard, pl *infer.Place, s *infer.Site) bool {
	th, held := j.Sharing.Threads, 0
	if g.How < guard.Named {
		return false
	}
	for i := range pl.Sites {
		b := &pl.Sites[i]
		if !needsLock(b) {
			continue
		}
		if _, ok := j.Guards.Holds(g, b.Held, b.Acc.Path); ok {
			switch {
			case th.Within(b.Func), th.WithinToo(b.Acc):
				held++
			case b.Func.Is(role.Public), b.Func.Is(role.Method):
				return false
			}
		}
		if _, meets := th.Meet(s, b, nil); meets && (b.Acc.Op.Writes() || s.Acc.Op.Writes()) {
			return false
		}
	}
	return held > 0
}

// weakGuard chooses the row of a pair that holds no lock, but what a callee takes to look, where the guard of its map
// tells little of other goroutines.
func (j *Judge) weakGuard(v *Verdict) Grade {
	pl := j.Place(v.Act.Path.Location())
	g := j.Guards.Of(pl.Loc)
	switch {
	case g == nil && v.bare() && j.calledInTurn(v.Func, pl):
		return CallersHold
	case g == nil || !v.bare() && !v.asksLocked():
		return NoGrade
	}
	switch {
	case manyWithout(g, 2), unkept(g, pl):
		return MostWithout
	case v.Func.Is(role.Public) && j.Sharing.CallersHold(v.Func, holding(g.Lock)):
		return CallersHold
	case !v.Func.Is(role.Public) && j.otherOwner(g, pl, v):
		return OtherOwner
	}
	grade := NoGrade
	for i := range pl.Sites {
		s := &pl.Sites[i]
		switch {
		case s.Acc != v.Act && s.Acc != v.Check:
		case !j.phaseLock(g, pl, s):
			return NoGrade
		default:
			grade = PhaseLock
		}
	}
	return grade
}

// asksLocked reports whether a pair holds no lock but those that a callee takes, and lets go, to look at the map: such a
// function does so for all who call it, and does not tell that this one takes the object for shared.
func (v *Verdict) asksLocked() bool {
	if len(v.ActLocks) > 0 || !v.Check.Lifted || v.Check.Op.Writes() {
		return false
	}
	return slices.ContainsFunc(v.Func.Calls, func(c summary.Call) bool {
		held := func(h locks.Held) bool { return c.Held.Keeps(h) }
		return c.Pos == v.Check.Pos && c.Kind.InPlace() && !slices.ContainsFunc(v.CheckLocks, held)
	})
}

// otherOwner reports whether the guard is another object's from which neither step of a pair
// comes.
func (j *Judge) otherOwner(g *guard.Guard, pl *infer.Place, v *Verdict) bool {
	steps := 0
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Acc != v.Act && s.Acc != v.Check {
			continue
		}
		if steps++; j.comesFrom(g, s) {
			return false
		}
	}
	return steps > 0
}

// boxed reports whether a location is a map that a container holds as a value of an
// interface: what other packages change of the container, as far as they tell, is which
// values it holds.
func boxed(loc accesspath.Location) bool {
	if loc.Elems == 0 {
		return false
	}
	t, _ := loc.Type()
	return types.IsInterface(t)
}
