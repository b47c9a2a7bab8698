package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// alone says why no other goroutine can be at the map at the time of an access, as far
// as its own function and its callers tell.
func alone(s *infer.Site) Reason {
	switch {
	case s.Acc.Fresh:
		return NotPublished
	case s.Acc.Once:
		return RunsOnce
	case s.Exempt:
		return exempt(s)
	case s.Imported():
		return Elsewhere
	case s.Acc.Joined && !s.Acc.Eager:
		return AfterJoin
	}
	return NoReason
}

// readLocked reports whether an access changes the map under a lock that is
// held for reading alone: its guard, or, where it has none, one that can protect
// it.
func (j *Judge) readLocked(v *AccessVerdict) bool {
	a := v.Site.Acc
	if !a.Op.Writes() || a.Op.Concurrent() || len(v.Locks) == 0 {
		return false
	}
	if !locks.OnlyRead(besidesOneOfMany(v.Locks, a.Path)) {
		return false
	}
	if v.Guard == nil {
		return true
	}
	_, ok := j.Guards.Holds(v.Guard, v.Site.Held, a.Path)
	return ok // else that lock is not the map's
}

// besidesOneOfMany leaves out of the locks of a goroutine, which has one of them from its starter, those of elements
// of a container, from which the map is not reached: another goroutine may have another element.
func besidesOneOfMany(held []locks.Held, path accesspath.Path) []locks.Held {
	if !slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lent }) {
		return held
	}
	return slices.DeleteFunc(slices.Clone(held), func(h locks.Held) bool {
		element := h.Lock.Entry()
		return element.Known() && !path.HasPrefix(element)
	})
}

// noOtherReader reports whether no thread can come to the map while it is changed
// under the read lock: none that comes there at all, or all that do hold the lock
// for writing.
func (j *Judge) noOtherReader(v *AccessVerdict) bool {
	return j.Sharing.ApartFrom(v.Place, v.Site, func(b *infer.Site) bool {
		return !slices.ContainsFunc(v.Locks, func(h locks.Held) bool { return j.lockedOut(b, h) })
	})
}

// lockedOut reports whether an access waits for the one who holds a lock: it is
// made with that lock held for writing.
func (j *Judge) lockedOut(b *infer.Site, by locks.Held) bool {
	return slices.ContainsFunc(b.Held, func(h locks.Held) bool {
		return h.Mode == locks.Write && h.Lock.Location().Var == by.Lock.Location().Var && j.Guards.Protects(h, b.Acc.Path)
	})
}

// leavingReason asks the questions of a map that leaves its critical section
// itself. A returned map goes to callers where other packages can call the
// function; one that is only ever replaced as a whole is a snapshot.
func (j *Judge) leavingReason(v *AccessVerdict) Reason {
	s, g := v.Site, v.Guard
	chance := s.Acc.Op == access.Leak && g != nil && g.How == guard.Used && !j.Guards.Near(g.Lock, v.Place.Loc.Var)
	switch {
	case g == nil:
		return PassedOn
	case s.Exempt:
		return exempt(s)
	case s.AtStart:
		return OnlyInit
	case s.Func.Is(role.CallerLocks):
		return CallerLocks
	case s.Acc.Joined, j.calledAfter(v.Place, s):
		return AfterJoin
	case s.Acc.Op == access.Return && (!s.Func.Is(role.Public) || j.enteredUnder(g, s)):
		return StaysInside
	case s.Imported():
		return Elsewhere
	case chance:
		return ChanceGuard
	case j.Snapshot(v.Place.Loc):
		return OnlyReplaced
	case j.complete(v.Place, g, s), j.givesWhole(v.Place, g, s), j.getsWhole(v.Place, g, s):
		return Complete
	case putBack(s):
		return PutBack
	case j.sameLock(s.Acc, g):
		return SameLock
	case j.handsOn(g, s):
		return HandedOn
	}
	return NoReason
}

// enteredUnder reports whether all callers of a function hold the guard: what it returns is still
// in the section of its caller.
func (j *Judge) enteredUnder(g *guard.Guard, s *infer.Site) bool {
	_, ok := j.Guards.Holds(g, s.Func.Ctx.Entry, s.Acc.Path)
	return ok
}

// handsOn reports whether a function gives a map away for good: in the same critical section of
// the guard, the field that held it gets a new one, or none.
func (j *Judge) handsOn(g *guard.Guard, s *infer.Site) bool {
	_, held := j.Guards.Holds(g, s.Held, s.Acc.Path)
	return held && s.Acc.Op == access.Leak && slices.ContainsFunc(s.Func.Accesses, func(a access.Access) bool {
		return a.Op == access.Assign && (a.Empty || a.Stored == access.StoredNone) && a.Path == s.Acc.Path && !a.Spawned &&
			s.Func.Flow.Dominates(s.Acc.Point, a.Point) && j.holdsOn(s.Func, s.Acc, &a)
	})
}

// putBack reports whether a call stores a map in the very field that it comes from.
func putBack(s *infer.Site) bool {
	return s.Acc.Op == access.Leak && s.Acc.Into == s.Acc.Path.Location() && slices.ContainsFunc(s.Func.Accesses, func(a access.Access) bool {
		return a.Op == access.Assign && a.Path == s.Acc.Path && a.Inner == s.Acc.Inner && a.InnerFunc == s.Acc.InnerFunc
	})
}

// sameLock reports whether a map that goes elsewhere has its guard there, too. In
// an object of the same type it has if the object leads to the same lock, or the lock
// is one of the package. In
// another field, or a variable, it has if the package shows all that is done with
// it there, and each use holds the guard, by the name of a field that the object was given with the map, say.
func (j *Judge) sameLock(a *access.Access, g *guard.Guard) bool {
	named := j.namedThere(a, g)
	if a.Into == a.Path.Location() {
		return !g.Lock.IsField() || slices.Contains(named, g.Lock)
	}
	named = slices.DeleteFunc(named, j.Pkg.SetLater)
	there := j.place[a.Into]
	if there == nil || !j.closed(there) {
		return false
	}
	uses := 0
	for i := range there.Sites {
		s := &there.Sites[i]
		if s.Exempt || s.AtStart || !s.Acc.Op.Uses() {
			continue
		}
		if uses++; !slices.ContainsFunc(s.Held, func(h locks.Held) bool {
			v := h.Lock.Location().Var
			return v == g.Lock || slices.Contains(named, v) && h.Lock.Parent() == s.Acc.Path.Base()
		}) {
			return false
		}
	}
	return uses > 0
}

// namedThere returns the fields by which the object that gets a map is led to the guard that the map has where it comes from.
func (j *Judge) namedThere(a *access.Access, g *guard.Guard) []*types.Var {
	var out []*types.Var
	for _, l := range a.Along {
		if _, ok := j.Guards.Holds(g, []locks.Held{{Lock: l.Lock, Mode: locks.Write}}, a.Path); ok {
			out = append(out, l.Field)
		}
	}
	return out
}

// gradeKind decides on the confidence of a witness that is no plain use.
func (j *Judge) gradeKind(v *AccessVerdict) {
	switch v.Kind {
	case Leaves:
		v.Grade = Escapes
		switch {
		case v.Guard != nil && rarelyHeld(v.Guard):
			v.Grade = MostWithout
		case j.oneHolds(v):
			v.Grade = OtherOwner
		}
	case MadeAnyway:
		v.Grade = NotClosed
	case ReadLocked:
		v.Grade = ReadersToo
		if j.Beside(v.Locks, v.Site.Acc.Path) {
			v.Evidence.Confidence = sharing.High // who locks for it means others
		}
		if j.Doubtful(v.Site.Func, v.Site.Acc) {
			v.Grade = LocksUnsure
		}
	}
	v.Grade = v.Grade.in(v.Site.Func)
	v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
	switch {
	case v.Confidence <= sharing.Low:
	case v.Kind == ReadLocked && j.oneThread(v):
		v.Grade, v.Confidence = OneThread, sharing.Low
	case j.Sharing.Enclosed(v.Evidence, v.Site.Func, v.Site.Acc):
		v.Grade, v.Confidence = Enclosed, sharing.Low
	case v.Kind != Leaves:
	case j.madeOrFetched(v.Site) && !j.Sharing.Threads.Shows(v.Site):
		v.Grade, v.Confidence = FromCall, FromCall.Confidence()
	case j.Sharing.GivenInTurn(v.Place, v.Site):
		v.Grade, v.Confidence = OneThread, sharing.Low
	case !j.stated(v.Evidence, v.Place) && j.Sharing.FilledAtStart(v.Place, v.Site):
		v.Grade, v.Confidence = AtStart, sharing.Low
	}
}

// ofArgument reports whether the map of an access is one of an object that the function gets as an argument.
func ofArgument(s *infer.Site) bool {
	r := s.Acc.Path.Root()
	receiver := r.Index == 0 && s.Func.SSA.Signature.Recv() != nil
	return r.Kind == accesspath.Param && !receiver
}

// oneHolds reports whether use alone tells of the guard of a map that leaves, one function holds it, and the map is that of
// an object which the function gets, and which does not have the lock: what it protects may be something else.
func (j *Judge) oneHolds(v *AccessVerdict) bool {
	g := j.Guards.Of(v.Place.Loc)
	if g == nil || g.How != guard.Used || !ofArgument(v.Site) || j.Guards.Around(g.Lock, v.Site.Acc.Path) {
		return false
	}
	return !slices.ContainsFunc(v.Place.Sites, func(s infer.Site) bool {
		if s.Exempt || s.Func == nil || callback.Outermost(s.Func.SSA) == callback.Outermost(v.Site.Func.SSA) {
			return false
		}
		_, holds := j.Guards.Holds(g, s.Held, s.Acc.Path)
		return holds
	})
}

// judgedThere reports whether an access by a function of another package concerns a package-level
// map that no lock protects, and the packages that access it are judged in the same run. The lock
// is missing there, once, and not in each of the callers, whatever locks they hold for other things.
func (j *Judge) judgedThere(a *access.Access) bool {
	loc := a.Path.Location()
	return foreign(a) && j.Guards.Of(loc) == nil && j.Guards.KnownElsewhere(loc.Var, j.Pkg.Types)
}

// foreign reports whether an access is by a function of another package to a package-level map.
func foreign(a *access.Access) bool {
	return a.Imported && !a.Resolved && a.Path.Root().Kind == accesspath.Global
}
