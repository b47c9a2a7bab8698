package ssautil

import "golang.org/x/tools/go/ssa"

// Before reports whether x stands before y, or is y, in the block of x.
func Before(x, y ssa.Instruction) bool {
	for _, i := range x.Block().Instrs {
		if i == x {
			return true
		}
		if i == y {
			return false
		}
	}
	return false
}

// Dominates reports whether x runs before y on every path to y.
func Dominates(x, y ssa.Instruction) bool {
	if x.Block() == y.Block() {
		return Before(x, y)
	}
	return x.Block().Dominates(y.Block())
}
