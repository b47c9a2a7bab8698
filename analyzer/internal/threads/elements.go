package threads

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// OwnElements reports whether goroutines alone make the first of two accesses, and no two of them come to one map there and
// at the second access: a loop starts one in each round, for the element that goes by what the loop counts or walks over, and
// the starter leaves the elements of the rounds before alone.
func (t *Theory) OwnElements(f *infer.Func, a, b *access.Access) bool {
	runs, seen := t.runs[f], make(map[int]bool)
	for _, va := range t.byAcc[a] {
		seen[va.Thread.index] = true
		own := t.ownElement(va)
		if !own.Known() || t.inTwoSlots(own) || t.starterComes(va, own) {
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

// ownElement returns the element that leads the goroutine of a visit to the map, if each round of the loop that starts it has
// another one; the unknown path if not.
func (t *Theory) ownElement(v *Visit) accesspath.Path {
	elem := v.Path.Holder()
	if v.Thread.Kind != Goroutine || v.Thread.call == nil || v.Thread.Registered || !elem.Known() {
		return accesspath.Path{}
	}
	start := v.Thread.call.Point
	if !v.Thread.Starter.Flow.NextRound(elem.Key().Counter(), start, start) {
		return accesspath.Path{}
	}
	return elem
}

// otherRounds reports whether two calls in one loop start no goroutines for one element: it goes by what the loop counts, or walks
// over, and no round comes to both calls.
func (t *Theory) otherRounds(p accesspath.Path, a, b *frame) bool {
	elem := p.Holder()
	if !elem.Known() || t.inTwoSlots(elem) {
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
	start := v.Thread.call.Point
	return slices.ContainsFunc(t.up(v.Thread).frames, func(fr *frame) bool {
		for a := range t.restOf(fr) {
			if a.Path.Location() != v.Path.Location() || !a.Op.Uses() {
				continue
			}
			here := fr.below == nil && a.Path.HasPrefix(own) && has(fr.f, a)
			if !here || a.Point.Deferred || !fr.f.Flow.NextRound(own.Key().Counter(), start, a.Point) {
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
