package ssautil

import "golang.org/x/tools/go/ssa"

// maxVaries bounds the steps back from a value to what a loop changes.
const maxVaries = 16

// Varies reports whether a value is another one in each round of the loop around a block, as far as a few steps back
// tell: it is worked out from what the loop counts, walks or receives.
func Varies(v ssa.Value, at *ssa.BasicBlock, reach *Reach) bool {
	return varies(v, at, reach, maxVaries)
}

func varies(v ssa.Value, at *ssa.BasicBlock, reach *Reach, steps int) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok || steps == 0 || !reach.Blocks(at, instr.Block()) || !reach.Blocks(instr.Block(), at) {
		return false
	}
	switch x := v.(type) {
	case *ssa.Phi, *ssa.Next:
		return true
	case *ssa.Alloc:
		return filledAnew(x, at, reach, steps)
	}
	for _, o := range instr.Operands(nil) {
		if *o != nil && varies(*o, at, reach, steps-1) {
			return true
		}
	}
	return false
}

// filledAnew reports whether what is put into a variable, or into a part of it, varies.
func filledAnew(cell ssa.Value, at *ssa.BasicBlock, reach *Reach, steps int) bool {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == cell && varies(r.Val, at, reach, steps-1) {
				return true
			}
		case *ssa.FieldAddr:
			if steps > 1 && filledAnew(r, at, reach, steps-1) {
				return true
			}
		case *ssa.IndexAddr:
			if steps > 1 && filledAnew(r, at, reach, steps-1) {
				return true
			}
		}
	}
	return false
}
