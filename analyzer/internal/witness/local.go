package witness

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// between finds the evidence for a pair on a map without a location, a local one
// that goroutines share: another goroutine, or the one that starts them, can make
// a step between look and act that matters. Where a side holds no lock, the race
// is judged by itself, unless the map is a concurrent one.
func (j *Judge) between(v *Verdict) (sharing.Evidence, bool) {
	if v.Unlocked() && !v.Concurrent() {
		return sharing.Evidence{}, false
	}
	for _, a := range j.visitsAt(v.Act) {
		if j.runsIn(v.Func, a) && j.disturbed(v, a) {
			return startedIn(a), true
		}
	}
	for _, b := range j.visitsOn(v.Act.Path) {
		beside := b.Thread.Beside()
		meanwhile := slices.Contains(beside, v.Pair.Check) && slices.Contains(beside, v.Pair.Act)
		if b.Thread.Starter == v.Func && meanwhile && outdates(v, b.Access) && !j.announced(v, b) {
			return startedIn(b), true
		}
	}
	return sharing.Evidence{}, false
}

// disturbed reports whether something else can change the map while a goroutine
// that makes the act of v is between look and act.
func (j *Judge) disturbed(v *Verdict, a *threads.Visit) bool {
	for _, b := range j.visitsOn(a.Path) {
		if b.Thread.Starter == a.Thread.Starter && outdates(v, b.Access) && j.Sharing.Threads.Parallel(a, b) {
			return true
		}
	}
	return slices.ContainsFunc(a.Thread.Beside(), func(i int) bool {
		c := &a.Thread.Starter.Accesses[i]
		return !c.Spawned && !c.Fresh && c.Path == a.Path && outdates(v, c)
	})
}

// announced reports whether a goroutine changes an entry only once the starter, which looks and acts itself, has put it in:
// the key comes out of a channel to which the starter sends it behind that, and nothing takes entries out. So where the
// starter finds none, no goroutine has the key, and none gets it before the act.
func (j *Judge) announced(v *Verdict, b *threads.Visit) bool {
	key, f := b.Access.Key, v.Func
	entries := entryLook(v.Check) && ofEntry(b.Access) && !removes(b.Access)
	if !entries || v.Check.Lifted || v.Act.Spawned || key.Depth() > 0 || key.Root().Kind != accesspath.Value {
		return false
	}
	if j.takenOut(f, v.Act.Path) {
		return false
	}
	return j.Pkg.SentOnly(key.Root().Val, func(send ssa.Instruction, sent ssa.Value) bool {
		if send.Parent() != f.SSA {
			return false
		}
		at := ssautil.PointOf(send)
		between := f.Flow.ReachesPast(f.SSA.Blocks[v.Act.Point.Block], v.Check.Point, at) && f.Flow.ReachesPast(f.SSA.Blocks[v.Check.Point.Block], at, v.Act.Point)
		return !between && slices.ContainsFunc(f.Accesses, func(a access.Access) bool {
			puts := a.Op == access.Insert || a.Op == access.Store
			own := puts && !a.Spawned && !a.Lifted && a.Path == v.Act.Path && a.Key.Known()
			return own && a.Key == j.Pkg.Paths.Key(sent) && f.Flow.Dominates(a.Point, at)
		})
	})
}

// takenOut reports whether a function, or a goroutine, takes entries out of a local map.
func (j *Judge) takenOut(f *infer.Func, m accesspath.Path) bool {
	return slices.ContainsFunc(f.Accesses, func(a access.Access) bool { return a.Path == m && removes(&a) }) ||
		slices.ContainsFunc(j.visitsOn(m), func(b *threads.Visit) bool { return removes(b.Access) })
}

// runsIn reports whether the thread of a visit runs a function.
func (j *Judge) runsIn(f *infer.Func, a *threads.Visit) bool {
	return a.Func == f || j.Sharing.Threads.Runs(a.Thread, f)
}

// startedIn is the evidence that a goroutine reaches a map. One that the starter
// got may be protected by other code that knows it.
func startedIn(a *threads.Visit) sharing.Evidence {
	e := sharing.Evidence{
		Confidence: sharing.High, Text: a.Thread.Reaches(),
		Pos: a.Thread.Start, Note: a.Thread.Begins(),
	}
	if a.Path.Root().Kind == accesspath.Param {
		e.Confidence = sharing.Medium
	}
	return e
}

// visitsAt returns what goroutines do where an access stands.
func (j *Judge) visitsAt(a *access.Access) []*threads.Visit {
	j.indexVisits()
	return j.standing[a.Stands()]
}

// visitsOn returns what goroutines do on the local map at a path, in the terms of
// their starter.
func (j *Judge) visitsOn(p accesspath.Path) []*threads.Visit {
	j.indexVisits()
	return j.visiting[p]
}

func (j *Judge) indexVisits() {
	if j.visiting != nil {
		return
	}
	j.visiting = make(map[accesspath.Path][]*threads.Visit)
	j.standing = make(map[token.Pos][]*threads.Visit)
	for _, t := range j.Sharing.Threads.Visits {
		if t.Path.Location().Valid() || t.Thread.Handler() {
			continue
		}
		j.standing[t.Access.Stands()] = append(j.standing[t.Access.Stands()], t)
		if vs := j.visiting[t.Path]; len(vs) < maxGroup {
			j.visiting[t.Path] = append(vs, t)
		}
	}
}
