package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Some reports whether an instruction of a function suits.
func Some(fn *ssa.Function, suits func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, suits) })
}

// UsedInPlace reports whether a map goes nowhere: it is looked at, or changed, and no more.
func UsedInPlace(m ssa.Value) bool {
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.BinOp:
		case *ssa.MapUpdate:
			if r.Map != m || r.Value == m {
				return false
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "delete" && b.Name() != "clear" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
