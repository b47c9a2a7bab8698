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
	if !ok || !iface.Empty() || made.Referrers() == nil {
		return false
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Val != ssa.Value(made) || !listPrinted(r.Addr) {
				return false
			}
		default:
			if !prints(r) {
				return false
			}
		}
	}
	return true
}

// listPrinted reports whether an element's list of arguments is printed.
func listPrinted(addr ssa.Value) bool {
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
				if !prints(use) {
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

// prints reports whether an instruction is a call that logs or formats.
func prints(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if _, started := instr.(*ssa.Go); started {
		return false
	}
	fn, _ := ssautil.Callee(call.Common())
	return fn != nil && role.Prints(fn)
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
		}
	}
}
