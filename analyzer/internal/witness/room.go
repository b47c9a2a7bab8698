package witness

import (
	"go/types"
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
	counter := v.Check.Beside
	return counter.Known() && beside(counter, v.Act.Path) && j.stands(v.Func, v.Pair) && j.allAsk(v, counter)
}

// stands reports whether the counter that is added to a size stands for what a pair puts in, from the look to the act; or
// the act's key does, in a map whose size is added: it was put in there in the look's section, where it was found to be
// absent, and stays until the act's.
func (j *Judge) stands(f *infer.Func, p summary.Pair) bool {
	c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
	counter := c.Beside
	kept := slices.Contains(f.Rooms, summary.Version{Check: p.Check, Act: p.Act, Counter: counter})
	if !isMap(counter) {
		return kept && j.Pkg.KeepsRoom(counter)
	}
	return kept || j.namedIn(f, c, a)
}

// namedIn reports whether an act's key stays in the map whose size is added to a look's.
func (j *Judge) namedIn(f *infer.Func, c, act *access.Access) bool {
	for i := range f.Accesses {
		mark := &f.Accesses[i]
		if mark.Path == c.Beside && len(j.sections(f, c, mark)) > 0 && j.reserves(f, mark, act) && !j.dropsAll(mark) {
			return true
		}
	}
	return false
}

// isMap reports whether a path leads to a map.
func isMap(p accesspath.Path) bool {
	v := p.Location().Var
	if v == nil {
		return false
	}
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
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
			return !sameCounter(a, c.Beside, v.Act, counter) || !j.stands(f, p)
		})
	})
}

// oneCall reports whether two accesses are what one call does.
func oneCall(x, y *access.Access) bool { return x.Lifted && y.Lifted && x.Point == y.Point }
