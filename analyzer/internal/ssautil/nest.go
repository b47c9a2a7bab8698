package ssautil

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Nest returns a function with the literals in it, and in those.
func Nest(fn *ssa.Function) []*ssa.Function {
	out := []*ssa.Function{fn}
	for _, lit := range fn.AnonFuncs {
		out = append(out, Nest(lit)...)
	}
	return out
}

// Calls yields the calls of a function, go and defer statements among them.
func Calls(fn *ssa.Function) iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok && !yield(call) {
					return
				}
			}
		}
	}
}
