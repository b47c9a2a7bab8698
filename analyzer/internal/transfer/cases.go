package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// joinCases notes that a case of a select waits, where it is chosen: for a channel made
// here for goroutines. Others are mostly told to end by such, not known to have ended.
func (a *analysis) joinCases(sel *ssa.Select) {
	for i, st := range sel.States {
		if st.Dir != types.RecvOnly || !a.answers(st.Chan) {
			continue
		}
		if b := chosen(sel, i); b != nil {
			a.joinsIn[b] = append(a.joinsIn[b], join{instr: b.Instrs[0], on: []accesspath.Path{a.Paths.Of(st.Chan)}})
		}
	}
}

// chosen returns the block that runs where a select has chosen its i-th case, and then
// only.
func chosen(sel *ssa.Select, i int) *ssa.BasicBlock {
	for _, index := range ssautil.Extracts(sel) {
		if e, ok := index.(*ssa.Extract); !ok || e.Index != 0 {
			continue
		}
		for _, r := range *index.Referrers() {
			cmp, ok := r.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL || !isInt(cmp.Y, i) {
				continue
			}
			if br, ok := last(cmp.Block()).(*ssa.If); ok && br.Cond == ssa.Value(cmp) && len(cmp.Block().Succs[0].Preds) == 1 {
				return cmp.Block().Succs[0]
			}
		}
	}
	return nil
}

func isInt(v ssa.Value, i int) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == int64(i)
}

// unlessNil returns the block to which a receive leads that is only left out where its
// channel is nil: where there is none, what would close it has not begun.
func unlessNil(instr ssa.Instruction) *ssa.BasicBlock {
	recv, ok := instr.(*ssa.UnOp)
	if !ok || len(recv.Block().Preds) != 1 || len(recv.Block().Succs) != 1 {
		return nil
	}
	from, to := recv.Block().Preds[0], recv.Block().Succs[0]
	br, ok := last(from).(*ssa.If)
	if !ok || len(to.Preds) != 2 || !slices.Contains(from.Succs, to) || from.Succs[0] == from.Succs[1] {
		return nil
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || !ssautil.IsNil(cmp.Y) || ssautil.Unwrap(cmp.X) != ssautil.Unwrap(recv.X) {
		return nil
	}
	if (cmp.Op == token.NEQ) != (from.Succs[0] == recv.Block()) || cmp.Op != token.NEQ && cmp.Op != token.EQL {
		return nil
	}
	return to
}
