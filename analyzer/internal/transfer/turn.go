package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A goroutine that alone runs what it receives over a channel makes a critical
// section of each run: no two runs overlap, and none overlaps what the goroutine
// does itself. So the channel is a lock, which the goroutine has from its start
// on, and which is taken around each function that is sent. If the sender waits
// for the end of the run, the function runs before the sender goes on, like one
// that a locked helper runs; if not, it runs at any time, but under the lock.

// turnKey numbers the sections of runs by an owner.
const turnKey = -2

// entry is what is held where the function starts.
func (a *analysis) entry() locks.State {
	if lock, ok := a.Owns(a.fn); ok {
		return locks.Reached().Acquire(lock, locks.Write, a.section(turnKey, 0).Of())
	}
	return locks.Reached()
}

// leavesAs returns what becomes of a function value that leaves the function, and
// what is held around its run. It is Now if its sender waits for its end.
func (a *analysis) leavesAs(v ssa.Value) (callback.Fate, locks.State) {
	flow := a.Flow(a.fn)
	fate := flow.Fate(v) & callback.Leaving
	if !fate.Has(callback.Sent) {
		return fate, a.keptInTurn(fate, flow.InTurn(v))
	}
	at := flow.SentAt(v)
	lock, told, ok := a.turnAt(at)
	if !ok || fate != callback.Sent {
		return fate&^callback.Sent | callback.Kept, locks.Reached()
	}
	around := locks.Reached().Acquire(lock, locks.Write, a.turnSection(at[0]).Of())
	if a.awaited(at, v, told) {
		return callback.Now, around
	}
	return callback.Kept, around
}

// keptInTurn returns what is held where a goroutine calls, in turn, what is kept in fields of one object.
func (a *analysis) keptInTurn(fate callback.Fate, fields []*ssa.FieldAddr) locks.State {
	if fate != callback.Kept || len(fields) != 1 {
		return locks.Reached()
	}
	ch := a.TurnOf(ssautil.FieldOf(fields[0]))
	if ch == nil || fields[0].Parent() != a.fn {
		return locks.Reached()
	}
	lock := a.Paths.Field(a.Paths.Of(fields[0].X), ch)
	if !lock.Known() {
		return locks.Reached()
	}
	return locks.Reached().Acquire(lock, locks.Write, a.turnSection(fields[0]).Of())
}

// turnSection numbers the run of what is sent at an instruction.
func (a *analysis) turnSection(at ssa.Instruction) locks.Section {
	for i, instr := range at.Block().Instrs {
		if instr == at {
			return a.sectionOf(sectionKey{call: turnKey, slot: int32(at.Block().Index), inner: locks.Section(i + 1)})
		}
	}
	return a.section(turnKey, 0)
}

// turnAt returns the one lock that all the sends are to, and by which field it is told that what is sent
// has run.
func (a *analysis) turnAt(sends []ssa.Instruction) (lock accesspath.Path, told int, ok bool) {
	for _, at := range sends {
		for _, ch := range sendsTo(at) {
			l, by, ok := a.Turn(ch)
			if !ok || at.Parent() != a.fn || lock.Known() && l != lock {
				return accesspath.Path{}, -1, false
			}
			lock, told = l, by
		}
	}
	return lock, told, lock.Known()
}

// sendsTo returns the channels that an instruction sends functions to.
func sendsTo(at ssa.Instruction) []ssa.Value {
	switch at := at.(type) {
	case *ssa.Send:
		return []ssa.Value{at.Chan}
	case *ssa.Select:
		var out []ssa.Value
		for _, st := range at.States {
			if st.Dir == types.SendOnly && (callback.Carries(st.Send.Type()) || len(ssautil.FuncFields(st.Send.Type())) > 0) {
				out = append(out, st.Chan)
			}
		}
		return out
	}
	return nil
}

// awaited reports whether the sender of a function goes on only when it has run: on each path it receives
// next from a channel of its own. A literal closes that, or sends on it, at its end, and nothing else does; or
// the goroutine does which has got it with the function, in the field told.
func (a *analysis) awaited(sends []ssa.Instruction, v ssa.Value, told int) bool {
	if len(sends) > 1 {
		return false
	}
	if told >= 0 {
		return a.awaitsTask(sends[0], told)
	}
	lit := ssautil.Literal(v)
	send, ok := sends[0].(*ssa.Send)
	if lit == nil || !ok {
		return false
	}
	done := endsWith(lit)
	if done == nil || done.Parent() != a.fn || !a.private(done, lit) {
		return false
	}
	return receivesNext(send.Block(), send, func(recv *ssa.UnOp) bool { return ssautil.ReceivesFrom(recv, done) })
}

// awaitsTask reports whether the sender of a task receives next, where it has sent it, from the channel that
// the task brings: one that is made for that, and goes nowhere else.
func (a *analysis) awaitsTask(at ssa.Instruction, told int) bool {
	var task ssa.Value
	b, after := at.Block(), at
	switch at := at.(type) {
	case *ssa.Send:
		task = at.X
	case *ssa.Select:
		i := slices.IndexFunc(at.States, func(st *ssa.SelectState) bool { return st.Dir == types.SendOnly })
		if slices.ContainsFunc(at.States[i+1:], func(st *ssa.SelectState) bool { return st.Dir == types.SendOnly }) {
			return false
		}
		task, after = at.States[i].Send, nil
		if len(at.States) > 1 || !at.Blocking {
			_, b = chosen(at, i)
		} else {
			after = at
		}
	}
	if task == nil || b == nil {
		return false
	}
	done, ok := ssautil.FieldsOf(task)[told].(*ssa.MakeChan)
	if !ok || done.Parent() != a.fn {
		return false
	}
	puts := 0
	for _, use := range ssautil.ChanUses(a.fn, done) {
		if _, receives := use.(*ssa.UnOp); receives {
			continue
		}
		if _, ok := use.(*ssa.Store); !ok || puts > 0 {
			return false // others may have it, too
		}
		puts++
	}
	return receivesNext(b, after, func(recv *ssa.UnOp) bool { return recv.Op == token.ARROW && ssautil.Answers(recv.X, done, task) })
}

// receivesNext reports whether a block receives as asked, after an instruction or else from its start on.
func receivesNext(b *ssa.BasicBlock, from ssa.Instruction, is func(*ssa.UnOp) bool) bool {
	after := from == nil
	for _, instr := range b.Instrs {
		if recv, ok := instr.(*ssa.UnOp); ok && after && is(recv) {
			return true
		}
		after = after || instr == from
	}
	return false
}

// endsWith returns the channel on which a literal says that it has come to its
// end: it closes it, or sends on it, last of all.
func endsWith(lit *ssa.Function) *ssa.MakeChan {
	var done *ssa.MakeChan
	for _, b := range lit.Blocks {
		for i, instr := range b.Instrs {
			ch := signalled(instr)
			if ch == nil {
				continue
			}
			_, deferred := instr.(*ssa.Defer)
			if done != nil || deferred && !firstDefer(instr) || !deferred && !lastOf(b.Instrs[i+1:]) {
				return nil
			}
			if done = ssautil.ChanOf(ch); done == nil {
				return nil
			}
		}
	}
	return done
}

// signalled returns the channel that an instruction closes or sends on.
func signalled(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Send:
		return instr.Chan
	}
	return ssautil.Closed(instr)
}

// lastOf reports whether nothing comes after but the return.
func lastOf(rest []ssa.Instruction) bool {
	for _, instr := range rest {
		switch instr.(type) {
		case *ssa.Return, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// firstDefer reports whether a deferred call is the function's first, so that it
// runs after all others.
func firstDefer(d ssa.Instruction) bool {
	first := d.Parent().Blocks[0]
	for _, instr := range first.Instrs {
		if _, ok := instr.(*ssa.Defer); ok {
			return instr == d
		}
	}
	return false
}

// private reports whether nothing but the function and the literal has the
// channel, and the function only receives from it.
func (a *analysis) private(done *ssa.MakeChan, lit *ssa.Function) bool {
	for _, use := range ssautil.ChanUses(a.fn, done) {
		if _, receives := use.(*ssa.UnOp); !receives && use.Parent() != lit {
			return false
		}
	}
	return true
}

// actor returns the lock that the actor of a call is, which runs in turn what it is given: the
// field that the library's own type is, where a struct embeds it.
func (a *analysis) actor(e *effect, args []ssa.Value) accesspath.Path {
	v := ssautil.Unwrap(args[0])
	path, t := a.Paths.Of(v), v.Type()
	fn, _ := ssautil.Callee(e.call)
	if fn == nil {
		return path
	}
	set := types.NewMethodSet(t)
	for m := range set.Methods() {
		if m.Obj().Pkg() == fn.Pkg() {
			for _, i := range m.Index()[:len(m.Index())-1] {
				f := ssautil.Pointee(t).Underlying().(*types.Struct).Field(i)
				path, t = a.Paths.Field(path, f), f.Type()
			}
			break
		}
	}
	return path
}
