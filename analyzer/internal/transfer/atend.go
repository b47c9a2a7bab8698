package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A deferred call runs where the function ends, wherever its defer statement stands: after the waits on the way to there, and
// after the calls that are deferred later. A panic is an end, too, and what may panic where the function recovers.

// besideDeferred reports whether a deferred call can run while a goroutine does, with these signals: the function comes from the
// start to an end at which both are there.
func (a *analysis) besideDeferred(d *ssa.Defer, r *running, sig summary.Signals, feeds []ssa.Instruction) bool {
	if !a.reach.MayPrecede(d, r.from) && !r.has(d) {
		return false // it is only there once the goroutine has ended
	}
	beside := func(end ssa.Instruction) bool {
		return a.reach.MayPrecede(d, end) && a.begun(feeds, end) && r.comesTo(end) && !a.waitsDeferred(d, end, sig)
	}
	recovers := a.recovers()
	return slices.ContainsFunc(a.fn.Blocks, func(b *ssa.BasicBlock) bool {
		if end := a.deferredIn(b); end != nil && beside(end) {
			return true
		}
		return recovers && slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return a.mayPanic(instr) && beside(instr) })
	})
}

// deferredIn returns where a block runs what the function has deferred, nil if it does not.
func (a *analysis) deferredIn(b *ssa.BasicBlock) ssa.Instruction {
	if _, panics := last(b).(*ssa.Panic); panics && (ssautil.PanicStmt(b) || !a.abandons(b)) {
		return last(b)
	}
	if end := runsDeferred(b); end != nil && b != a.fn.Recover {
		return end
	}
	return nil
}

// mayPanic reports whether a call runs code that nothing is known of, or a function that panics by a statement of its own. Where
// a function recovers, its author expects that of them.
func (a *analysis) mayPanic(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	if m := call.Call.Method; m != nil {
		return m.Pkg() == a.fn.Pkg.Pkg && !role.Harmless(m)
	}
	if fn := call.Call.StaticCallee(); fn != nil {
		return slices.ContainsFunc(fn.Blocks, ssautil.PanicStmt)
	}
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return !builtin
}

// comesTo reports whether the goroutine can run where an instruction begins, which may wait for it.
func (r *running) comesTo(i ssa.Instruction) bool {
	b := i.Block()
	if _, call := i.(*ssa.Call); call || r.parts[b] != i {
		return r.has(i)
	}
	return b != r.from.Block() || slices.Index(b.Instrs, r.from) < slices.Index(b.Instrs, i)
}

// waitsDeferred reports whether a call waits for a goroutine that is deferred after another one, on each way to the function's
// end.
func (a *analysis) waitsDeferred(d *ssa.Defer, end ssa.Instruction, sig summary.Signals) bool {
	return slices.ContainsFunc(a.defers, func(later *ssa.Defer) bool {
		if later == d || a.effects[later] == nil || a.reach.MayPrecede(later, d) || !ssautil.Dominates(later, end) {
			return false
		}
		j, waits := a.joinOf(later, a.effects[later])
		return waits && a.ends(&j, sig)
	})
}
