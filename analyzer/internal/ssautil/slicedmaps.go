package ssautil

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Parts reports whether a function takes a part of a slice that can hold maps in one of the blocks that are asked for, those of a
// loop say: its elements have other indices in each round.
func Parts(fn *ssa.Function, in func(*ssa.BasicBlock) bool) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return in(b) && slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			part, ok := instr.(*ssa.Slice)
			return ok && holdsMaps(part.Type())
		})
	})
}

// holdsMaps reports whether the elements of a slice are maps, or can lead to some but for what an interface holds.
func holdsMaps(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	switch slice.Elem().Underlying().(type) {
	case *types.Basic, *types.Interface, *types.Signature:
		return false
	}
	return true
}
