package records

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// printed reports whether an interface that is made of a value goes nowhere but into
// calls that print it, or look at it: of its methods, those that format it are called.
func printed(made *ssa.MakeInterface) bool {
	iface, ok := made.Type().Underlying().(*types.Interface)
	return ok && iface.Empty() && onlyGivenTo(made, role.Prints)
}

// onlyGivenTo reports whether an interface that is made of a value goes nowhere but into calls of
// some functions, perhaps in a list of arguments, if it goes anywhere.
func onlyGivenTo(made *ssa.MakeInterface, callee func(*types.Func) bool) bool {
	if made.Referrers() == nil {
		return false
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Val != ssa.Value(made) || !listGivenTo(r.Addr, callee) {
				return false
			}
		default:
			if !calls(r, callee) {
				return false
			}
		}
	}
	return true
}

// listGivenTo is onlyGivenTo for the list of arguments of which an address is an element.
func listGivenTo(addr ssa.Value, callee func(*types.Func) bool) bool {
	at, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	list, ok := at.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	some := false
	for _, r := range *list.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr, *ssa.DebugRef:
		case *ssa.Slice:
			for _, use := range *r.Referrers() {
				if !calls(use, callee) {
					return false
				}
				some = true
			}
		default:
			return false
		}
	}
	return some
}

// calls reports whether an instruction is a call of some function, in its own goroutine.
func calls(instr ssa.Instruction, callee func(*types.Func) bool) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if _, started := instr.(*ssa.Go); started {
		return false
	}
	fn, _ := ssautil.Callee(call.Common())
	return fn != nil && callee(fn)
}

// formats reports whether a method is one that code which prints its receiver can
// call: it gives something to print and takes nothing, or gets the printer's state. What gives an error alone
// does something, but for those that tell the cause of an error.
func formats(m *types.Func) bool {
	params, results := m.Signature().Params(), m.Signature().Results()
	switch {
	case !m.Exported():
		return false
	case m.Name() == "Format":
		return true
	case params.Len() > 0 || results.Len() == 0:
		return false
	}
	acts := results.Len() == 1 && ssautil.IsError(results.At(0).Type())
	return !acts || m.Name() == "Unwrap" || m.Name() == "Cause"
}

// print notes that values of a type are printed.
func (g *gatherer) print(t types.Type) {
	for _, m := range g.methodsOf(t) {
		if formats(m) {
			g.opened(m, outside.Called)
			g.offeredSometime(m)
		}
	}
}
