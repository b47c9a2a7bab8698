package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A claimed is a part of a function that one goroutine alone enters, once in the life of a flag: what is reached by
// one side of a branch alone, or by a block.
type claimed struct {
	from *ssa.BasicBlock
	side int // behind the block itself if that is none
	flag accesspath.Path
	ends bool // the flag is set back when what was started there has ended
}

// holds reports whether a block is a part of it.
func (c *claimed) holds(b *ssa.BasicBlock) bool {
	if c.side < 0 {
		return c.from.Dominates(b)
	}
	return ssautil.DominatesEdge(c.from, c.side, b)
}

// doubted returns a run that may come again, if it is that of an object which is not taken for one that runs it once.
func (a *analysis) doubted(r summary.Run, object ssa.Value) summary.Run {
	if r.Fate == callback.Once && a.Doubted(object) {
		r.Fate = callback.Now
	}
	return r
}

// indexOnce finds the parts that one goroutine alone enters, once in the life
// of a flag: the branch on which CompareAndSwap has set it, or on which a counter
// has come to one; or where it is set in the section of a lock in which it was found unset.
// Only flags that are never set back count.
func (a *analysis) indexOnce() {
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if m := a.Mark(instr); m != nil && m.Latch && m.Puts {
				a.claimed = append(a.claimed, claimed{from: b, side: -1, flag: m.Lock, ends: m.Ends})
			}
		}
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
		if flag := a.claims(cond); flag.Known() {
			a.claimed = append(a.claimed, claimed{from: b, side: won, flag: flag})
		}
		if _, compared := cond.(*ssa.BinOp); !compared {
			won = 1 - won // who swapped first was told that it was not set
		}
		if flag := a.swaps(cond); flag.Known() {
			a.claimed = append(a.claimed, claimed{from: b, side: won, flag: flag})
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

// claim returns the flag that is claimed for good where instr stands.
func (a *analysis) claim(instr ssa.Instruction) accesspath.Path {
	for i := range a.claimed {
		if c := &a.claimed[i]; !c.ends && c.holds(instr.Block()) {
			return c.flag
		}
	}
	return accesspath.Path{}
}

// claimedCall notes by which claims a call is made.
func (a *analysis) claimedCall(c *summary.Call, instr ssa.Instruction) {
	for i := range a.claimed {
		by := &a.claimed[i]
		if !by.holds(instr.Block()) {
			continue
		}
		at := ssautil.Point{Block: int32(instr.Block().Index)}
		once := !a.sum.Flow.ReachesPast(by.from, at, at)
		switch {
		case !by.ends && !c.Claim.Known():
			c.Claim, c.Claimed = by.flag, once
		case by.ends && once && !c.Latch.Known():
			c.Latch = by.flag
		}
	}
}
