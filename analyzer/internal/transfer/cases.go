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
		if st.Dir != types.RecvOnly {
			continue
		}
		never := a.untold(sel, st.Chan)
		asked := a.Asked(st.Chan)
		if !never && asked == nil && !a.answers(st.Chan) && !a.Done(st.Chan) {
			continue
		}
		from, to := chosen(sel, i)
		if never {
			a.noWay[edge{from, to}] = true
			continue
		}
		on := []accesspath.Path{a.Paths.Of(st.Chan)}
		if asked != nil {
			on[0] = a.answer(asked)
		}
		if to != nil && on[0].Known() {
			a.joinEdge(edge{from, to}, join{on: on, one: asked == nil && !a.Done(st.Chan)})
		}
	}
}

// joinEveryWay notes a wait where ways meet that have all waited for the same, each by itself:
// in every case of a select, say. It is a forward must-analysis over the blocks; its sets
// only shrink, so that it ends.
func (a *analysis) joinEveryWay() {
	if len(a.joinsIn)+len(a.joinsOn)+len(a.noWay) < 2 {
		return
	}
	in, out := make(map[*ssa.BasicBlock][]accesspath.Path), make(map[*ssa.BasicBlock][]accesspath.Path)
	for changed := true; changed; {
		changed = false
		for _, b := range a.fn.Blocks {
			before, reached := a.everyWay(b, out)
			if !reached {
				continue
			}
			after := slices.Clone(before)
			for i := range a.joinsIn[b] {
				for _, p := range a.joinsIn[b][i].on {
					if !slices.Contains(after, p) {
						after = append(after, p)
					}
				}
			}
			was, known := out[b]
			if changed = changed || !known || len(was) != len(after); !known || len(was) != len(after) {
				in[b], out[b] = before, after
			}
		}
	}
	for _, b := range a.fn.Blocks {
		if len(b.Preds) < 2 || len(in[b]) == 0 {
			continue
		}
		on := slices.DeleteFunc(in[b], func(p accesspath.Path) bool { return slices.Contains(out[b.Idom()], p) })
		if len(on) > 0 {
			a.joinsIn[b] = append(a.joinsIn[b], join{instr: b.Instrs[0], on: on, before: true})
		}
	}
}

// everyWay returns what is in the sets of all ways to a block, of those that are known, and
// whether there is one.
func (a *analysis) everyWay(b *ssa.BasicBlock, out map[*ssa.BasicBlock][]accesspath.Path) (common []accesspath.Path, reached bool) {
	first := true
	for _, p := range b.Preds {
		set, known := out[p]
		known = known && !a.noWay[edge{p, b}]
		if on := a.joinsOn[edge{p, b}]; len(on) > 0 {
			set = append(slices.Clone(set), on...)
		}
		switch {
		case !known:
		case first:
			common, first = slices.Clone(set), false
		default:
			common = slices.DeleteFunc(common, func(x accesspath.Path) bool { return !slices.Contains(set, x) })
		}
	}
	return common, !first || len(b.Preds) == 0
}

// An edge leads from one block to another.
type edge struct{ from, to *ssa.BasicBlock }

// chosen returns the edge on which a select has chosen its i-th case, nil if others lead
// the same way.
func chosen(sel *ssa.Select, i int) (from, to *ssa.BasicBlock) {
	for _, index := range ssautil.Extracts(sel) {
		if e, ok := index.(*ssa.Extract); !ok || e.Index != 0 {
			continue
		}
		for _, r := range *index.Referrers() {
			cmp, ok := r.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL || !ssautil.IsInt(cmp.Y, int64(i)) {
				continue
			}
			b := cmp.Block()
			if br, ok := last(b).(*ssa.If); ok && br.Cond == ssa.Value(cmp) && b.Succs[0] != b.Succs[1] {
				return b, b.Succs[0]
			}
		}
	}
	return nil, nil
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
