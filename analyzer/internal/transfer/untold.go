package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// untold reports whether a case of a select is not chosen: it waits for the end of a
// context that the function makes, of one that never ends, and that it cancels behind
// the select alone.
func (a *analysis) untold(sel *ssa.Select, ch ssa.Value) bool {
	done, ok := ssautil.Unwrap(ch).(*ssa.Call)
	if !ok || !done.Call.IsInvoke() || !model.GivesEnd(done.Call.Method) {
		return false
	}
	ctx, ok := variable(done.Call.Value).(*ssa.Extract)
	if !ok {
		return false
	}
	maker, ok := ctx.Tuple.(*ssa.Call)
	if !ok || maker.Parent() != a.fn {
		return false
	}
	fn, args := ssautil.Callee(&maker.Call)
	if !model.EndsByCancel(fn) || len(args) == 0 || !neverDone(args[0]) {
		return false
	}
	cancel := ssautil.ResultOf(maker, 1)
	return cancel == nil || a.calledBehind(cancel, sel)
}

// calledBehind reports whether a function value is only called, and that behind an
// instruction.
func (a *analysis) calledBehind(f ssa.Value, at ssa.Instruction) bool {
	for _, r := range *f.Referrers() {
		c, ok := r.(ssa.CallInstruction)
		if !ok || c.Common().Value != f {
			return false // others have it
		}
		switch c.(type) {
		case *ssa.Call:
			if a.reach.MayPrecede(c, at) {
				return false
			}
		case *ssa.Go:
			return false
		}
	}
	return true
}

// variable returns what a variable holds, where that is one value.
func variable(v ssa.Value) ssa.Value {
	if ld, ok := v.(*ssa.UnOp); ok {
		if cell, ok := ld.X.(*ssa.Alloc); ok {
			if only := ssautil.SoleStore(cell); only != nil {
				return only
			}
		}
	}
	return v
}
