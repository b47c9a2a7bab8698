package records

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// gives reports whether a loop that starts goroutines gives each something of its own: what an iteration
// has, other than a number.
func (r *runner) gives(run outside.Run, instr ssa.CallInstruction) bool {
	if !run.Looped || instr == nil {
		return false
	}
	at := instr.Block()
	return slices.ContainsFunc(started(instr.Common()), func(v ssa.Value) bool {
		made, ok := v.(ssa.Instruction)
		if !ok || isNumber(ssautil.Pointee(v.Type())) {
			return false
		}
		b := made.Block()
		return b == at || r.reach.Blocks(at, b) && r.reach.Blocks(b, at)
	})
}

// started are the values that a goroutine begins with: the arguments, and what its literal captures.
func started(call *ssa.CallCommon) (out []ssa.Value) {
	for _, v := range append([]ssa.Value{call.Value}, call.Args...) {
		if made, ok := v.(*ssa.MakeClosure); ok {
			out = append(out, made.Bindings...)
			continue
		}
		out = append(out, v)
	}
	return out
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
