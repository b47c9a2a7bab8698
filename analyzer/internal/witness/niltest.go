package witness

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// onlyNilTested reports whether a function asks only whether there is a map, and does nothing
// else with the map where it holds no lock, nor gives it away.
func (j *Judge) onlyNilTested(s *infer.Site) bool {
	if s.Acc.Op != access.NilTest {
		return false
	}
	given := ssautil.Some(s.Func.SSA, func(instr ssa.Instruction) bool {
		v, ok := instr.(ssa.Value)
		return ok && ssautil.IsMap(v.Type()) && j.Pkg.Paths.Of(v) == s.Acc.Path && !ssautil.UsedInPlace(v)
	})
	return !given && !slices.ContainsFunc(s.Func.Accesses, func(a access.Access) bool {
		return a.Op != access.NilTest && a.Path == s.Acc.Path && len(s.Func.Effective(&a)) == 0
	})
}

// asksForMap reports whether a look without a lock asks only whether there is a map, for an act that changes an entry
// under one: what the look can race with are assignments of the variable alone, and none takes the map away that was
// found. One that gives the variable a map, where something is switched on, finds the old answer as good as the new one.
func (j *Judge) asksForMap(v *Verdict) bool {
	entry := ofEntry(v.Act) || v.Act.Op == access.Clear
	if v.Check.Op != access.NilTest || !entry || len(v.ActLocks) == 0 || len(v.CheckLocks) > 0 {
		return false
	}
	pl := j.Place(v.Act.Path.Location())
	return j.namedHere(pl) && !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op == access.Assign && s.Acc.Stored == access.StoredNone
	})
}

// looksAgain reports whether a deletion behind a test for no map rests on a look of its own, under a lock.
func (v *Verdict) looksAgain() bool {
	return slices.ContainsFunc(v.Func.Pairs, func(p summary.Pair) bool {
		look, act := &v.Func.Accesses[p.Check], &v.Func.Accesses[p.Act]
		return act == v.Act && look.Op != access.NilTest && len(v.Func.Effective(look)) > 0
	})
}

// onlyReports reports whether an access takes a length that is only told, and its function makes no other
// access to the map without the guard: one place to change would be for both.
func (j *Judge) onlyReports(v *AccessVerdict) bool {
	return v.Site.Acc.Reported && !slices.ContainsFunc(v.Place.Sites, func(s infer.Site) bool {
		if s.Func != v.Site.Func || s.Acc.Reported || !needsLock(&s) {
			return false
		}
		_, held := j.Guards.Holds(v.Guard, s.Held, s.Acc.Path)
		return !held
	})
}

// onlyMeasured reports whether an access takes a length by which no slice is made, indexed or cut. It is one
// word: that of before the change or of after it, as it would be under the lock.
func onlyMeasured(a *access.Access) bool { return a.Op == access.Len && !a.Sizes }
