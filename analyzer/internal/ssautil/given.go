package ssautil

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// GivenField returns what a field of a new struct was given before a read of it, if that is a map or a
// pointer which another object holds, too, and the field gets nothing else in the function; nil otherwise. What
// others do to a field of a struct that has just been made is not known, and so not looked for.
func GivenField(made *ssa.Alloc, read *ssa.UnOp) ssa.Value {
	fa, ok := read.X.(*ssa.FieldAddr)
	if !ok || made.Referrers() == nil {
		return nil
	}
	switch read.Type().Underlying().(type) {
	case *types.Map, *types.Pointer:
	default:
		return nil
	}
	var only *ssa.Store
	for _, r := range *made.Referrers() {
		at, ok := r.(*ssa.FieldAddr)
		if !ok || at.Field != fa.Field {
			if st, whole := r.(*ssa.Store); whole && st.Addr == made {
				return nil
			}
			continue
		}
		for _, use := range *at.Referrers() {
			switch use := use.(type) {
			case *ssa.Store:
				if only != nil || use.Val == at {
					return nil
				}
				only = use
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				return nil // its address goes elsewhere
			}
		}
	}
	if only == nil || !comesBefore(only, read) {
		return nil
	}
	if from, ok := only.Val.(*ssa.UnOp); ok && from.Op == token.MUL {
		if _, part := from.X.(*ssa.FieldAddr); part {
			return from
		}
	}
	return nil
}

// comesBefore reports whether an instruction is executed before another one on each way to it.
func comesBefore(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, i := range a.Block().Instrs {
		switch i {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}
