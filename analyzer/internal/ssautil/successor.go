package ssautil

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Successor reports whether a go statement starts the function in which it stands once more, as the
// last thing that this does: one goroutine after the other runs the function, as if it called itself.
// A deferred call would still come after the start. Who called the function would go on beside its
// successors, so that each use of it must be a go statement, and other packages cannot name it.
// Complexity: linear in the package, for those go statements alone of which the rest holds.
func Successor(g *ssa.Go) bool {
	fn := g.Parent()
	callee := g.Call.StaticCallee()
	if callee == nil || callee != fn && callee.Origin() != fn || fn.Recover != nil {
		return false
	}
	b := g.Block()
	at := slices.Index(b.Instrs, ssa.Instruction(g))
	return onlyReturns(b, b.Instrs[at+1:], len(fn.Blocks)) && onlyStarted(fn)
}

// onlyReturns reports whether nothing comes but jumps to a return without results.
func onlyReturns(b *ssa.BasicBlock, rest []ssa.Instruction, steps int) bool {
	for _, instr := range rest {
		switch instr := instr.(type) {
		case *ssa.DebugRef, *ssa.Jump:
		case *ssa.Return:
			if len(instr.Results) > 0 {
				return false
			}
		default:
			return false
		}
	}
	if len(b.Succs) == 0 {
		return true
	}
	return steps > 0 && len(b.Succs) == 1 && onlyReturns(b.Succs[0], b.Succs[0].Instrs, steps-1)
}

// onlyStarted reports whether the package uses a function in go statements alone, and others cannot name it.
func onlyStarted(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Exported() || fn.Pkg == nil {
		return false
	}
	return !slices.ContainsFunc(declared(fn.Pkg), func(g *ssa.Function) bool { return usesOtherwise(g, fn, obj) })
}

// declared returns the functions and methods of a package.
func declared(pkg *ssa.Package) (out []*ssa.Function) {
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Function:
			out = append(out, m)
		case *ssa.Type:
			n, ok := types.Unalias(m.Type()).(*types.Named)
			if !ok {
				continue
			}
			for method := range n.Methods() {
				if g := pkg.Prog.FuncValue(method); g != nil {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// usesOtherwise reports whether a function, or a literal in it, calls fn in place, or takes its value.
func usesOtherwise(g, fn *ssa.Function, obj *types.Func) bool {
	if slices.ContainsFunc(g.AnonFuncs, func(lit *ssa.Function) bool { return usesOtherwise(lit, fn, obj) }) {
		return true
	}
	var ops []*ssa.Value
	for _, b := range g.Blocks {
		for _, instr := range b.Instrs {
			start, starts := instr.(*ssa.Go)
			if call, ok := instr.(ssa.CallInstruction); ok && call.Common().IsInvoke() && call.Common().Method.Name() == obj.Name() {
				return true
			}
			ops = instr.Operands(ops[:0])
			for _, op := range ops {
				called := starts && op == &start.Call.Value
				if f, ok := (*op).(*ssa.Function); ok && !called && (f == fn || f.Origin() == fn || f.Object() == types.Object(obj)) {
					return true
				}
			}
		}
	}
	return false
}
