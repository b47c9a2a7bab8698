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
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// A Kind is what an access is judged for.
type Kind uint8

const (
	// Used: the map is looked at or changed.
	Used Kind = iota
	// ReadLocked: it is changed under a lock that is held for reading alone.
	ReadLocked
	// Leaves: it leaves its critical section itself, not a copy.
	Leaves
	// MadeAnyway: a value that must be closed is made for a concurrent map that
	// may have one already.
	MadeAnyway
)

// An AccessVerdict is the judgement on one access whose lock may be missing: a
// witness, or the reason why there is none.
type AccessVerdict struct {
	// Kind says what is judged.
	Kind  Kind
	Place *infer.Place
	Site  *infer.Site
	// Guard is the map's guard, nil if it has none.
	Guard *guard.Guard
	// Locks are those held that can protect the map.
	Locks []locks.Held
	// Rival is an access under other locks than Locks, where no lock is held at
	// both.
	Rival *infer.Site
	Judgement
}

// Accesses returns the verdicts on all accesses of the package's places.
func (j *Judge) Accesses() []AccessVerdict { return j.accesses }

// judgeAccesses asks, of each access, whether another goroutine can be at the
// map without a lock that keeps the two apart.
func (j *Judge) judgeAccesses() {
	for _, pl := range j.Places {
		whole := j.unchanged(pl, j.Guards.Of(pl.Loc))
		for i := range pl.Sites {
			v := AccessVerdict{Place: pl, Site: &pl.Sites[i]}
			v.Guard = j.guardOf(pl, v.Site.Acc.Path)
			v.Locks = j.Guards.Plausible(v.Site.Held, v.Site.Acc.Path)
			why := whole
			if seen := j.seenFrom(pl, v.Site.Acc.Path); seen != pl {
				why = j.unchanged(seen, v.Guard)
			}
			v.Reason = j.accessReason(&v, why)
			if v.Reason == NoReason {
				j.gradeAccess(&v)
			}
			j.accesses = append(j.accesses, v)
		}
	}
}

// accessReason asks the questions of one access.
func (j *Judge) accessReason(v *AccessVerdict, whole Reason) Reason {
	s := v.Site
	switch {
	case !s.Acc.Op.Uses():
		v.Kind = Leaves
		return j.leavingReason(v)
	case s.Acc.Eager:
		v.Kind = MadeAnyway
		return alone(s)
	case j.readLocked(v):
		v.Kind = ReadLocked
		switch r := alone(s); {
		case r == NoReason && (j.keptApartByStarter(v) || j.keptOut(v)):
			return OtherLock
		case r == NoReason && j.handedOut(v):
			return NoOther
		case r != NoReason || !j.noOtherReader(v):
			return r
		}
		return NoOther
	case s.Acc.Op.Concurrent():
		return AtomicStep
	case s.Acc.Fresh:
		return NotPublished
	case s.Acc.Once:
		return RunsOnce
	case s.Exempt:
		return exempt(s)
	case s.Acc.Joined, j.calledAfter(v.Place, s):
		return AfterJoin
	case s.Func.Is(role.CallerLocks) && len(s.Held) == 0:
		return CallerLocks
	case whole != NoReason:
		return whole
	case s.Acc.Carried && j.Snapshot(v.Place.Loc):
		return OnlyReplaced
	case s.Acc.Op == access.NilTest && j.settled(v.Place):
		return NoStep
	}
	if r := j.lockReason(v); r != NoReason {
		return r
	}
	if r := j.left(s.Func, s.Acc); r != NoReason {
		return r
	}
	if j.markedOff(v) {
		return OtherLock
	}
	if j.Sharing.Apart(v.Place, s) {
		return NoOther
	}
	return NoReason
}

// settled reports whether the package shows that a variable keeps the map which it is given
// before others see it: to compare it with nil touches nothing that changes.
func (j *Judge) settled(pl *infer.Place) bool {
	return j.namedHere(pl) && pl.Loc.Elems == 0 && !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return !s.Exempt && s.Acc.Op == access.Assign })
}

// namedHere reports whether only the package can assign to a place's variable by its name.
func (j *Judge) namedHere(pl *infer.Place) bool {
	v := pl.Loc.Var
	return v != nil && v.Pkg() == j.Pkg.Types && (!v.Exported() || v.Pkg().Name() == "main")
}

// lockReason asks whether a lock keeps others out, or another package or thread
// is to blame.
func (j *Judge) lockReason(v *AccessVerdict) Reason {
	switch s := v.Site; {
	case v.Guard != nil:
		return j.guardReason(v)
	case len(v.Locks) > 0 && !j.judgedThere(s.Acc):
		return j.otherLock(v)
	case s.Imported() && (j.judgedThere(s.Acc) || !j.Sharing.Of(v.Place).Threads()):
		return Elsewhere
	}
	if _, takes := j.Sharing.Taking(v.Place, v.Site); !takes {
		return NoOther
	}
	return NoReason
}

// exempt says why an access of a place needs no lock.
func exempt(s *infer.Site) Reason {
	switch {
	case s.Func.Ctx.Dead:
		return Uncalled
	case s.Func.Owns(s.Acc):
		return NotPublished
	case s.Func.Ctx.InitOnly:
		return OnlyInit
	case s.Unshared:
		return SaidUnshared
	}
	return RunsOnce
}

// guardReason asks whether the guard, or what stands in for it, is held.
func (j *Judge) guardReason(v *AccessVerdict) Reason {
	s, g := v.Site, v.Guard
	if s.Imported() && !s.Acc.Asked {
		return Elsewhere
	}
	if _, ok := j.Guards.Holds(g, s.Held, s.Acc.Path); ok {
		return GuardHeld
	}
	if s.Acc.Op == access.NilTest && j.fetchedUnder(g, s) {
		return GuardHeld // to compare what was read touches nothing
	}
	if j.Snapshot(v.Place.Loc) && !s.Acc.Op.Writes() && j.afterGuarded(g, s) {
		return SnapshotRead
	}
	if j.complete(v.Place, g, s) || j.getsWhole(v.Place, g, s) {
		return Complete
	}
	if j.Pkg.Published(s.Func, s.Acc) {
		return Sealed
	}
	if g.How == guard.Used && len(v.Locks) > 0 {
		return j.otherLock(v)
	}
	if j.keptOut(v) {
		return OtherLock
	}
	return NoReason
}

// KeptApart reports whether one of the locks that are held at an access is held at another
// one, too, of the same object, and at one of them for writing.
func (j *Judge) KeptApart(held []locks.Held, a *access.Access, b *infer.Site) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool {
		return j.Beside([]locks.Held{h}, a.Path) && j.keptApart(h, b)
	})
}

// keptApart reports whether the lock h of another access is held at b, too, and at
// one of them for writing.
func (j *Judge) keptApart(h locks.Held, b *infer.Site) bool {
	return slices.ContainsFunc(j.Guards.Plausible(b.Held, b.Acc.Path), func(o locks.Held) bool {
		same := o.Lock.Location() == h.Lock.Location() && j.Beside([]locks.Held{o}, b.Acc.Path)
		return same && o.KeepsOut(h)
	})
}

// otherLock is the reason that another lock than the guard gives, unless some
// access shows that it keeps no other goroutine out.
func (j *Judge) otherLock(v *AccessVerdict) Reason {
	if v.Rival = j.rival(v); v.Rival == nil {
		return OtherLock
	}
	return NoReason
}

// unchanged says why a place needs no lock at any of its accesses: it is never
// changed once it is published; or, without a guard, it is only written, or only
// replaced as a whole.
func (j *Judge) unchanged(pl *infer.Place, g *guard.Guard) Reason {
	var e sharing.Evidence
	if g == nil {
		e = j.Sharing.Of(pl)
	}
	reads, mutates, changes := false, false, false
	for i := range pl.Sites {
		s := &pl.Sites[i]
		writes := s.Acc.Op.Writes()
		changes = changes || writes && !s.Exempt
		if needsLock(s) {
			reads = reads || !writes
			mutates = mutates || writes && (s.Acc.Op != access.Assign || e.Claimed)
		}
	}
	switch {
	case !changes && (g == nil || g.Writes == 0 || boxed(pl.Loc)):
		return NeverChanged
	case g == nil && !mutates:
		return OnlyReplaced
	case g == nil && !reads && !e.Threads() && !e.Claimed:
		return NeverRead
	}
	return NoReason
}

// needsLock reports whether an access needs a lock at all.
func needsLock(s *infer.Site) bool {
	calledLocked := s.Func.Is(role.CallerLocks) && len(s.Held) == 0
	return !s.Exempt && !s.Acc.Joined && !s.Acc.Op.Concurrent() && s.Acc.Op.Uses() && !calledLocked
}

// fetchedUnder reports whether the map value was read from its place under the
// guard.
func (j *Judge) fetchedUnder(g *guard.Guard, s *infer.Site) bool {
	if !s.Acc.Fetched {
		return false
	}
	_, ok := j.Guards.Holds(g, s.Func.EffectiveState(s.Acc.Fetch), s.Acc.Path)
	return ok
}

// afterGuarded reports whether the map that an access reads was fetched under
// the guard, or the function has looked at it under the guard before.
func (j *Judge) afterGuarded(g *guard.Guard, s *infer.Site) bool {
	if j.fetchedUnder(g, s) {
		return true
	}
	for i := range s.Func.Accesses {
		a := &s.Func.Accesses[i]
		if a.Path != s.Acc.Path || a.Spawned || !s.Func.Flow.Dominates(a.Point, s.Acc.Point) {
			continue
		}
		if _, ok := j.Guards.Holds(g, s.Func.Effective(a), a.Path); ok {
			return true
		}
	}
	return false
}

// gradeAccess decides on the confidence of a witness.
func (j *Judge) gradeAccess(v *AccessVerdict) {
	v.Evidence = j.Sharing.Of(v.Place)
	if v.Kind != Used {
		j.gradeKind(v)
		return
	}
	switch {
	case v.Guard == nil && v.Rival != nil:
		v.Evidence = sharing.Evidence{Confidence: sharing.High, Text: "both accesses hold a lock by the map", Pos: v.Rival.Acc.At(), Note: "the other access"}
	case v.Guard == nil:
		v.Evidence, _ = j.Sharing.Taking(v.Place, v.Site)
	}
	v.Grade = Race
	switch g := v.Guard; {
	case v.Site.Acc.Hint:
		v.Grade = OnlyReserves
	case g != nil && j.onlyReports(v):
		v.Grade = OnlyReports
	case onlyMeasured(v.Site.Acc):
		v.Grade = OnlyMeasured
	case j.onlyNilTested(v.Site):
		v.Grade = NilTested
	case v.Site.Acc.Op == access.NilTest && j.Pkg.NeverNil(v.Place.Loc.Var):
		v.Grade = NeverNil
	case startUp(v.Site), g != nil && v.Site.Acc.Op == access.Assign && j.Pkg.Gives(v.Site.Func, g.Lock):
		v.Grade = StartUp
	case g != nil && g.How == guard.Used && !v.Site.Acc.Op.Writes() && j.Sharing.FilledBefore(v.Place):
		v.Grade = FilledBefore
	case g != nil && j.Sharing.FilledByStart(v.Place) && j.Pkg.RefusedLater(v.Site.Func, v.Site.Acc):
		v.Grade = RefusedLater
	case v.Site.Func.Stored(), v.Site.Func.HandedLocked(v.Site.Acc), j.Doubtful(v.Site.Func, v.Site.Acc):
		v.Grade = LocksUnsure
	case g != nil && j.without(g, v.Place, v.Site.Func, v.Site.Acc):
		v.Grade = MostWithout
	case g != nil && !j.comesFrom(g, v.Site):
		v.Grade = OtherOwner
	case g != nil && j.phaseLock(g, v.Place, v.Site):
		v.Grade = PhaseLock
	case g != nil && j.onlyEmptied(v):
		v.Grade = OnlyEmptied
	case j.builtOnly(v):
		v.Grade = BuiltOnly
	case j.registered(v.Place, v.Site):
		v.Grade = Registered
	case g != nil && v.Site.Func.Is(role.Public) && j.Sharing.CallersHold(v.Site.Func, holding(g.Lock)):
		v.Grade = CallersHold
	case g == nil && j.calledInTurn(v.Site.Func, v.Place):
		v.Grade = CallersHold
	}
	if v.Grade == Race {
		if g := j.doubtAccess(v); g != NoGrade {
			v.Grade = g
		}
	}
	v.Grade = v.Grade.in(v.Site.Func)
	if v.Grade.Confidence() > sharing.Low && j.saysOrdered(v.Site) {
		v.Grade = SaysOrdered
	}
	v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
	switch {
	case v.Confidence <= sharing.Low:
	case j.oneThread(v):
		v.Grade, v.Confidence = OneThread, sharing.Low
	case v.Evidence.PackageLevel && !j.Sharing.ChangedLate(v.Place, always), j.onlyStart(v):
		v.Grade, v.Confidence = AtStart, sharing.Low
	case j.inferred(v.Evidence, v.Place) && !j.Sharing.ThreadedAt(v.Evidence, v.Place, v.Site):
		v.Grade, v.Confidence = NoThread, sharing.Low
	case j.Sharing.Enclosed(v.Evidence, v.Site.Func, v.Site.Acc):
		v.Grade, v.Confidence = Enclosed, sharing.Low
	case j.calledAhead(v.Evidence, v.Place, v.Site.Func, v.Site.Acc):
		v.Grade, v.Confidence = BeforeUse, sharing.Low
	default:
		j.weigh(&v.Grade, &v.Confidence, v.Site.Func, v.Evidence, v.Site.Acc)
	}
}

func always(*infer.Site) bool { return true }

// saysOrdered reports whether a function says why what it does needs no lock. That several goroutines which the package starts,
// or several requests, do it on one object refutes that.
func (j *Judge) saysOrdered(s *infer.Site) bool {
	return s.Func.Is(role.Ordered) &&
		!slices.ContainsFunc(j.Sharing.Threads.VisitsOf(s.Acc), func(v *threads.Visit) bool { return v.Many })
}

// onlyStart reports whether the program's start alone makes the changes that the access can
// meet, and no statement says that others do.
func (j *Judge) onlyStart(v *AccessVerdict) bool {
	collides := func(s *infer.Site) bool { return v.Site.Acc.Op.Writes() || s.Acc.Op.Writes() }
	return !j.stated(v.Evidence, v.Place) && j.Sharing.OnlyStart(v.Place, []*access.Access{v.Site.Acc}, collides)
}

// builtOnly reports whether the package shows both ends of the object's use, and
// they are apart: it calls the function that reads, and each of the functions
// that change the map, these only on objects that no other goroutine knows yet. Other
// callers could still bring them together; but then both are other callers' calls,
// or the package's own are not what the methods are for.
func (j *Judge) builtOnly(v *AccessVerdict) bool {
	at := v.Site
	if at.Acc.Op.Writes() && (v.Guard != nil || v.Evidence.Claimed) {
		return false
	}
	changes, used := 0, !at.Acc.Op.Writes() && j.Pkg.Uses(at.Func)
	for i := range v.Place.Sites {
		s := &v.Place.Sites[i]
		switch {
		case s.Exempt:
			continue
		case !s.Acc.Op.Writes():
			used = used || at.Acc.Op.Writes() && s.Func != at.Func && j.Pkg.Uses(s.Func)
			continue
		}
		r := s.Acc.Path.Root()
		if r.Kind != accesspath.Param || r.Fn != s.Func.Key || !j.Pkg.Builds(s.Func, r.Index) {
			return false
		}
		changes++
	}
	return changes > 0 && used
}

// holding tells whether one of the locks that are held is of this variable or field.
func holding(lock *types.Var) func(*infer.Func, []locks.Held) bool {
	return func(_ *infer.Func, held []locks.Held) bool {
		return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock.Location().Var == lock })
	}
}

// startUp reports whether the access only gives the object its map, in a
// method by whose name the object is not in use yet.
func startUp(s *infer.Site) bool {
	if s.Acc.Op != access.Assign {
		return false
	}
	if s.Acc.Empty && s.Func.Obj != nil && !s.Func.Obj.Exported() {
		return true // a helper that resets the object before it is used
	}
	return s.Func.Is(role.Preparer)
}

// Changed reports whether a place is changed once it is published.
func (j *Judge) Changed(pl *infer.Place) bool {
	return slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return !s.Exempt && s.Acc.Op.Writes() })
}

// replaced reports whether a place gets another map once it is published: to read which map it holds needs the lock, too.
func (j *Judge) replaced(pl *infer.Place) bool {
	return slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return !s.Exempt && s.Acc.Op == access.Assign })
}

// oneThread reports whether one thread at a time comes to the map at an access, and at those that no
// lock keeps apart from it.
func (j *Judge) oneThread(v *AccessVerdict) bool {
	return j.Sharing.OneThread(v.Place, v.Site, func(b *infer.Site) bool { return j.KeptApart(v.Locks, v.Site.Acc, b) })
}
