package ssautil

import "golang.org/x/tools/go/ssa"

// Successor reports whether a go statement starts the function in which it stands once more, as the
// last thing that this does: one goroutine after the other runs the function, as if it called itself.
// A deferred call would still come after the start.
func Successor(g *ssa.Go) bool {
	fn := g.Parent()
	callee := g.Call.StaticCallee()
	if callee == nil || callee != fn && callee.Origin() != fn || fn.Recover != nil {
		return false
	}
	b := g.Block()
	at := -1
	for i, instr := range b.Instrs {
		if instr == ssa.Instruction(g) {
			at = i
		}
	}
	return at >= 0 && onlyReturns(b, b.Instrs[at+1:], len(fn.Blocks))
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
