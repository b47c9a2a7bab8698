package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// roomKept reports whether the look at a map's size adds a counter of the same object to it that stands for the entry
// from the look's section to the act's, and all who ask for the size before they add to the map ask for the same sum: who
// looks in between finds the room taken. What adds without asking may as well come after both.
func (j *Judge) roomKept(v *Verdict) bool {
	if !limits(v.Func, v.Pair) || v.Unlocked() || !j.closed(j.Place(v.Act.Path.Location())) {
		return false
	}
	alone := func(h locks.Held) bool { return h.Mode == locks.Write }
	if !slices.ContainsFunc(v.CheckLocks, alone) {
		return false // several look at one time
	}
	for _, r := range v.Func.Rooms {
		if r.Check != v.Pair.Check || r.Act != v.Pair.Act || !beside(r.Counter, v.Act.Path) {
			continue
		}
		if j.Pkg.KeepsRoom(r.Counter) && j.allAsk(v, r.Counter) {
			return true
		}
	}
	return false
}

// beside reports whether a counter is a variable of the package, or a field of the object that has a map.
func beside(counter, path accesspath.Path) bool {
	return counter.Root().Kind == accesspath.Global || counter.Depth() > 0 && path.Depth() > 0 && counter.Parent() == path.Parent()
}

// allAsk reports whether each one who asks for the size of a pair's map before it puts something in adds a counter to it
// that stands for what it puts in. What a callee does in sections of its own counts there.
func (j *Judge) allAsk(v *Verdict, counter accesspath.Path) bool {
	loc := v.Act.Path.Location()
	return !slices.ContainsFunc(j.Pkg.Funcs, func(f *infer.Func) bool {
		return slices.ContainsFunc(f.Pairs, func(p summary.Pair) bool {
			c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
			if c.Op != access.Len || !inserts(a) || a.Path.Location() != loc || oneCall(c, a) {
				return false
			}
			return !slices.ContainsFunc(f.Rooms, func(r summary.Version) bool {
				return r.Check == p.Check && r.Act == p.Act && sameCounter(a, r.Counter, v.Act, counter)
			})
		})
	})
}

// oneCall reports whether two accesses are what one call does.
func oneCall(x, y *access.Access) bool { return x.Lifted && y.Lifted && x.Point == y.Point }
