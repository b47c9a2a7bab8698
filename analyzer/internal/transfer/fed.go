package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fedAt returns where the function gives a goroutine its first work: a literal that
// does nothing before it has received from a channel which this function makes, and
// on which it alone sends, begins where that sends or closes (a send comes before the
// receive that it completes: The Go Memory Model). Nil: it begins at once.
func (a *analysis) fedAt(start ssa.Instruction) []ssa.Instruction {
	call, ok := start.(*ssa.Go)
	if !ok {
		return nil
	}
	lit := ssautil.Literal(call.Call.Value)
	if lit == nil {
		return nil
	}
	ch := a.waitsFirst(lit)
	if ch == nil {
		return nil
	}
	sends, only := a.sendsOn(ch)
	if !only {
		return nil
	}
	return sends
}

// waitsFirst returns the channel of this function from which a literal receives
// before all that it does, nil if there is none.
func (a *analysis) waitsFirst(lit *ssa.Function) *ssa.MakeChan {
	var first *ssa.UnOp
	var ch *ssa.MakeChan
	for _, b := range lit.Blocks {
		for _, instr := range b.Instrs {
			if recv, ok := instr.(*ssa.UnOp); ok && first == nil {
				if c := ssautil.ChanOf(recv.X); c != nil && c.Parent() == a.fn && ssautil.ReceivesFrom(recv, c) {
					first, ch = recv, c
				}
			}
		}
	}
	if first == nil || first.Block() == lit.Recover {
		return nil
	}
	for _, b := range lit.Blocks {
		for _, instr := range b.Instrs {
			after := b != first.Block() && first.Block().Dominates(b) || b == first.Block() && ssautil.Before(first, instr)
			if !after && acts(instr) {
				return nil
			}
		}
	}
	return ch
}

// acts reports whether an instruction may do something to what goroutines share.
func acts(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call, *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Lookup, *ssa.Range:
		return true
	case *ssa.Store:
		_, local := instr.Addr.(*ssa.Alloc)
		return !local
	}
	return false
}

// sendsOn returns where the function sends on a channel that it made, or closes it;
// false if something else might: a literal, or what else gets the channel.
func (a *analysis) sendsOn(ch *ssa.MakeChan) (sends []ssa.Instruction, only bool) {
	for _, use := range ssautil.ChanUses(a.fn, ch) {
		switch use := use.(type) {
		case *ssa.UnOp: // receives
		case *ssa.Send, *ssa.Call:
			if signalled(use) == nil || use.Parent() != a.fn {
				return nil, false
			}
			sends = append(sends, use)
		default:
			return nil, false
		}
	}
	return sends, true
}

// begun reports whether a goroutine that is fed can have begun at an instruction.
func (a *analysis) begun(feeds []ssa.Instruction, at ssa.Instruction) bool {
	return len(feeds) == 0 || slices.ContainsFunc(feeds, func(s ssa.Instruction) bool {
		if s.Block() == at.Block() && s != at && ssautil.Before(s, at) {
			return true
		}
		return a.reach.Blocks(s.Block(), at.Block())
	})
}
