package records

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// staged gives a run its place among those of a loop that does nothing but call the functions of a list, one after the other: the
// list is written out before the loop, and has the function once.
func (r *runner) staged(run *outside.Run, instr ssa.CallInstruction, g *infer.Func) {
	if !run.Looped || run.Deferred {
		return
	}
	at := -1
	for i, v := range r.stages(instr) {
		fn := ssautil.Function(v)
		if fn == nil {
			return // it may be the same one
		}
		if fn == g.SSA || g.Obj != nil && fn.Object() == g.Obj {
			if at >= 0 {
				return
			}
			at = i
		}
	}
	if at >= 0 {
		run.Looped, run.Again, run.Endless = false, false, false
		run.Order += 1 + at
	}
}

// stages returns the functions that a call calls in turn, nil if it is no call of this kind.
func (r *runner) stages(instr ssa.CallInstruction) []ssa.Value {
	load, ok := instr.Common().Value.(*ssa.UnOp)
	if _, call := instr.(*ssa.Call); !call || !ok || load.Op != token.MUL {
		return nil
	}
	elem, ok := load.X.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	up, ok := elem.Index.(*ssa.BinOp)
	if !ok || up.Op != token.ADD || !ssautil.IsInt(up.Y, 1) {
		return nil
	}
	enters, counts := ssautil.Counts(up)
	again := func(b *ssa.BasicBlock) bool { return r.reach.Blocks(instr.Block(), b) }
	if !counts || slices.ContainsFunc(enters, again) {
		return nil
	}
	besides := func(other ssa.Instruction) bool {
		b := other.Block()
		return other != instr && r.works(other) && again(b) && r.reach.Blocks(b, instr.Block())
	}
	if ssautil.Some(r.f.SSA, besides) {
		return nil
	}
	return ssautil.WrittenOut(elem.X)
}
