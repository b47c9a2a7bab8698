package records

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// reflects reports whether code outside finds methods by reflection in a value: what gets it does
// so, or a template that the function executes may.
func (g *gatherer) reflects(v *ssa.MakeInterface) bool {
	finds := func(i ssa.Instruction, of func(*types.Func) bool) bool {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			return false
		}
		fn, _ := ssautil.Callee(call.Common())
		return fn != nil && of(fn)
	}
	if slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool { return finds(r, model.Reflects) }) {
		return true
	}
	return slices.ContainsFunc(v.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return finds(i, model.Executes) })
	})
}
