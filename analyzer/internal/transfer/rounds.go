package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// manyTimes stands for a number of rounds that is not known.
const manyTimes = 1 << 20

// times returns how often a block runs in one call of the function: once, as
// often as its only loop says by a constant, or many times.
func (a *analysis) times(b *ssa.BasicBlock) int {
	n := 1
	for h := b; h != nil; h = h.Idom() {
		if !a.reach.Blocks(b, h) || !headOf(h) {
			continue
		}
		if n > 1 {
			return manyTimes
		}
		if n = a.rounds(h); n == manyTimes {
			return n
		}
	}
	return n
}

// headOf reports whether a loop comes back to h.
func headOf(h *ssa.BasicBlock) bool {
	for _, p := range h.Preds {
		if h.Dominates(p) {
			return true
		}
	}
	return false
}

// rounds returns how many rounds a loop makes that counts from 0 up to a
// constant and is left nowhere else.
func (a *analysis) rounds(h *ssa.BasicBlock) int {
	if n, ok := ssautil.IntOf(a.countsUpTo(h)); ok && 0 < n && n < manyTimes {
		return n
	}
	return manyTimes
}

// countsUpTo returns the number up to which a loop counts from 0 that is left nowhere else.
func (a *analysis) countsUpTo(h *ssa.BasicBlock) (n ssa.Value) {
	for _, b := range a.fn.Blocks {
		if !h.Dominates(b) || !a.reach.Blocks(b, h) {
			continue
		}
		for _, next := range b.Succs {
			if h.Dominates(next) && a.reach.Blocks(next, h) {
				continue // in the loop
			}
			bound, ok := boundOf(b)
			if !ok || n != nil {
				return nil
			}
			n = bound
		}
	}
	return n
}

// boundOf returns the number with which a block compares what counts from 0 in steps of 1 before it goes on in its loop.
func boundOf(b *ssa.BasicBlock) (ssa.Value, bool) {
	br, ok := last(b).(*ssa.If)
	if !ok {
		return nil, false
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS {
		return nil, false
	}
	counter := cmp.X
	if next, ok := counter.(*ssa.BinOp); ok {
		counter = next.X // the loop asks for the next round at the end of each
	}
	phi, ok := counter.(*ssa.Phi)
	return cmp.Y, ok && fromZero(phi)
}

func fromZero(phi *ssa.Phi) bool {
	zero := false
	for _, e := range phi.Edges {
		if next, ok := e.(*ssa.BinOp); ok && next.Op == token.ADD && next.X == ssa.Value(phi) {
			k, ok := next.Y.(*ssa.Const)
			if ok && k.Value != nil && k.Value.ExactString() == "1" {
				continue
			}
		}
		if !ssautil.IsZero(e) {
			return false
		}
		zero = true
	}
	return zero
}

// ends reports whether a goroutine with these signals has ended after a join.
// Of goroutines that send to one channel, a receive waits for the first that
// comes: all have ended when as many were received from as were started.
func (a *analysis) ends(j *join, sig summary.Signals) bool {
	if !j.ends(sig) {
		return false
	}
	if !j.one || j.any || sig.Any || len(j.on) != 1 {
		return true
	}
	return a.received(j) >= a.startedOn(j.on[0], j.instr)
}

// received counts the receives from a join's channel that are over with it, in
// loops before it, too.
func (a *analysis) received(j *join) int {
	counted := make(map[ssa.Instruction]bool)
	n := 0
	count := func(o *join) {
		if len(o.on) == 1 && o.on[0] == j.on[0] && !counted[o.instr] {
			counted[o.instr] = true
			n += a.times(o.instr.Block())
		}
	}
	own := j.instr.Block()
	for b := own; b != nil; b = b.Idom() {
		for i := range a.joinsIn[b] {
			if o := &a.joinsIn[b][i]; b != own || ssautil.Before(o.instr, j.instr) {
				count(o)
			}
		}
		if b != own && !a.reach.Blocks(own, b) {
			for _, o := range a.joinLoop(b) {
				count(o)
			}
		}
	}
	return n
}

// startedOn counts the goroutines that signal on a channel and can have been
// started before instr.
func (a *analysis) startedOn(ch accesspath.Path, instr ssa.Instruction) int {
	n := 0
	for _, st := range a.starts {
		c := &a.sum.Calls[st.call]
		sig := c.Signals
		if slices.Contains(c.Vouched, ch) {
			continue // the one around it signals for both
		}
		if !sig.Any && sig.Has([]accesspath.Path{ch}) && a.reach.MayPrecede(st.instr, instr) {
			n += a.times(st.instr.Block())
		}
	}
	return n
}
