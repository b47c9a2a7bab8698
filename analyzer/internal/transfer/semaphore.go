package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
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

// token returns the lock that an operation on a channel takes, or else gives up.
func (a *analysis) token(ch ssa.Value, dir types.ChanDir) (lock accesspath.Path, takes, ok bool) {
	if t := a.Semaphore(ch); t != NoLock {
		return a.Paths.Of(ch), t.takes() == dir, true
	}
	lock, first, ok := a.Pause(ch)
	return lock, first == (dir == types.SendOnly), ok
}

// inCase is token for a case of a select: of an element that is given up there, nothing is told.
func (a *analysis) inCase(st *ssa.SelectState) (lock accesspath.Path, takes, ok bool) {
	lock, takes, ok = a.token(st.Chan, st.Dir)
	return lock, takes, ok && (takes || a.Semaphore(st.Chan) == NoLock)
}

// noteChannel notes an operation on a channel that is a lock.
func (a *analysis) noteChannel(instr ssa.Instruction, id int32) {
	is := false
	switch instr := instr.(type) {
	case *ssa.Send:
		_, _, is = a.token(instr.Chan, types.SendOnly)
		is = is && !a.firstElement(instr)
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			_, _, is = a.token(instr.X, types.RecvOnly)
		}
	case *ssa.Select:
		is = slices.ContainsFunc(instr.States, func(st *ssa.SelectState) bool { _, _, ok := a.inCase(st); return ok })
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
	lock, takes, _ := a.token(ch, dir)
	return a.takeOrGive(s, lock, takes, id)
}

func (a *analysis) takeOrGive(s locks.State, lock accesspath.Path, takes bool, id int32) locks.State {
	if takes {
		return s.Acquire(lock, locks.Write, a.section(id, 0).Of())
	}
	return s.Release(lock)
}

// chosen returns s on the branch where a condition holds: where it says that a
// select has taken a lock that is a channel, that is held; or given up, that is not.
func (a *analysis) chosen(s locks.State, cond ssa.Value) locks.State {
	if len(a.channels) == 0 {
		return s
	}
	sel, k, ok := ssautil.SelectCase(cond)
	if !ok {
		return s
	}
	lock, takes, is := a.inCase(sel.States[k])
	if id, ok := a.channels[sel]; ok && is {
		return a.takeOrGive(s, lock, takes, id)
	}
	return s
}
