package ssautil

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// ChanOf returns the channel that v is, made in the function or in one around
// it, nil if that cannot be told.
func ChanOf(v ssa.Value) *ssa.MakeChan {
	made, _ := ChanFrom(v).(*ssa.MakeChan)
	return made
}

// ChanFrom is ChanOf, or the parameter by which a function gets the channel.
func ChanFrom(v ssa.Value) ssa.Value {
	for range 8 {
		switch x := v.(type) {
		case *ssa.MakeChan, *ssa.Parameter:
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

// GroupOf returns the variable of a function that is the group v points to (sync.WaitGroup): the function's own, one that it has made
// by new, or one of the function around it; nil if that cannot be told.
func GroupOf(v ssa.Value) *ssa.Alloc {
	for range 8 {
		switch x := v.(type) {
		case *ssa.Alloc:
			if types.TypeString(Pointee(x.Type()), nil) == "sync.WaitGroup" {
				return x
			}
			v = SoleStore(x)
		case *ssa.UnOp:
			v = x.X
		case *ssa.FreeVar:
			v = Binding(x)
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

// ChanUses returns what fn and its literals do with a channel that one of them makes or gets, other than keep it
// in a variable of their own.
func ChanUses(fn *ssa.Function, ch ssa.Value) []ssa.Instruction {
	var uses []ssa.Instruction
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			operands = instr.Operands(operands[:0])
			if slices.ContainsFunc(operands, func(v *ssa.Value) bool { return *v != nil && IsChan((*v).Type()) && ChanFrom(*v) == ch }) && !keeps(instr) {
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

// SelectCase returns the select, and the number of its case, of which a condition says that it was chosen.
func SelectCase(cond ssa.Value) (sel *ssa.Select, state int, ok bool) {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL {
		return nil, 0, false
	}
	index, ok := cmp.X.(*ssa.Extract)
	if !ok || index.Index != 0 {
		return nil, 0, false
	}
	sel, isSelect := index.Tuple.(*ssa.Select)
	state, known := IntOf(cmp.Y)
	return sel, state, isSelect && known && state < len(sel.States)
}

// IntOf returns the number that v is, if it is a constant that is not negative.
func IntOf(v ssa.Value) (int, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	k, exact := constant.Int64Val(c.Value)
	return int(k), exact && k >= 0
}

// Closed returns the channel that an instruction closes, now, deferred or in a goroutine; nil if it closes none.
func Closed(instr ssa.Instruction) ssa.Value {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	if b, ok := call.Common().Value.(*ssa.Builtin); !ok || b.Name() != "close" {
		return nil
	}
	return call.Common().Args[0]
}

// WaitsForChan reports whether an instruction may wait until another goroutine sends, receives, or
// closes a channel.
func WaitsForChan(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Send:
		return true
	case *ssa.Select:
		return instr.Blocking
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}

// Received reports whether a value comes out of a channel: by a receive, a walk over the channel, or a case of a select.
func Received(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		if _, ok := x.Tuple.(*ssa.Select); ok {
			return x.Index >= 2
		}
		recv, ok := x.Tuple.(*ssa.UnOp)
		return ok && recv.Op == token.ARROW && x.Index == 0
	}
	recv, ok := v.(*ssa.UnOp)
	return ok && recv.Op == token.ARROW
}
