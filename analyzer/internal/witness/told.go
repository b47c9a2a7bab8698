package witness

import (
	"go/token"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// leaveRaces makes those pairs low whose race on the map is told where it arises: the
// side without a lock stands in a callee, which lacks the lock whatever its callers do with
// what it found. One change there ends the race of all callers; a caller is to blame for
// what its own two steps do to each other, as if both were locked.
func (j *Judge) leaveRaces() {
	told := make(map[token.Pos][]*infer.Func)
	for i := range j.accesses {
		if v := &j.accesses[i]; v.Kind == Used && v.raised() {
			at := v.Site.Acc.At()
			told[at] = append(told[at], v.Site.Func)
		}
	}
	for _, v := range j.pairs {
		if v.Grade != Race || v.Confidence <= sharing.Low || v.Local || j.guardless(v) {
			continue
		}
		if g := j.harmOf(v); g.Confidence() <= sharing.Low && j.toldThere(v, told) {
			v.Grade, v.Confidence = g, sharing.Low
		}
	}
}

// leaveCalls makes those pairs low of which one call makes both steps, in a function of the
// package that is itself reported: a change there is one for all who call it.
func (j *Judge) leaveCalls() {
	type steps struct{ look, act token.Pos }
	told := make(map[steps]bool)
	for _, v := range j.pairs {
		if v.raised() && v.Check.InnerFunc == "" && v.Act.InnerFunc == "" {
			told[steps{v.Check.At(), v.Act.At()}] = true
		}
	}
	for _, v := range j.pairs {
		if v.raised() && v.inCallee() && told[steps{v.Check.At(), v.Act.At()}] {
			v.Grade, v.Confidence = ToldInCallee, sharing.Low
		}
	}
}

// Apart returns how sure it is that the two steps of a pair do harm to each other where each of them holds the
// lock, in a section of its own.
func (j *Judge) Apart(v *Verdict) sharing.Confidence {
	return min(v.Evidence.Confidence, j.harmOf(v).in(v.Func).Confidence())
}

// guardless reports whether no lock is known for the map of a pair, nor held at either step:
// what is missing is a lock, not its use in one function.
func (j *Judge) guardless(v *Verdict) bool {
	return v.bare() && j.Guards.Of(v.Act.Path.Location()) == nil
}

// toldThere reports whether each step of a pair that lacks the lock stands in a callee that
// is itself reported, or is judged with its own package.
func (j *Judge) toldThere(v *Verdict, told map[token.Pos][]*infer.Func) bool {
	there := func(a *access.Access) bool {
		if a.InnerFunc == "" || a.Resolved || a.Asked {
			return false
		}
		return a.Imported || slices.ContainsFunc(told[a.At()], func(f *infer.Func) bool { return f != v.Func })
	}
	return (len(v.CheckLocks) > 0 || there(v.Check)) && (len(v.ActLocks) > 0 || there(v.Act))
}
