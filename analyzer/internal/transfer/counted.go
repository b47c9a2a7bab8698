package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// atMost returns how many goroutines can run at a time that one call of the function starts at an instruction: the size of
// their gate, or how many are started. It is nil if nothing tells.
func (a *analysis) atMost(instr ssa.Instruction) ssa.Value {
	if size := a.gate(instr); size != nil {
		return size
	}
	return a.turns(instr)
}

// turns returns how often control comes to an instruction, at most, in one call of the function: as often as the one loop
// around it goes round, which counts. It is nil where nothing counts, where another loop begins that one anew, and where
// goto leads round past what counts.
func (a *analysis) turns(instr ssa.Instruction) ssa.Value {
	at := instr.Block()
	loops := ssautil.Loops(at)
	if len(loops) != 1 {
		return nil
	}
	w, ok := ssautil.WalkAt(loops[0].Head)
	if !ok || w.Count == nil || w.Has(w.Count) {
		return nil
	}
	if at != w.From && ssautil.Again(at, map[*ssa.BasicBlock]bool{w.From: true}) {
		return nil
	}
	for _, b := range a.fn.Blocks {
		if !w.In[b] && a.reach.Blocks(b, w.Head) && a.reach.Blocks(w.Head, b) {
			return nil
		}
	}
	return w.Count
}
