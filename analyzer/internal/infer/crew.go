package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A pool's workers share what they call: each runs the same literal, started in a loop of the function that makes the pool and
// fills the field. Literals alone call what the field holds that stand in that function, so its summary tells of all runs, and
// of how many goroutines there are, wherever the pool goes afterwards.

// crews reports whether a call of what a field of an object holds stands in a literal that is started in a loop of the function
// that has made the object. What is started once has the carrier's other rules.
func crews(in *ssa.Function, object ssa.Value) bool {
	mk := ssautil.MakerOf(in)
	return mk != nil && madeIn(object) && slices.ContainsFunc(*mk.Referrers(), func(r ssa.Instruction) bool {
		start, ok := r.(*ssa.Go)
		return ok && start.Call.Value == ssa.Value(mk) && ssautil.NewReach(start.Parent()).InLoop(start)
	})
}

// madeIn reports whether an object is what a captured variable has for good, and the function around makes it.
func madeIn(object ssa.Value) bool {
	load, ok := ssautil.Unwrap(object).(*ssa.UnOp)
	if !ok {
		return false
	}
	captured, ok := load.X.(*ssa.FreeVar)
	if !ok {
		return false
	}
	cell, ok := ssautil.Binding(captured).(*ssa.Alloc)
	if !ok {
		return false
	}
	_, made := ssautil.SettledVariable(cell).(*ssa.Alloc)
	return made
}
