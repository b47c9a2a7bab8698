package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Some reports whether an instruction of a function suits.
func Some(fn *ssa.Function, suits func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, suits) })
}
