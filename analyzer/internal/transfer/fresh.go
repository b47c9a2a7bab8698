package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// joined reports whether a wait for goroutines precedes instr on every path.
func (a *analysis) joined(instr ssa.Instruction) bool {
	for b := instr.Block(); b != nil; b = b.Idom() {
		if b != instr.Block() && a.joinLoop(b) && !a.reach.Blocks(instr.Block(), b) {
			return true
		}
		for _, i := range b.Instrs {
			if i == instr {
				break
			}
			if a.joins(i) {
				return true
			}
		}
	}
	return false
}

// joins reports whether instr waits for goroutines to end: a table row, or a
// receive, outside of a select, from a channel that is only ever closed.
func (a *analysis) joins(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		e := a.effects[instr]
		return e != nil && e.model.Kind == model.Join
	case *ssa.UnOp:
		return instr.Op == token.ARROW && (a.Done(instr.X) || a.answers(instr.X))
	}
	return false
}

// answers reports whether ch is made here for goroutines to send to: who
// receives from it waits for what they have done.
func (a *analysis) answers(ch ssa.Value) bool {
	v := a.Paths.Of(ch).Root().Val
	made, ok := v.(*ssa.MakeChan)
	return ok && made.Parent() == a.fn && a.handed[v]
}

// joinLoop reports whether b is the head of a loop that waits in each round, as
// one does for the answers of several goroutines.
func (a *analysis) joinLoop(b *ssa.BasicBlock) bool {
	if a.joinLoops == nil {
		a.joinLoops = make(map[*ssa.BasicBlock]bool)
		for _, j := range a.fn.Blocks {
			if a.joinIn(j, nil) == nil {
				continue
			}
			for h := j; h != nil; h = h.Idom() {
				if a.reach.Blocks(j, h) {
					a.joinLoops[h] = true
				}
			}
		}
	}
	return a.joinLoops[b]
}
