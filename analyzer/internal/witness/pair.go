package witness

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Verdict is the judgement on one candidate, a look and an act that depends
// on it: a witness, or the reason why there is none.
type Verdict struct {
	Func       *infer.Func
	Pair       summary.Pair
	Check, Act *access.Access
	// CheckLocks and ActLocks are the locks held that can protect the map.
	CheckLocks, ActLocks []locks.Held
	Judgement
	// Local: goroutines share the map, which is a local one.
	Local bool
	// replacing is the judge's.
	replacing map[token.Pos]bool
}

// Unlocked reports whether the check or the act holds no lock at all.
func (v *Verdict) Unlocked() bool { return len(v.CheckLocks) == 0 || len(v.ActLocks) == 0 }

// Raced reports whether look or act holds no lock, and the map itself is raced on so that it
// matters: a length that is measured is one word, that of before the change or of after it.
func (v *Verdict) Raced() bool {
	measured := onlyMeasured(v.Check) && len(v.ActLocks) > 0
	return v.Unlocked() && !v.Concurrent() && !measured
}

// bare reports whether neither holds a lock.
func (v *Verdict) bare() bool { return len(v.CheckLocks) == 0 && len(v.ActLocks) == 0 }

// Concurrent reports whether the map is a concurrent map.
func (v *Verdict) Concurrent() bool { return v.Check.Op.Concurrent() && v.Act.Op.Concurrent() }

// inCallee reports whether one call makes both steps.
func (v *Verdict) inCallee() bool {
	c, a := v.Check, v.Act
	return c.InnerFunc != "" && a.InnerFunc != "" && (c.InnerFunc == a.InnerFunc || c.Pos == a.Pos)
}

// sharedThere reports whether one call makes both steps on another package's concurrent map,
// which is as concurrent there.
func (v *Verdict) sharedThere() bool {
	return v.Concurrent() && v.Check.Pos == v.Act.Pos && foreign(v.Check) && foreign(v.Act)
}

// judgePairs asks the questions of all pairs of look and act.
func (j *Judge) judgePairs() {
	j.named = make(map[token.Pos]bool)
	for _, f := range j.Pkg.Funcs {
		for _, p := range f.Pairs {
			if a := &f.Accesses[p.Act]; a.Resolved && a.Op.Concurrent() {
				j.named[a.At()] = true
			}
		}
	}
	j.findReplacing()
	for _, f := range j.Pkg.Funcs {
		for _, p := range f.Pairs {
			j.candidates = append(j.candidates, j.judge(f, p))
		}
	}
	for i := range j.candidates {
		if v := &j.candidates[i]; v.Reason == NoReason {
			j.pairs = append(j.pairs, v)
		}
	}
}

// judge asks the four questions in turn; the first one without an answer ends
// it. A witness is then graded.
func (j *Judge) judge(f *infer.Func, p summary.Pair) Verdict {
	v := Verdict{Func: f, Pair: p, Check: &f.Accesses[p.Check], Act: &f.Accesses[p.Act], replacing: j.replacing}
	v.CheckLocks, v.ActLocks = j.unmarked(j.locksAtLook(f, v.Check, v.Act)), j.unmarked(j.Guards.Plausible(held(f, v.Act), v.Act.Path))
	for _, question := range [...]func(*Verdict) Reason{j.object, j.phase, j.section, j.change} {
		if v.Reason = question(&v); v.Reason != NoReason {
			return v
		}
	}
	j.grade(&v)
	return v
}

// unmarked leaves out marks, by which operations keep each other apart: they protect no map from those who ask for none.
func (j *Judge) unmarked(held []locks.Held) []locks.Held {
	return slices.DeleteFunc(slices.Clone(held), func(h locks.Held) bool { return j.Pkg.IsMark(h.Lock) })
}

// held returns the locks at an access; in a goroutine that the function starts
// they are the goroutine's own.
func held(f *infer.Func, a *access.Access) []locks.Held {
	if a.Spawned {
		return a.Held.Held()
	}
	return f.Effective(a)
}

// locksAtLook returns the locks that protect what the look sees.
func (j *Judge) locksAtLook(f *infer.Func, c, a *access.Access) []locks.Held {
	locks := j.Guards.Plausible(f.Effective(c), c.Path)
	if loc := a.Path.Location(); len(locks) == 0 && c.Fetched && (j.Snapshot(loc) || j.FilledWhole(loc)) {
		// A map that is only replaced as a whole, or is filled in the section that
		// makes it, is read where it is fetched; what follows looks at a snapshot.
		return j.Guards.Plausible(f.EffectiveState(c.Fetch), c.Path)
	}
	return locks
}

// object asks whether two goroutines can reach the map at all.
func (j *Judge) object(v *Verdict) Reason {
	c, a := v.Check, v.Act
	if !c.Path.Location().Valid() {
		v.Evidence, v.Local = j.between(v)
	}
	switch {
	case !c.Path.Location().Valid() && !v.Local && !j.lastResort(v.Func, c, a):
		return UnknownMap
	case c.Fresh || a.Fresh || v.Func.Owns(a):
		return NotPublished
	case j.Pkg.Unshared(v.Func, c) && j.Pkg.Unshared(v.Func, a):
		return SaidUnshared
	}
	return NoReason
}

// phase asks whether anything else can run at that time.
func (j *Judge) phase(v *Verdict) Reason {
	c, a := v.Check, v.Act
	switch {
	case v.Func.Ctx.Dead:
		return Uncalled
	case c.Once || a.Once:
		return RunsOnce
	case v.Func.Ctx.InitOnly:
		return OnlyInit
	case v.Func.Ctx.OnceOnly:
		return RunsOnce
	case c.Joined || a.Joined:
		return AfterJoin
	case c.Spawned || a.Spawned && a.Op != access.Insert && a.Op != access.Store:
		return OwnGoroutine
	case (len(v.CheckLocks) == 0 || len(v.ActLocks) == 0) && v.Func.Is(role.CallerLocks):
		return CallerLocks
	case c.InnerFunc == a.InnerFunc && v.bare() && decidedElsewhere(c, a):
		return Elsewhere
	case v.inCallee() && (j.judgedThere(c) && j.judgedThere(a) || v.sharedThere()):
		return Elsewhere
	}
	return NoReason
}

// decidedElsewhere reports whether look and act stand in one function of
// another package, with the decision between them.
func decidedElsewhere(c, a *access.Access) bool {
	return c.Imported && a.Imported && !c.Resolved && a.Rechecked
}

// section asks whether a lock, an atomic step or a second look leaves no time
// for B's step.
func (j *Judge) section(v *Verdict) Reason {
	updates := v.Act.Op == access.Store && v.Pair.Has(depend.Data) && v.Pair.Has(depend.Content)
	switch {
	case v.Check.Op == access.Atomic && !updates:
		return AtomicStep
	case len(j.covering(v)) > 0:
		return OneSection
	case j.renewed(v):
		return Renewed
	case j.sameVersion(v):
		return SameVersion
	case j.roomKept(v):
		return RoomKept
	case j.oneItem(v):
		return OneItem
	case j.ownKey(v):
		return OwnKey
	}
	if r := j.left(v.Func, v.Act); r != NoReason && j.left(v.Func, v.Check) == r {
		return r
	}
	return NoReason
}

// change asks whether B's step can concern what A looked at.
func (j *Judge) change(v *Verdict) Reason {
	switch {
	case differentKeys(v.Check.Key, v.Act.Key):
		return OtherKey
	case v.Pair.Has(depend.Unique):
		return UniqueKey
	case v.Check.Pinned && v.Act.Op.Deletes():
		return Counted
	case v.Pair.Has(depend.Generation):
		return StillAlive
	case j.owned(v), j.reserved(v), j.claimedEntry(v):
		return OwnEntry
	}
	pl := j.Place(v.Act.Path.Location())
	variable := v.Check.Op == access.NilTest && j.namedHere(pl) // entries are nothing to it
	if (variable || j.closed(pl)) && len(j.steps(v)) == 0 {
		if takes(v.Act) {
			return NeverRefilled
		}
		return NoStep
	}
	return NoReason
}

// ConcurrentMap is the evidence that a concurrent map is by itself.
const ConcurrentMap = "goroutines share a concurrent map"

// grade decides on the confidence of a witness: that of the evidence, bounded
// by the harm, and low where the analysis is not sure of the locks.
func (j *Judge) grade(v *Verdict) {
	if v.Local {
		v.Grade = j.gradeOf(v)
		v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
		return
	}
	v.Evidence = j.evidence(v)
	if v.Unlocked() && (v.Func.Stored() || v.Func.HandedLocked(v.Act)) {
		v.Evidence = sharing.Evidence{Confidence: sharing.Low, Text: "nothing tells which locks are held when this function literal is called"}
	}
	why, alone := j.alone(v)
	if alone {
		v.Evidence = sharing.Evidence{Confidence: sharing.Low, Text: why}
	}
	if j.ownLocked(v) {
		v.Evidence = unshown
	}
	v.Confidence = v.Evidence.Confidence
	if v.Concurrent() && !alone {
		v.Confidence = sharing.High
	}
	v.Grade = j.gradeOf(v)
	if g := j.doubtPair(v); g != NoGrade {
		v.Grade = g
	}
	v.Grade = v.Grade.in(v.Func)
	v.Confidence = min(v.Confidence, v.Grade.Confidence())
	pl := j.Place(v.Act.Path.Location())
	switch {
	case v.Confidence <= sharing.Low:
	case j.Sharing.Sole(v.Func, pl, []*access.Access{v.Check, v.Act}, v.matters):
		v.Grade, v.Confidence = OneThread, sharing.Low
	case v.Evidence.PackageLevel && !j.Sharing.ChangedLate(pl, v.matters), !j.stated(v.Evidence, pl) && j.Sharing.OnlyStart(pl, []*access.Access{v.Check, v.Act}, v.matters):
		v.Grade, v.Confidence = AtStart, sharing.Low
	case j.inferred(v.Evidence, pl) && !j.Sharing.Threaded(v.Evidence, pl, []*access.Access{v.Check, v.Act}, v.matters):
		v.Grade, v.Confidence = NoThread, sharing.Low
	case j.Sharing.Enclosed(v.Evidence, v.Func, v.Check, v.Act):
		v.Grade, v.Confidence = Enclosed, sharing.Low
	case j.calledAhead(v.Evidence, pl, v.Func, v.Check, v.Act):
		v.Grade, v.Confidence = BeforeUse, sharing.Low
	case !v.Concurrent():
		j.weigh(&v.Grade, &v.Confidence, v.Func, v.Evidence, v.Check, v.Act)
	}
	if v.Confidence == sharing.High && j.madeTwice(v) {
		v.Grade, v.Confidence = MadeTwice, sharing.Medium
	}
}

// gradeOf chooses the row. Where a side holds no lock, the map itself is raced
// on, whatever it stores. Where both are locked, the harm is what a lost or
// repeated act does.
func (j *Judge) gradeOf(v *Verdict) Grade {
	doubtful := len(v.CheckLocks) == 0 && j.Doubtful(v.Func, v.Check) || len(v.ActLocks) == 0 && j.Doubtful(v.Func, v.Act)
	switch {
	case v.Check.Op == access.NilTest && v.Act.Op == access.Assign && j.Pkg.NeverNil(v.Act.Path.Location().Var):
		return NeverNil
	case doubtful:
		return LocksUnsure
	case j.asksForMap(v):
		return NilTested
	case v.Raced():
		if g := j.weakGuard(v); g != NoGrade {
			return g
		}
		return Race
	}
	return j.harmOf(v)
}

// harmOf chooses the row by what a lost or repeated act does.
func (j *Judge) harmOf(v *Verdict) Grade {
	g := harm(v)
	if (g == ToldTwice || g == TwoObjects) && j.onlyLogged(v) {
		return LogsTwice
	}
	if (g == LostRefill || g == UsedThenDeleted) && j.recomputed(v) {
		return Recomputed
	}
	if (g == SameValue || g == Alike || g == Rewritten) && !v.Concurrent() && j.othersPut(v) {
		return OlderWins
	}
	if (g == TwoObjects || g == OlderWins) && j.reservedButWhole(v) {
		return ReplacedWhole
	}
	if g == Alike && j.goneAtSource(v) {
		return LostRefill
	}
	if (g == PutsBack && v.Concurrent() || g == Rewritten) && j.removedElsewhere(v) {
		return Revived
	}
	if g == LostUpdate && entryLook(v.Check) && j.onlyRemoved(v) {
		return Revived
	}
	switch {
	case g != TakenOut || !j.filledOnDemand(v):
		return g
	case v.Pair.Has(depend.Used):
		return UsedThenDeleted
	}
	return TakenTwice
}

// lastResort reports whether a map that the function got as a parameter is to
// be judged here: a concurrent map, which needs no lock to be known, and no
// caller in the package that names it.
func (j *Judge) lastResort(f *infer.Func, c, a *access.Access) bool {
	return c.Op.Concurrent() && a.Op.Concurrent() && c.Path.Root().Kind == accesspath.Param && !j.named[a.At()]
}

// Snapshot reports whether the map, once published, is only ever replaced as a
// whole, never changed in place. A place without accesses here may be changed
// elsewhere, and so may one of another package, unless that tells that it does not.
func (j *Judge) Snapshot(loc accesspath.Location) bool {
	if !j.snapshot[loc] {
		return false
	}
	g := j.Guards.Of(loc)
	return g == nil || loc.Var == nil || loc.Var.Pkg() == j.Pkg.Types || g.Replaced && g.Changers == 0
}

func (j *Judge) evidence(v *Verdict) sharing.Evidence {
	loc := v.Act.Path.Location()
	e := j.shownFor(v, j.Place(loc))
	if e.Common {
		e = j.Sharing.AsCommon(e, v.Func, v.Act)
	}
	if !e.Concerns(v.Act.Path) {
		e = sharing.Evidence{Confidence: sharing.Low, Text: "what shows that the place is shared concerns another object"}
	}
	if e.Confidence < sharing.High && (len(v.CheckLocks) > 0 || len(v.ActLocks) > 0) && !v.Concurrent() {
		locks, side := ofObject(Near(v.ActLocks, v.Act.Path)), "act"
		if len(locks) == 0 {
			locks, side = ofObject(Near(v.CheckLocks, v.Check.Path)), "check"
		}
		if len(locks) == 0 {
			return e
		}
		return sharing.Evidence{Confidence: sharing.High, Text: fmt.Sprintf("the %s itself holds %s", side, j.LockNames(locks))}
	}
	if e.Confidence <= sharing.Low && j.cacheInDisguise(v) {
		return sharing.Evidence{Confidence: sharing.Medium, Text: v.Func.Name + " returns what it looked up or has just inserted: a shared cache in disguise"}
	}
	return e
}

// cacheInDisguise reports whether the form of a pair tells of a shared cache, and neither a program of
// the module nor the package itself shows who shares it.
func (j *Judge) cacheInDisguise(v *Verdict) bool {
	if !memoizes(v) || !j.query(v) {
		return false
	}
	return !j.Pkg.Programs() && !j.Sharing.Denies(v.Act.Path.Location()) && !j.Pkg.OwnUse(v.Func)
}

// ofObject leaves out locks of single keys: they keep whole operations apart, and do not
// tell that the map is shared.
func ofObject(held []locks.Held) []locks.Held {
	return slices.DeleteFunc(held, func(h locks.Held) bool { return h.Lock.IsElem() })
}

// Near returns the locks that stand by the map: in the same object, in one
// that leads to it, or package-level. One that the function happens to hold of
// another object says nothing of the map.
func Near(held []locks.Held, path accesspath.Path) []locks.Held {
	var out []locks.Held
	for _, h := range held {
		k := h.Lock.Root().Kind
		if k == accesspath.Global || k == accesspath.Place || path.HasPrefix(h.Lock.Base()) {
			out = append(out, h)
		}
	}
	return out
}
