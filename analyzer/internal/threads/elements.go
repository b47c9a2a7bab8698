package threads

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// OwnElements reports whether goroutines alone make the first of two accesses, and no two of them come to one map there and
// at the second access: a loop starts one in each round, for the element that goes by what the loop counts or walks over, and
// the starter leaves the elements of the rounds before alone.
func (t *Theory) OwnElements(f *infer.Func, a, b *access.Access) bool {
	runs, seen := t.runs[f], make(map[int]bool)
	for _, va := range t.byAcc[a] {
		seen[va.Thread.index] = true
		own := t.ownElement(va)
		if !own.Known() || t.inTwoSlots(va.Thread.Starter, own) || t.starterComes(va, own) {
			return false
		}
		for _, vb := range t.byAcc[b] {
			if sameStart(va.Thread, vb.Thread) {
				if t.ownElement(vb) != own {
					return false
				}
			} else if meets, _ := t.parallel(va, vb); meets {
				return false
			}
		}
	}
	return len(seen) > 0 && !runs.any && !slices.ContainsFunc(runs.ids, func(id int) bool {
		th := t.Threads[id]
		return th.cut || th.Kind == Goroutine && !seen[id] // it comes to an object that cannot be followed
	})
}

// OtherRound reports whether an access of a thread's starter, which comes while the thread runs, is to the element of another
// round of the loop than the one in which it starts the thread of a visit.
func (t *Theory) OtherRound(v *Visit, a *access.Access) bool {
	own := t.ownElement(v)
	return own.Known() && !t.inTwoSlots(v.Thread.Starter, own) && t.ofOtherRound(v.Thread, own, a) && !t.startsMore(v.Thread)
}

// startsMore reports whether the package shows that the function which starts a thread may be called again while that runs.
func (t *Theory) startsMore(th *Thread) bool {
	if t.endsWithin(th) {
		return false
	}
	calls := t.pkg.CallersOf(th.Starter)
	return len(calls) > 1 || slices.ContainsFunc(calls, func(c infer.CallSite) bool {
		return c.Caller.Flow.MayPrecede(c.Call.Point, c.Call.Point)
	})
}

// ofOtherRound reports whether an access of a thread's starter comes to an element in another round of the loop than the one in which
// it has started the thread. What is deferred comes when all rounds are over.
func (t *Theory) ofOtherRound(th *Thread, own accesspath.Path, a *access.Access) bool {
	return a.Path.HasPrefix(own) && !a.Point.Deferred && th.Starter.Flow.NextRound(own.Key().Counter(), th.call.Point, a.Point)
}

// ownElement returns the element that leads the goroutine of a visit to the map, if each round of the loop that starts it has
// another one; the unknown path if not.
func (t *Theory) ownElement(v *Visit) accesspath.Path {
	elem := v.Path.Holder()
	if v.Thread.Kind != Goroutine || v.Thread.call == nil || v.Thread.Registered || !elem.Known() {
		return accesspath.Path{}
	}
	start := v.Thread.call.Point
	f := v.Thread.Starter
	if !f.Flow.NextRound(elem.Key().Counter(), start, start) || t.keepsForAll(v.Thread, elem) || partsBetween(f, start) {
		return accesspath.Path{}
	}
	return elem
}

// keepsForAll reports whether a variable that all rounds of a loop share leads what the loop starts to an element, as those of loops
// did before Go 1.22: by the time that the variable is looked at, it may be for the element of a later round.
func (t *Theory) keepsForAll(th *Thread, elem accesspath.Path) bool {
	f, start, counter := th.Starter, th.call.Point, elem.Key().Counter()
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		cell, ok := instr.(*ssa.Alloc)
		if !ok || !cell.Heap || !f.Flow.ReachesPast(cell.Block(), start, start) {
			return false
		}
		return slices.ContainsFunc(*cell.Referrers(), func(use ssa.Instruction) bool {
			st, ok := use.(*ssa.Store)
			return ok && st.Addr == ssa.Value(cell) && (st.Val == counter || t.pkg.Paths.Of(st.Val).HasPrefix(elem))
		})
	})
}

// partsBetween reports whether a function takes a part of a slice on a way from a point back to it.
func partsBetween(f *infer.Func, at ssautil.Point) bool {
	from, reach := f.SSA.Blocks[at.Block], f.Flow.Reach()
	return ssautil.Parts(f.SSA, func(b *ssa.BasicBlock) bool { return b == from || reach.Blocks(from, b) && reach.Blocks(b, from) })
}

// otherRounds reports whether two calls in one loop start no goroutines for one element: it goes by what the loop counts, or walks
// over, and no round comes to both calls.
func (t *Theory) otherRounds(p accesspath.Path, a, b *frame) bool {
	elem := p.Holder()
	if !elem.Known() || t.inTwoSlots(a.f, elem) {
		return false
	}
	var made *ssa.BasicBlock
	if v, ok := p.Root().Val.(ssa.Instruction); ok && v.Parent() == a.f.SSA && t.fresh(p.Root().Val) {
		made = v.Block()
	}
	x, y, flow, counter := a.call.Point, b.call.Point, a.f.Flow, elem.Key().Counter()
	return flow.NextRoundOf(made, counter, x, y) && flow.NextRoundOf(made, counter, y, x)
}

// starterComes reports whether the one who starts the goroutine of a visit, or callers of that, come to such a map while the
// goroutine runs, other than to the element of another round.
func (t *Theory) starterComes(v *Visit, own accesspath.Path) bool {
	return slices.ContainsFunc(t.up(v.Thread).frames, func(fr *frame) bool {
		for a := range t.restOf(fr) {
			if a.Path.Location() != v.Path.Location() || !a.Op.Uses() {
				continue
			}
			if fr.below != nil || !has(fr.f, a) || !t.ofOtherRound(v.Thread, own, a) {
				return true
			}
		}
		return false
	})
}

// has reports whether an access is one of those that a function has, in its terms.
func has(f *infer.Func, a *access.Access) bool {
	for i := range f.Accesses {
		if &f.Accesses[i] == a {
			return true
		}
	}
	return false
}
