package transfer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Tokens says what the one element of a channel stands for that is a lock.
type Tokens uint8

// The kinds of channels.
const (
	NoLock Tokens = iota
	// PutIn: who puts the element in holds the lock until he takes it out.
	PutIn
	// TakenOut: who takes the element out holds the lock until he puts it back.
	TakenOut
)

// takes returns the direction in which an operation takes a lock.
func (t Tokens) takes() types.ChanDir {
	if t == PutIn {
		return types.SendOnly
	}
	return types.RecvOnly
}

// noteChannel notes an operation on a channel that is a lock.
func (a *analysis) noteChannel(instr ssa.Instruction, id int32) {
	is := false
	switch instr := instr.(type) {
	case *ssa.Send:
		is = a.Semaphore(instr.Chan) != NoLock && !a.firstElement(instr)
	case *ssa.UnOp:
		is = instr.Op == token.ARROW && a.Semaphore(instr.X) != NoLock
	case *ssa.Select:
		for _, st := range instr.States {
			t := a.Semaphore(st.Chan)
			is = is || t != NoLock && st.Dir == t.takes()
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

// firstElement reports whether a send puts the element into a channel of an object that
// is made here: the lock is free from then on.
func (a *analysis) firstElement(send *ssa.Send) bool {
	_, made := a.Paths.Of(send.Chan).Root().Val.(*ssa.Alloc)
	return made && a.Semaphore(send.Chan) == TakenOut
}

// channelStep returns s after an element was put into a channel that is a lock, or
// taken out of it.
func (a *analysis) channelStep(s locks.State, instr ssa.Instruction) locks.State {
	id, ok := a.channels[instr]
	if !ok {
		return s
	}
	var ch ssa.Value
	dir := types.SendOnly
	switch instr := instr.(type) {
	case *ssa.Send:
		ch = instr.Chan
	case *ssa.UnOp:
		ch, dir = instr.X, types.RecvOnly
	default:
		return s
	}
	if a.Semaphore(ch).takes() == dir {
		return s.Acquire(a.Paths.Of(ch), locks.Write, a.section(id, 0).Of())
	}
	return s.Release(a.Paths.Of(ch))
}

// chosen returns s on the branch where a condition holds: where it says that a
// select has taken a lock that is a channel, that is held.
func (a *analysis) chosen(s locks.State, cond ssa.Value) locks.State {
	if len(a.channels) == 0 {
		return s
	}
	sel, k, ok := ssautil.SelectCase(cond)
	if !ok {
		return s
	}
	st := sel.States[k]
	t := a.Semaphore(st.Chan)
	if id, ok := a.channels[sel]; ok && t != NoLock && st.Dir == t.takes() {
		return s.Acquire(a.Paths.Of(st.Chan), locks.Write, a.section(id, 0).Of())
	}
	return s
}
