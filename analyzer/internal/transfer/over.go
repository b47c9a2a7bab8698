package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// overAt returns the number of the last instruction beside which a goroutine can run that the function waits for: the
// last one of the part that it walks with it, and of the waits. It is 0 where a deferred call waits: among deferred calls
// the numbers tell no order. Complexity: linear in the function's blocks.
func (a *analysis) overAt(r *running, sig summary.Signals) int {
	order := ssautil.NewOrder(a.fn)
	over := numberOf(r.from, order)
	note := func(i ssa.Instruction) { over = max(over, numberOf(i, order)) }
	for _, b := range a.fn.Blocks {
		for i := range a.joinsIn[b] {
			if j := &a.joinsIn[b][i]; a.ends(j, sig) {
				note(j.instr)
			}
		}
		if j := r.parts[b]; j != nil {
			note(j)
		} else if r.whole[b.Index] || b == r.from.Block() {
			note(last(b))
		}
	}
	for _, end := range r.ends {
		if _, deferred := end.(*ssa.RunDefers); deferred {
			return 0
		}
		note(end)
	}
	return over
}

// numberOf returns the number of an instruction in the order of its function.
func numberOf(instr ssa.Instruction, order *ssautil.Order) int {
	return order.At(instr.Block(), slices.Index(instr.Block().Instrs, instr))
}
