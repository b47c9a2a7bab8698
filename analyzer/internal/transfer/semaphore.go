package transfer

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// noteChannel notes an operation on a channel that is a lock.
func (a *analysis) noteChannel(instr ssa.Instruction, id int32) {
	is := false
	switch instr := instr.(type) {
	case *ssa.Send:
		is = a.Semaphore(instr.Chan)
	case *ssa.UnOp:
		is = instr.Op == token.ARROW && a.Semaphore(instr.X)
	case *ssa.Select:
		for _, st := range instr.States {
			is = is || st.Dir == types.SendOnly && a.Semaphore(st.Chan)
		}
	}
	if !is {
		return
	}
	if a.channels == nil {
		a.channels = make(map[ssa.Instruction]int32)
	}
	a.channels[instr] = id
	a.interesting, a.locks = true, true
}

// channelStep returns s after an element was put into a channel that is a lock, or
// taken out of it.
func (a *analysis) channelStep(s locks.State, instr ssa.Instruction) locks.State {
	id, ok := a.channels[instr]
	if !ok {
		return s
	}
	switch instr := instr.(type) {
	case *ssa.Send:
		return s.Acquire(a.Paths.Of(instr.Chan), locks.Write, a.section(id, 0).Of())
	case *ssa.UnOp:
		return s.Release(a.Paths.Of(instr.X))
	}
	return s
}

// chosen returns s on the branch where a condition holds: where it says that a
// select has put an element into a channel that is a lock, that is held.
func (a *analysis) chosen(s locks.State, cond ssa.Value) locks.State {
	if len(a.channels) == 0 {
		return s
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL {
		return s
	}
	index, ok := cmp.X.(*ssa.Extract)
	if !ok || index.Index != 0 {
		return s
	}
	sel, ok := index.Tuple.(*ssa.Select)
	k, known := intOf(cmp.Y)
	if !ok || !known || k >= len(sel.States) {
		return s
	}
	st := sel.States[k]
	if id, ok := a.channels[sel]; ok && st.Dir == types.SendOnly && a.Semaphore(st.Chan) {
		return s.Acquire(a.Paths.Of(st.Chan), locks.Write, a.section(id, 0).Of())
	}
	return s
}

// intOf returns the number that v is, if it is a constant.
func intOf(v ssa.Value) (int, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	k, exact := constant.Int64Val(c.Value)
	return int(k), exact && k >= 0
}
