package witness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// What a piece of evidence is worth was measured: of the findings on code that no rule
// had been tuned on, those of some forms were almost never true, each for a reason of
// its own (docs/measured.md, "What the evidence is worth"). Such a witness is low,
// unless the package shows all threads that come to the map: then nothing is assumed.

// doubtAccess chooses the row of an access of a form that is seldom true.
func (j *Judge) doubtAccess(v *AccessVerdict) Grade {
	s, grade := v.Site, NoGrade
	switch {
	case j.madeOrFetched(s), answered(s.Acc, v.Evidence):
		grade = FromCall
	case v.Guard != nil && v.Guard.How == guard.Used && v.Evidence.Meets != sharing.Requests && j.leavesChange(s):
		grade = TakesNoLock
	case v.Guard == nil && v.Rival == nil && v.Evidence.Meets == sharing.Alike:
		grade = AnotherObject
	case v.Guard == nil && v.Rival == nil && unordered(v.Evidence, s.Func):
		grade = Unordered
	}
	if grade != NoGrade && j.Sharing.Threads.Shows(s) {
		return NoGrade
	}
	return grade
}

// leavesChange reports whether a function changes the map without a lock, and leaves
// that to its callers, of which some may hold one.
func (j *Judge) leavesChange(s *infer.Site) bool {
	return j.changesWithout(s) && j.leavesLocks(s.Func) && !j.calledBare(s.Func, maxBare) && !j.startedBare(s.Func, maxBare, false)
}

// madeOrFetched reports whether the access is to an object that its function makes and
// returns, or gets from a call: nothing tells that others have the same one then. One that it
// returns as an interface must not have gone anywhere else before.
func (j *Judge) madeOrFetched(s *infer.Site) bool {
	made := s.Acc.Path.Root().Val
	return j.fetched(s.Acc) || j.handedFetched(s) || made != nil && s.Func.Is(role.Public) && slices.ContainsFunc(depend.Returns(s.Func.SSA), func(r *ssa.Return) bool {
		return slices.ContainsFunc(r.Results, func(v ssa.Value) bool {
			return v == made || s.Acc.Kept && ssautil.Unwrap(v) == made
		})
	})
}

// fetched reports whether the object of an access comes from a call: by itself, or beside an error where
// others come to it for the function, or where another module gives it. One that the function itself locks is
// there for others, too.
func (j *Judge) fetched(a *access.Access) bool {
	call := givenBy(a.Path)
	if call == nil {
		return false
	}
	if a.Path.Root().Val == ssa.Value(call) || j.Pkg.Library(call.Common()) {
		return true
	}
	results := call.Call.Signature().Results()
	return a.InnerFunc != "" && ssautil.IsError(results.At(results.Len()-1).Type())
}

// givenBy returns the call that gives what a path begins at, by itself or beside others; nil if none does.
func givenBy(p accesspath.Path) *ssa.Call {
	if p.Root().Kind != accesspath.Value {
		return nil
	}
	return ssautil.CallOf(p.Root().Val)
}

// answered reports whether the object of an access comes, beside an error, from the method of an interface, and no
// thread that the package shows tells that others have it: what implements that may make it for each call.
func answered(a *access.Access, e sharing.Evidence) bool {
	call := givenBy(a.Path)
	return call != nil && call.Call.IsInvoke() && !e.Threads()
}

// handedFetched reports whether each call that comes to an access without a lock hands its function an
// object that another module's function gives, as a pointer's Load does.
func (j *Judge) handedFetched(s *infer.Site) bool {
	r := s.Acc.Path.Root()
	if r.Kind != accesspath.Param || r.Fn != s.Func.Key || s.Func.Ctx.Open() {
		return false
	}
	fetched := false
	for _, c := range j.Pkg.CallersOf(s.Func) {
		if r.Index >= len(c.Call.Args) {
			return false
		}
		switch call := givenBy(c.Call.Args[r.Index]); {
		case call != nil && j.Pkg.Library(call.Common()):
			fetched = true
		case len(c.Caller.EffectiveState(c.Call.Held)) == 0:
			return false
		}
	}
	return fetched
}

// changesWithout reports whether the function of an access changes the map without a
// lock, there or elsewhere.
func (j *Judge) changesWithout(s *infer.Site) bool {
	for i := range s.Func.Accesses {
		a := &s.Func.Accesses[i]
		if a.Op.Writes() && a.Path == s.Acc.Path && len(s.Func.Effective(a)) == 0 {
			return true
		}
	}
	return false
}

// leavesLocks reports whether a function that the package calls, and that others cannot,
// takes no lock anywhere: who forgets a lock has it elsewhere in the function, and who
// leaves it to the callers does not.
func (j *Judge) leavesLocks(f *infer.Func) bool {
	sites := j.Pkg.CallersOf(f)
	called := slices.ContainsFunc(sites, func(s infer.CallSite) bool { return s.Call.Kind.InPlace() })
	if f.Is(role.Public) || !called {
		return false
	}
	for i := range f.Accesses {
		if len(f.Accesses[i].Held.Held()) > 0 {
			return false
		}
	}
	return true
}

// maxBare bounds the calls between a function and one that others can call.
const maxBare = 4

// calledBare reports whether others can call what calls f, directly or not, where no
// lock is held on the way.
func (j *Judge) calledBare(f *infer.Func, depth int) bool {
	return slices.ContainsFunc(j.Pkg.CallersOf(f), func(s infer.CallSite) bool {
		if !s.Call.Kind.InPlace() || len(s.Caller.EffectiveState(s.Call.Held)) > 0 {
			return false
		}
		return s.Caller.Is(role.Public) || depth > 0 && j.calledBare(s.Caller, depth-1)
	})
}

// startedBare reports whether a goroutine of an object comes to a method of it, directly or not, again and again, and no lock is
// held on the way: no caller sees to one then, nor is the object what no one else has any more.
func (j *Judge) startedBare(f *infer.Func, depth int, looped bool) bool {
	if depth == 0 || f.SSA.Signature.Recv() == nil {
		return false
	}
	own := func(s infer.CallSite) bool {
		if len(s.Call.Args) == 0 || s.Call.Args[0].Depth() > 0 {
			return false
		}
		r := s.Call.Args[0].Root()
		return s.Call.Kind == summary.Goroutine || r.Kind == accesspath.Param && r.Index == 0 && r.Fn == s.Caller.Key
	}
	return slices.ContainsFunc(j.Pkg.CallersOf(f), func(s infer.CallSite) bool {
		switch {
		case !own(s):
			return false
		case s.Call.Kind == summary.Goroutine:
			return looped
		case !s.Call.Kind.InPlace() || len(s.Caller.EffectiveState(s.Call.Held)) > 0:
			return false
		}
		return j.startedBare(s.Caller, depth-1, looped || s.Call.Looped)
	})
}

// unordered reports whether what shows that a map without any lock is shared leaves
// open what orders the accesses of f: goroutines of one kind share it by design, if they
// do; what one function's documentation promises is kept by others in their own way; and
// what works for functions that other packages can call is mostly called at the start.
func unordered(e sharing.Evidence, f *infer.Func) bool {
	switch {
	case e.Threads():
		return e.Meets == sharing.Workers || e.Meets == sharing.Repeated || e.Meets == sharing.Callers
	case e.Claimed:
		return e.By != nil && e.By != f
	}
	return e.PackageLevel && !f.Is(role.Public)
}

// doubtPair chooses the row of a pair of a form that is seldom true. What was true was
// most often an entry that is put in where none is, or taken out, once.
func (j *Judge) doubtPair(v *Verdict) Grade {
	if v.Check.Op == access.NilTest && v.Act.Op.Deletes() && v.looksAgain() {
		return NilTested
	}
	grade := j.doubtOf(v)
	if grade == NoGrade {
		return grade
	}
	look, act := infer.Site{Func: v.Func, Acc: v.Check}, infer.Site{Func: v.Func, Acc: v.Act}
	if th := j.Sharing.Threads; th.Shows(&look) && th.Shows(&act) {
		return NoGrade
	}
	return grade
}

func (j *Judge) doubtOf(v *Verdict) Grade {
	p, g := v.Pair, v.Grade
	switch {
	case g.Confidence() <= sharing.Low:
		return NoGrade
	case v.Concurrent() && g.Confidence() == sharing.Medium && g != OlderWins && g != Revived && !v.takesOut():
		return AcceptsStale
	case (g == UsedThenDeleted || g == LostRefill) && v.deletesFound() && !j.filledMeanwhile(v):
		return OneByOne
	case (g == UsedThenDeleted || g == LostRefill) && j.givesUpClaim(v):
		return OneByOne
	case j.fetched(v.Act), answered(v.Act, v.Evidence):
		return FromCall
	case v.bare() && !v.Concurrent():
		return j.doubtBare(v)
	case v.choosesAnother():
		return ChosenEntry
	case (g == EffectTwice || !v.Concurrent()) && v.refreshes():
		return Refreshes
	case g == EffectTwice && v.recordsWork():
		return RecordsWork
	case g == EffectTwice && p.Has(depend.Memo|depend.Returned):
		return SameValue // what else happens is how it is worked out
	case g == EffectTwice && !p.Has(depend.Lasting) && v.Act.Stored != access.StoredDerived:
		return DoneAgain
	case g == UsedThenDeleted && p.Traits&(depend.Taken|depend.Told) == 0 && !j.filledOnDemand(v):
		return TakenOut
	case g == LostUpdate && p.Has(depend.Chosen):
		return Recomputed
	}
	return NoGrade
}

// deletesFound reports whether the entry of an object that was found goes, whatever it
// is by then, and nothing comes of that. A plain value says by itself whose entry it is.
func (v *Verdict) deletesFound() bool {
	const plain = types.IsNumeric | types.IsString
	return !v.entriesAre(plain) && v.Act.Op.Deletes() && v.looksUp() && !v.Pair.Has(depend.Told) && !v.takesOut()
}

// filledMeanwhile reports whether an object goes because there is nothing in it, and others
// put one in where they find none, to fill it: what they fill in meanwhile is lost with it.
func (j *Judge) filledMeanwhile(v *Verdict) bool {
	return v.Pair.Has(depend.Emptied) && j.filledOnDemand(v)
}

// recordsWork reports whether what the entry says decides that something is done,
// and the act notes it afterwards. A number that counts is a limit instead, and what is
// added to what the entry holds by then is there twice when two come.
func (v *Verdict) recordsWork() bool {
	p := v.Pair
	said := p.Polarity == depend.Value || p.Polarity == depend.Present && p.Has(depend.Content)
	if p.Has(depend.Follows) || !said {
		return false
	}
	return !v.entriesAre(types.IsNumeric) && v.Act.Stored != access.StoredDerived
}

// entriesAre reports whether what the map holds are plain values of a kind.
func (v *Verdict) entriesAre(kind types.BasicInfo) bool {
	loc := v.Act.Path.Location()
	if !loc.Valid() {
		return false
	}
	m, ok := loc.Var.Type().Underlying().(*types.Map)
	if !ok {
		return false
	}
	b, ok := m.Elem().Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

// Comparable reports whether what the act of a pair on a concurrent map stores can be compared, as far as the function shows: a
// slice, say, would make CompareAndSwap panic.
func (v *Verdict) Comparable() bool {
	call, ok := v.Act.Point.Instr(v.Func.SSA).(ssa.CallInstruction)
	if !ok || v.Act.Lifted || len(call.Common().Args) == 0 {
		return true
	}
	args := call.Common().Args
	stored, ok := args[len(args)-1].(*ssa.MakeInterface)
	return !ok || types.Comparable(stored.X.Type())
}

// NoMethod reports whether no method of a concurrent map does what the two steps of a pair do, so that a mutex has to
// cover both: the look is at all entries, and the act at one that it has not chosen; or an entry is replaced whose value
// cannot be compared.
func (v *Verdict) NoMethod() bool {
	ofAll := v.Check.Op == access.Visit && !v.Pair.Has(depend.Chosen)
	return ofAll || v.Act.Op == access.Store && v.Replaces() && !v.Comparable()
}

// Replaces reports whether the act of a pair puts something else in the place of the entry that the look has found.
func (v *Verdict) Replaces() bool {
	return v.Grade == Revived || v.Pair.Has(depend.Data|depend.Content) || v.Pair.Polarity == depend.Present
}

// choosesAnother reports whether the act is on an entry that the look chose: one that
// is put in where another was not found, or one of those that a walk without the lock
// came by.
func (v *Verdict) choosesAnother() bool {
	p := v.Pair
	switch {
	case !p.Has(depend.Chosen) || p.Has(depend.Told):
		return false
	case v.Unlocked():
		return !v.looksUp() && v.Act.Op.Deletes()
	}
	return v.looksUp() && p.Polarity == depend.Absent
}

// looksUp reports whether the look reads one entry, and does nothing else.
func (v *Verdict) looksUp() bool { return v.Check.Op == access.Lookup || v.Check.Op == access.Load }

// refreshes reports whether what decides that an object is put in, or a value that is
// not computed from the old one, is what the entry holds, rather than that there is
// none: who comes second renews it once more. Where the code does not tell what decides,
// an object counts if something else hangs on the look, a plain value if callers are told.
func (v *Verdict) refreshes() bool {
	p := v.Pair
	if !v.looksUp() || p.Polarity == depend.Absent {
		return false
	}
	unclear := p.Polarity == depend.Any
	switch {
	case v.Grade == EffectTwice:
		return unclear && !p.Has(depend.Told)
	case v.Grade != TwoObjects && (v.Grade != LostUpdate || p.Has(depend.Data)), p.Has(depend.Returned) && !v.storesAlike():
		return false
	}
	return !unclear || p.Has(depend.Chosen) || !p.Has(depend.Effects)
}

// storesAlike reports whether what the act puts in has no identity, so that callers that go on with one of two have the
// same.
func (v *Verdict) storesAlike() bool {
	return v.Act.Stored == access.StoredPure || v.Act.Stored == access.StoredAlike
}

// doubtBare is doubtOf for a pair without any lock.
func (j *Judge) doubtBare(v *Verdict) Grade {
	g := j.Guards.Of(v.Act.Path.Location())
	switch {
	case v.Evidence.Meets == sharing.Repeated:
		return Unordered
	case g == nil && v.Evidence.Meets == sharing.Alike:
		return AnotherObject
	case v.getsOrCreates(), v.takesOut(), v.Pair.Polarity == depend.Room:
	case g != nil && g.How == guard.Used && j.leavesLocks(v.Func) && !j.startedBare(v.Func, maxBare, false):
		return TakesNoLock
	case g == nil && unordered(v.Evidence, v.Func):
		return Unordered
	}
	return NoGrade
}

// getsOrCreates reports whether an entry is put in where none was found.
func (v *Verdict) getsOrCreates() bool {
	p, op := v.Pair, v.Act.Op
	return p.Polarity == depend.Absent && (op == access.Insert || op == access.Store) && !p.Has(depend.Chosen)
}

// takesOut reports whether what is found present is taken out, and something comes of
// it: it happens twice, or two are told that they did it, or get the same thing.
func (v *Verdict) takesOut() bool {
	p := v.Pair
	if !takes(v.Act) || p.Has(depend.Chosen) {
		return false
	}
	taken := p.Has(depend.Taken) && p.Polarity != depend.Absent
	return taken || p.Polarity == depend.Present && p.Traits&(depend.Effects|depend.Told) != 0
}

// doubtCall reports whether a call that lacks a lock stands in a function that leaves
// locks to its callers itself.
func (j *Judge) doubtCall(b *infer.Blame) bool {
	return b.Call.Kind.InPlace() && !b.Declined && !b.Read && j.leavesLocks(b.Caller)
}
