package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// indexOnce finds the blocks that one goroutine alone enters, once in the life
// of a flag: the branch on which CompareAndSwap has set it, or on which a counter
// has come to one. Only flags that are never set back count.
func (a *analysis) indexOnce() {
	for _, b := range a.fn.Blocks {
		br, ok := last(b).(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		cond, won := br.Cond, 0
		if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
			cond, won = not.X, 1
		}
		if cmp, ok := cond.(*ssa.BinOp); ok && cmp.Op == token.NEQ {
			won = 1 - won
		}
		if to := b.Succs[won]; a.claims(cond) && len(to.Preds) == 1 {
			a.onceIn = append(a.onceIn, to)
		}
	}
}

// claims reports whether cond is the outcome of claiming a flag for good.
func (a *analysis) claims(cond ssa.Value) bool {
	want := model.FlagClaim
	if cmp, ok := cond.(*ssa.BinOp); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
		one, ok := cmp.Y.(*ssa.Const)
		if !ok || one.Value == nil || one.Value.ExactString() != "1" {
			return false
		}
		cond, want = cmp.X, model.FlagCount
	}
	call, ok := cond.(*ssa.Call)
	if !ok {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	return model.Flag(fn) == want && len(args) > 0 && a.Claimed != nil && a.Claimed(args[0])
}

// once reports whether instr runs at most once in the life of a flag.
func (a *analysis) once(instr ssa.Instruction) bool {
	for _, b := range a.onceIn {
		if b == instr.Block() || b.Dominates(instr.Block()) {
			return true
		}
	}
	return false
}
