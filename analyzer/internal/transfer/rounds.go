package transfer

import (
	"go/token"
	"go/types"
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
	bound := a.countsUpTo(h)
	n, ok := ssautil.IntOf(bound)
	if !ok {
		n, ok = lengthOf(bound)
	}
	if ok && 0 < n && n < manyTimes {
		return n
	}
	return manyTimes
}

// lengthOf returns how long the list is of which a value is the length: it is written out, an array as a whole.
func lengthOf(v ssa.Value) (int, bool) {
	list, _ := ssautil.LenOf(v)
	whole, ok := list.(*ssa.Slice)
	if !ok || whole.Low != nil || whole.High != nil {
		return 0, false
	}
	array, ok := ssautil.Pointee(whole.X.Type()).Underlying().(*types.Array)
	if !ok {
		return 0, false
	}
	return int(array.Len()), true
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
	next, up := counter.(*ssa.BinOp)
	if up {
		counter = next.X // the loop asks for the next round at the end of each, or counts before it does, as one over a list
	}
	phi, ok := counter.(*ssa.Phi)
	return cmp.Y, ok && (countsFrom(phi, ssautil.IsZero) || up && countsFrom(phi, beforeFirst) && asksFirst(b, phi))
}

// beforeFirst reports whether a value is -1, where a loop over a list begins.
func beforeFirst(v ssa.Value) bool { return ssautil.IsInt(v, -1) }

// asksFirst reports whether a block counts and asks whether there is another round, and does nothing else.
func asksFirst(b *ssa.BasicBlock, phi *ssa.Phi) bool {
	return phi.Block() == b && !slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
		switch i.(type) {
		case *ssa.Phi, *ssa.BinOp, *ssa.If, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// countsFrom reports whether a loop counts up in steps of 1 from where it begins.
func countsFrom(phi *ssa.Phi, begins func(ssa.Value) bool) bool {
	begun := false
	for _, e := range phi.Edges {
		if next, ok := e.(*ssa.BinOp); ok && next.Op == token.ADD && next.X == ssa.Value(phi) {
			k, ok := next.Y.(*ssa.Const)
			if ok && k.Value != nil && k.Value.ExactString() == "1" {
				continue
			}
		}
		if !begins(e) {
			return false
		}
		begun = true
	}
	return begun
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
