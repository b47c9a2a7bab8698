package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A deferred call runs where the function ends, wherever its defer statement stands: after the waits on the way to there, and
// after the calls that are deferred later.

// besideDeferred reports whether a deferred call can run while a goroutine does, with these signals: the function comes from the
// start to an end at which both are there.
func (a *analysis) besideDeferred(d *ssa.Defer, r *running, sig summary.Signals, feeds []ssa.Instruction) bool {
	if !a.reach.MayPrecede(d, r.from) && !r.has(d) {
		return false // it is only there once the goroutine has ended
	}
	return slices.ContainsFunc(a.fn.Blocks, func(b *ssa.BasicBlock) bool {
		end := a.deferredIn(b)
		if end == nil || d.Block() != b && !a.reach.Blocks(d.Block(), b) || !a.begun(feeds, end) {
			return false
		}
		return r.comesTo(end) && !a.waitsDeferred(d, end, sig)
	})
}

// deferredIn returns where a block runs what the function has deferred, nil if it does not.
func (a *analysis) deferredIn(b *ssa.BasicBlock) ssa.Instruction {
	if _, panics := last(b).(*ssa.Panic); panics && !a.abandons(b) {
		return last(b)
	}
	if end := runsDeferred(b); end != nil && b != a.fn.Recover {
		return end
	}
	return nil
}

// comesTo reports whether the goroutine can run where an instruction begins, which may wait for it.
func (r *running) comesTo(i ssa.Instruction) bool {
	b := i.Block()
	if r.parts[b] != i {
		return r.has(i)
	}
	return b != r.from.Block() || slices.Index(b.Instrs, r.from) < slices.Index(b.Instrs, i)
}

// waitsDeferred reports whether a call waits for a goroutine that is deferred after another one, on each way to the function's
// end.
func (a *analysis) waitsDeferred(d *ssa.Defer, end ssa.Instruction, sig summary.Signals) bool {
	return slices.ContainsFunc(a.defers, func(later *ssa.Defer) bool {
		if later == d || a.effects[later] == nil || a.reach.MayPrecede(later, d) || !later.Block().Dominates(end.Block()) {
			return false
		}
		j, waits := a.joinOf(later, a.effects[later])
		return waits && a.ends(&j, sig)
	})
}
