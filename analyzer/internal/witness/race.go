package witness

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// maxGroup bounds the accesses of one map by goroutines that are compared.
const maxGroup = 64

// A RaceVerdict is the judgement on what the goroutines that one function starts
// do to one map: two accesses that can happen at one time, or why there are none.
type RaceVerdict struct {
	Starter *infer.Func
	Path    accesspath.Path
	// A is the goroutine's access, the first of those that were compared where
	// there is no witness. B or Own is the other side: another goroutine's, or
	// the starter's; neither when several goroutines do what A does.
	A, B *threads.Visit
	Own  *access.Access
	Judgement
	visits []*threads.Visit
}

// Races returns the verdicts on maps that goroutines reach, one for each map of
// each function that starts some. Shared fields and variables with a guard are
// left to the judgements that know guards.
func (j *Judge) Races() []RaceVerdict { return j.races }

func (j *Judge) judgeRaces() {
	type group struct {
		starter *infer.Func
		path    accesspath.Path
	}
	index := make(map[group]int)
	for _, s := range j.Sharing.Threads.Visits {
		loc := s.Path.Location()
		elsewhere := loc.Valid() && (s.Thread.Handler() || j.Guards.Of(loc) != nil)
		if elsewhere || s.Op.Concurrent() || !s.Op.Uses() || j.judgedThere(s.Access) {
			continue
		}
		g := group{s.Thread.Starter, s.Path}
		i, ok := index[g]
		if !ok {
			i = len(j.races)
			index[g] = i
			j.races = append(j.races, RaceVerdict{Starter: g.starter, Path: g.path, A: s})
		}
		if v := &j.races[i]; len(v.visits) < maxGroup {
			v.visits = append(v.visits, s)
		} else {
			v.Starter.Cut(fmt.Sprintf("more than %d accesses of one map by goroutines", maxGroup))
		}
	}
	for i := range j.races {
		v := &j.races[i]
		if v.Reason = j.meeting(v); v.Reason == NoReason {
			j.gradeRace(v)
		}
	}
}

// meeting finds two accesses that can happen at one time, one of them a change:
// changes first.
func (j *Judge) meeting(v *RaceVerdict) Reason {
	reason := NeverChanged
	for _, writes := range [...]bool{true, false} {
		for i, a := range v.visits {
			if a.Op.Writes() != writes || a.Func.AtStart(a.Access) {
				continue
			}
			r := j.meets(v, a, v.visits[i:])
			if r == NoReason {
				v.A = a
				return NoReason
			}
			if writes && reason == NeverChanged || r == OtherLock {
				reason = r
			}
		}
	}
	return reason
}

// meets compares an access with the ones after it, and with what the starter
// does beside it.
func (j *Judge) meets(v *RaceVerdict, a *threads.Visit, rest []*threads.Visit) Reason {
	reason := NoOther
	for _, b := range rest {
		if b.Func.AtStart(b.Access) || !j.Sharing.Threads.Parallel(a, b) || !a.Op.Writes() && !b.Op.Writes() {
			continue
		}
		if !threads.KeptApart(a, b) {
			v.B = b
			return NoReason
		}
		reason = OtherLock
	}
	for _, i := range a.Thread.Beside() {
		c := &v.Starter.Accesses[i]
		own := !c.Spawned && !c.Fresh && c.Op.Uses() && !c.Op.Concurrent()
		if !own || c.Path != a.Path || !a.Op.Writes() && !c.Op.Writes() || threads.Apart(c.Claim, a.Claim) {
			continue
		}
		if j.Sharing.Threads.GotAnew(a.Thread, c) || j.Sharing.Threads.OtherRound(a, c) {
			continue
		}
		if !locks.Excludes(a.Held, v.Starter.Effective(c)) && !gotApart(a, v.Starter, c) {
			v.Own = c
			return NoReason
		}
		reason = OtherLock
	}
	return reason
}

// gotApart reports whether a goroutine gives a place another map, and what its starter only reads beside it is the map that
// it has got from there: all that the two share is the place, and a lock keeps them apart there.
func gotApart(a *threads.Visit, starter *infer.Func, c *access.Access) bool {
	return a.Op == access.Assign && c.Fetched && !c.Op.OfVariable() && !c.Op.Writes() && locks.Excludes(a.Held, starter.EffectiveState(c.Fetch))
}

// doubtRace reports whether both sides may hold a lock that protects the map, as far as
// the analysis knows.
func (j *Judge) doubtRace(v *RaceVerdict) bool {
	if !j.Doubtful(v.A.Func, v.A.Access) {
		return false
	}
	switch {
	case v.Own != nil:
		return j.Doubtful(v.Starter, v.Own)
	case v.B != nil:
		return j.Doubtful(v.B.Func, v.B.Access)
	}
	return true
}

// gradeRace decides on the confidence: high, since both sides stand in the code. A
// map that the starter got and another function may protect is medium.
func (j *Judge) gradeRace(v *RaceVerdict) {
	v.Grade = Race
	if j.doubtRace(v) {
		v.Grade = LocksUnsure
	}
	v.Evidence = sharing.Evidence{Confidence: sharing.High, Text: v.A.Thread.Reaches()}
	if v.Path.Root().Kind == accesspath.Param && !v.Path.Location().Valid() {
		v.Evidence.Confidence = sharing.Medium
	}
	v.Grade = v.Grade.in(v.A.Thread.Starter)
	v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
}

// Local reports whether the map belongs to the function that starts the
// goroutine: it is a local one, or a parameter.
func (v *RaceVerdict) Local() bool {
	return v.Path.Root().Kind == accesspath.Value || !v.Path.Location().Valid()
}

// funcs are the functions without which the two sides do not meet.
func (v *RaceVerdict) funcs() []*infer.Func {
	fns := []*infer.Func{v.Starter, v.A.Func}
	if v.B != nil {
		fns = append(fns, v.B.Func)
	}
	return fns
}

// accesses are those that were judged, as the starter names the map.
func (v *RaceVerdict) accesses() []*access.Access {
	named := func(t *threads.Visit) *access.Access {
		a := *t.Access
		a.Path = v.Path
		return &a
	}
	if v.Reason != NoReason {
		var out []*access.Access
		for _, t := range v.visits {
			out = append(out, named(t))
		}
		return out
	}
	out := []*access.Access{named(v.A)}
	switch {
	case v.Own != nil:
		out = append(out, v.Own)
	case v.B != nil && v.B.At() != v.A.At():
		out = append(out, named(v.B))
	}
	return out
}
