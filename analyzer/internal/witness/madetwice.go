package witness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/depend"
)

// madeTwice reports whether a pair gets or creates what its callers go on with, nothing else hangs
// on the look, and nothing shows that it matters which of two objects a caller has: most often
// it is worked out from the key, and the one that is dropped says the same.
func (j *Judge) madeTwice(v *Verdict) bool {
	const matters = depend.Effects | depend.Lasting | depend.Data | depend.Content | depend.Ordered
	if v.Grade != TwoObjects || !v.getsOrCreates() || !v.looksUp() || !v.Pair.Has(depend.Returned) {
		return false
	}
	t := v.putIn()
	return v.Pair.Traits&matters == 0 && t != nil && j.Pkg.Unmarked(t) && !begins(v.Func.SSA)
}

// putIn returns the type of what the act of a pair puts in, nil where it is not known.
func (v *Verdict) putIn() types.Type {
	if loc := v.Act.Path.Location(); loc.Valid() && !v.Concurrent() {
		t, _ := loc.Type()
		if m, ok := t.Underlying().(*types.Map); ok {
			t = m.Elem()
		}
		return t
	}
	call, ok := v.Act.Point.Instr(v.Func.SSA).(ssa.CallInstruction)
	if !ok || v.Act.Lifted || len(call.Common().Args) == 0 {
		return nil
	}
	args := call.Common().Args
	if made, ok := args[len(args)-1].(*ssa.MakeInterface); ok {
		return made.X.Type()
	}
	return nil
}

// begins reports whether a function, or one that it calls, begins a goroutine or sends something: what makes an
// object then does more than work it out.
func begins(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				return starts(instr)
			}
			return slices.ContainsFunc(call.Call.StaticCallee().Blocks, func(b *ssa.BasicBlock) bool {
				return slices.ContainsFunc(b.Instrs, starts)
			})
		})
	})
}

// starts reports whether an instruction begins a goroutine, or sends something.
func starts(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Go, *ssa.Send:
		return true
	}
	return false
}
