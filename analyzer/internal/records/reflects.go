package records

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// reflects reports whether code outside finds methods by reflection in a value: what gets it does
// so, or a template that the function executes may.
func (g *gatherer) reflects(v *ssa.MakeInterface) bool {
	found := slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool { return callsSuch(r, model.Reflects) && !justSet(r) })
	return found || g.executes(v.Parent())
}

// justSet reports whether a call makes a [reflect.Value] with which nothing is done but to
// ask what it is, or to put it in a variable: no method of it is called.
func justSet(call ssa.Instruction) bool {
	v, ok := call.(*ssa.Call)
	if !ok || v.Referrers() == nil || len(*v.Referrers()) == 0 {
		return false
	}
	for _, r := range *v.Referrers() {
		_, debug := r.(*ssa.DebugRef)
		if !debug && !callsSuch(r, model.SetsReflected) {
			return false
		}
	}
	return true
}

// executes reports whether a function executes a template. Instructions are asked about function by
// function, so that the last answer is kept.
func (g *gatherer) executes(fn *ssa.Function) bool {
	if g.executor.fn != fn {
		g.executor.fn = fn
		g.executor.yes = ssautil.Some(fn, func(i ssa.Instruction) bool { return callsSuch(i, model.Executes) })
	}
	return g.executor.yes
}

// callsSuch reports whether an instruction calls a function that suits.
func callsSuch(i ssa.Instruction, suits func(*types.Func) bool) bool {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn, _ := ssautil.Callee(call.Common())
	return fn != nil && suits(fn)
}

// reachable notes the exported methods of what code outside comes to by reflection from a value: its own, and those of
// what exported fields, elements and pointers lead to.
func (g *gatherer) reachable(t types.Type) {
	for _, m := range append(g.exported(t), g.methodsIn(t)...) {
		g.opened(m, outside.Called)
		g.offeredSometime(m)
	}
}

// methodsIn returns the exported methods of what the fields and elements of a type's values lead to.
func (g *gatherer) methodsIn(t types.Type) (out []*types.Func) {
	for _, part := range model.Contents(t, g.inModule) {
		out = append(out, g.exported(part)...)
	}
	return out
}

// exported returns the exported ones of the methods that values of a type have.
func (g *gatherer) exported(t types.Type) []*types.Func {
	return slices.DeleteFunc(slices.Clone(g.methodsOf(t)), func(m *types.Func) bool { return !m.Exported() })
}
