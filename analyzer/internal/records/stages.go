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
	return writtenOut(elem.X)
}

// writtenOut returns the elements of a list that is written out, and used for nothing but its elements and its length.
func writtenOut(list ssa.Value) []ssa.Value {
	whole, ok := list.(*ssa.Slice)
	if !ok || whole.Low != nil || whole.High != nil {
		return nil
	}
	array, ok := whole.X.(*ssa.Alloc)
	if !ok || slices.ContainsFunc(*whole.Referrers(), func(use ssa.Instruction) bool { return !onlyReads(use) }) {
		return nil
	}
	var out []ssa.Value
	for _, use := range *array.Referrers() {
		at, ok := use.(*ssa.IndexAddr)
		if !ok {
			if use != ssa.Instruction(whole) {
				return nil
			}
			continue
		}
		k, ok := at.Index.(*ssa.Const)
		if !ok || len(*at.Referrers()) != 1 || k.Int64() != int64(len(out)) || len(out) == ssautil.MaxStages {
			return nil
		}
		st, ok := (*at.Referrers())[0].(*ssa.Store)
		if !ok {
			return nil
		}
		out = append(out, st.Val)
	}
	return out
}

// onlyReads reports whether an instruction reads the elements of a list, or its length.
func onlyReads(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.IndexAddr:
		return !slices.ContainsFunc(*use.Referrers(), func(r ssa.Instruction) bool {
			load, ok := r.(*ssa.UnOp)
			return !ok || load.Op != token.MUL
		})
	case *ssa.Call:
		_, ok := ssautil.LenOf(use)
		return ok
	}
	return false
}
