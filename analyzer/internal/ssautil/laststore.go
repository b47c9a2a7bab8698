package ssautil

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxBack bounds the instructions over which it is looked back for a store.
const maxBack = 100

// Backwards yields the instructions that come before another one whenever control comes to it, the last of them first: as
// far back as no branches join, and up to a bound.
func Backwards(from ssa.Instruction) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		b := from.Block()
		at := slices.Index(b.Instrs, from)
		for range maxBack {
			for at == 0 {
				if len(b.Preds) != 1 {
					return
				}
				b = b.Preds[0]
				at = len(b.Instrs)
			}
			at--
			if !yield(b.Instrs[at]) {
				return
			}
		}
	}
}

// LastStore returns the store of which a load of a local variable gets the value, where one alone can
// be it: it stands before the load, with no branch that joins in between, nothing sets a part of it since then, and no literal
// that captures the variable has been made by then, which could set it. Nil where that is not known. A variable that
// is captured later is no register in SSA, for all that comes before, too.
// Complexity: linear in the blocks, for each literal that captures it.
func LastStore(load *ssa.UnOp) *ssa.Store {
	cell, ok := load.X.(*ssa.Alloc)
	if !ok || load.Op != token.MUL {
		return nil
	}
	st := storeBefore(load, cell)
	if st == nil {
		return nil
	}
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(cell) || r.Val == ssa.Value(cell) {
				return nil
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Return: // nothing runs here any more
		case *ssa.FieldAddr:
			if !justUsed(r) {
				return nil
			}
		case *ssa.MakeClosure:
			if follows(r, load, cell.Block()) {
				return nil
			}
		default:
			return nil
		}
	}
	return st
}

// justUsed reports whether a part of a local variable is loaded and stored by its name alone.
func justUsed(part *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*part.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Addr != ssa.Value(part)
		}
		return true
	})
}

// partOf reports whether an address is that of a field of a variable.
func partOf(addr ssa.Value, cell *ssa.Alloc) bool {
	field, ok := addr.(*ssa.FieldAddr)
	return ok && field.X == ssa.Value(cell)
}

// storeBefore returns the last store to a cell before a load of it; nil if another one may come in
// between.
func storeBefore(load *ssa.UnOp, cell *ssa.Alloc) *ssa.Store {
	for instr := range Backwards(load) {
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Addr == ssa.Value(cell) {
				return instr
			}
			if partOf(instr.Addr, cell) {
				return nil
			}
		case *ssa.Alloc:
			if instr == cell {
				return nil
			}
		}
	}
	return nil
}

// follows reports whether control comes from one instruction to another one without passing a block.
func follows(from, to ssa.Instruction, without *ssa.BasicBlock) bool {
	if from.Block() == to.Block() && Before(from, to) {
		return true
	}
	return to.Block() != without && reaches(from.Block(), to.Block(), map[*ssa.BasicBlock]bool{without: true})
}
