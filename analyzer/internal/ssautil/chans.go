package ssautil

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// ChanOf returns the channel that v is, made in the function or in one around
// it, nil if that cannot be told.
func ChanOf(v ssa.Value) *ssa.MakeChan {
	for range 8 {
		switch x := v.(type) {
		case *ssa.MakeChan:
			return x
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.FreeVar:
			v = Binding(x)
		case *ssa.Alloc:
			v = SoleStore(x)
		default:
			return nil
		}
	}
	return nil
}

// ReceivesFrom reports whether an instruction receives from that channel.
func ReceivesFrom(recv *ssa.UnOp, ch *ssa.MakeChan) bool {
	return recv.Op == token.ARROW && ChanOf(recv.X) == ch
}

// ChanUses returns what fn and its literals do with a channel, other than keep it
// in a variable of their own.
func ChanUses(fn *ssa.Function, ch *ssa.MakeChan) []ssa.Instruction {
	var uses []ssa.Instruction
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			operands = instr.Operands(operands[:0])
			if slices.ContainsFunc(operands, func(v *ssa.Value) bool { return *v != nil && IsChan((*v).Type()) && ChanOf(*v) == ch }) && !keeps(instr) {
				uses = append(uses, instr)
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		uses = append(uses, ChanUses(lit, ch)...)
	}
	return uses
}

// keeps reports whether an instruction hands a value on to where ChanOf finds it:
// to a variable of the function, which never has another.
func keeps(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef, *ssa.ChangeType:
		return true
	case *ssa.Store:
		var only *ssa.Store
		v, ok := instr.Addr.(*ssa.Alloc)
		return ok && onlyRead(v, &only) && only == instr
	}
	return false
}
