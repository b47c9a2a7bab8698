package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// A CallVerdict is the judgement on one call that lacks a lock which its callee
// needs for an access: it does not hold it, or for reading alone.
type CallVerdict struct {
	Blame *infer.Blame
	// Act is the callee's access.
	Act *access.Access
	// Lock is the one that the call lacks: the map's guard, or where it has
	// none the lock by the map that the callee takes when it is told to.
	Lock *types.Var
	Judgement
}

// Calls returns the verdicts on all calls that lack a lock.
func (j *Judge) Calls() []CallVerdict { return j.calls }

// judgeCalls asks the questions of the accesses that calls without a lock lead
// to. One witness suffices for a call: it is what the call is to blame for.
func (j *Judge) judgeCalls() {
	for i := range j.Pkg.Blames {
		b := &j.Pkg.Blames[i]
		for k := range b.Callee.Accesses {
			a := &b.Callee.Accesses[k]
			if !j.concernsCall(b, a) {
				continue
			}
			v := CallVerdict{Blame: b, Act: a, Lock: j.lacked(b, a)}
			v.Reason = j.callReason(&v)
			if v.Reason == NoReason {
				j.gradeCall(&v)
			}
			j.calls = append(j.calls, v)
			if v.Reason == NoReason {
				break
			}
		}
	}
}

// concernsCall reports whether the lock that a call lacks is one for the access.
// Under a read lock, that are writes, in callees of the callee too.
func (j *Judge) concernsCall(b *infer.Blame, a *access.Access) bool {
	loc := a.Path.Location()
	if !loc.Valid() || a.Op.Concurrent() {
		return false
	}
	g := j.Guards.Of(loc)
	if b.Read {
		own := !a.Imported && a.Op.Writes()
		return own && len(j.Guards.Plausible(b.Locks, a.Path)) > 0 && (g == nil || j.guards(g, b.Locks, a))
	}
	if g == nil || b.Declined {
		return j.lacked(b, a) != nil
	}
	passedOn := b.Locks == nil && !a.Imported && !a.Spawned // to what it calls, with what it was promised
	return (infer.Own(a) || passedOn) && (b.Locks == nil || j.guards(g, b.Locks, a))
}

// lacked returns the lock that a call lacks for an access of its callee.
func (j *Judge) lacked(b *infer.Blame, a *access.Access) *types.Var {
	if g := j.Guards.Of(a.Path.Location()); g != nil {
		if b.Locks != nil && !j.guards(g, b.Locks, a) {
			return nil
		}
		return g.Lock
	}
	for _, h := range j.Guards.Plausible(b.Locks, a.Path) {
		if v := h.Lock.Location().Var; b.Declined && j.Beside([]locks.Held{h}, a.Path) {
			return v
		}
	}
	return nil
}

func (j *Judge) guards(g *guard.Guard, held []locks.Held, a *access.Access) bool {
	_, ok := j.Guards.Holds(g, held, a.Path)
	return ok
}

// callReason asks the questions of one access of a callee.
func (j *Judge) callReason(v *CallVerdict) Reason {
	a, b := v.Act, v.Blame
	switch {
	case a.Fresh || b.Callee.Owns(a) || b.Given(a):
		return NotPublished
	case b.Excludes(a):
		return NotThisCall
	case b.Read && writeLocked(j.Guards.Plausible(a.Held.Held(), a.Path)):
		return GuardHeld
	case !b.Read && j.takesItself(v):
		return GuardHeld // takes it itself
	case b.Exclusive(a), b.Read && j.callKeptApart(v):
		return OtherLock
	case !j.Changed(j.Place(a.Path.Location())):
		return NeverChanged
	case a.Op == access.Return && !j.replaced(j.Place(a.Path.Location())):
		return StaysInside
	case j.Sharing.NoneMeets(j.Place(a.Path.Location()), a):
		return NoOther
	}
	return NoReason
}

// takesItself reports whether the callee holds the lock at the access in any case.
func (j *Judge) takesItself(v *CallVerdict) bool {
	held := v.Act.Held.Held()
	if g := j.Guards.Of(v.Act.Path.Location()); g != nil {
		return j.guards(g, held, v.Act)
	}
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock.Location().Var == v.Lock })
}

// writeLocked reports whether one of the locks is held for writing.
func writeLocked(held []locks.Held) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Mode == locks.Write })
}

// gradeCall decides on the confidence of a witness.
func (j *Judge) gradeCall(v *CallVerdict) {
	v.Evidence, v.Grade = j.Sharing.Of(j.Place(v.Act.Path.Location())), Race
	if v.Blame.Read {
		v.Grade = ReadersToo
		if j.Beside(v.Blame.Locks, v.Act.Path) {
			v.Evidence.Confidence = sharing.High // who locks for it means others
		}
	}
	if v.Blame.Declined && j.Guards.Of(v.Act.Path.Location()) == nil {
		v.Evidence = sharing.Evidence{Confidence: sharing.High, Text: v.Blame.Callee.Name + " takes " + v.Lock.Name() + " for it when it is told to"}
	}
	perhaps := !v.Blame.Read && slices.Contains(v.Blame.Caller.Perhaps(v.Blame.Call.Held), v.Lock)
	switch {
	case !v.Blame.Sure || perhaps:
		v.Grade = CallerUnknown
	case v.Blame.Caller.CallsAtStart(v.Blame.Call, v.Act):
		v.Grade = LocksUnsure
	}
	if v.Grade == Race && j.doubtCall(v.Blame) {
		v.Grade = TakesNoLock
	}
	v.Grade = v.Grade.in(v.Blame.Caller)
	v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
	if v.Confidence <= sharing.Low {
		return
	}
	if g := j.excusedCall(v); g != NoGrade {
		v.Grade, v.Confidence = g, g.Confidence()
	}
	j.weigh(&v.Grade, &v.Confidence, v.Blame.Caller, v.Evidence, v.Act)
}

// excusedCall returns the row of a call that needs no lock, as far as the threads show that run
// the caller, or as most do without it.
func (j *Judge) excusedCall(v *CallVerdict) Grade {
	pl, caller, made := j.Place(v.Act.Path.Location()), v.Blame.Caller, v.made()
	g := j.Guards.Of(pl.Loc)
	switch {
	case onlyMeasured(v.Act):
		return OnlyMeasured
	case j.fetched(v.Act):
		return FromCall
	case g != nil && !v.Blame.Read && j.without(g, pl, caller, made):
		return MostWithout
	case j.Sharing.CallInTurn(pl, caller, made):
		return OneThread
	case !j.stated(v.Evidence, pl) && j.Sharing.CallAtStart(pl, caller, made):
		return AtStart
	case j.inferred(v.Evidence, pl) && !j.Sharing.CallThreaded(pl, caller, made):
		return NoThread
	case j.Sharing.Enclosed(v.Evidence, caller, made):
		return Enclosed
	}
	return NoGrade
}

// made returns the callee's access as the caller makes it, by the call: what the caller does before and after is counted from there.
func (v *CallVerdict) made() *access.Access {
	made := *v.Act
	if v.Blame.Call != nil {
		made.Point = v.Blame.Call.Point
	}
	return &made
}
