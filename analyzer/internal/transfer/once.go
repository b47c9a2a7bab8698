package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A claimed is a block, with those that it dominates, that one goroutine alone
// enters, once in the life of a flag.
type claimed struct {
	from *ssa.BasicBlock
	flag accesspath.Path
}

// indexOnce finds the blocks that one goroutine alone enters, once in the life
// of a flag: the branch on which CompareAndSwap has set it, or on which a counter
// has come to one. Only flags that are never set back count.
func (a *analysis) indexOnce() {
	for _, b := range a.fn.Blocks {
		br, ok := last(b).(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		cond, not := ssautil.Unnegated(br.Cond)
		won := 0
		if not {
			won = 1
		}
		if cmp, ok := cond.(*ssa.BinOp); ok && cmp.Op == token.NEQ {
			won = 1 - won
		}
		if to := b.Succs[won]; len(to.Preds) == 1 {
			if flag := a.claims(cond); flag.Known() {
				a.claimed = append(a.claimed, claimed{to, flag})
			}
		}
		if _, compared := cond.(*ssa.BinOp); !compared {
			won = 1 - won // who swapped first was told that it was not set
		}
		if to := b.Succs[won]; len(to.Preds) == 1 {
			if flag := a.swaps(cond); flag.Known() {
				a.claimed = append(a.claimed, claimed{to, flag})
			}
		}
	}
}

// swaps returns the flag of which cond says that it was set already, when it was
// set for good.
func (a *analysis) swaps(cond ssa.Value) accesspath.Path {
	if cmp, ok := cond.(*ssa.BinOp); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) && ssautil.IsZero(cmp.Y) {
		cond = cmp.X
	}
	return a.flagOf(cond, model.FlagSwap)
}

// flagOf returns the flag of an operation of which v is the result, if the
// package only ever claims it.
func (a *analysis) flagOf(v ssa.Value, want model.FlagOp) accesspath.Path {
	call, ok := v.(*ssa.Call)
	if !ok {
		return accesspath.Path{}
	}
	fn, args := ssautil.Callee(&call.Call)
	if model.Flag(fn) != want || len(args) == 0 || a.Claimed == nil || !a.Claimed(args[0]) {
		return accesspath.Path{}
	}
	return a.Paths.Of(args[0])
}

// claims returns the flag that cond is the outcome of claiming for good.
func (a *analysis) claims(cond ssa.Value) accesspath.Path {
	want := model.FlagClaim
	if cmp, ok := cond.(*ssa.BinOp); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
		one, ok := cmp.Y.(*ssa.Const)
		if !ok || one.Value == nil || one.Value.ExactString() != "1" {
			return accesspath.Path{}
		}
		cond, want = cmp.X, model.FlagCount
	}
	return a.flagOf(cond, want)
}

// claim returns the flag that is claimed where instr stands.
func (a *analysis) claim(instr ssa.Instruction) accesspath.Path {
	for _, c := range a.claimed {
		if c.from == instr.Block() || c.from.Dominates(instr.Block()) {
			return c.flag
		}
	}
	return accesspath.Path{}
}
