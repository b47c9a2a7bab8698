package depend

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// afterWait handles an act that is done whatever the look found, where the look
// has decided to give up the lock for a while first: to wait until there is room,
// say. When the lock is taken again, things may have changed anew, and nothing
// asks. A wait in a loop does: there, each way to the act leads over the look.
func (f *Func) afterWait(l *Look, a *Act) (Dependence, bool) {
	if a.Op != access.Insert && a.Op != access.Store || f.SameSection == nil || f.together(l.Instr, a.Instr) || !f.together(a.Instr, a.Instr) {
		return Dependence{}, false
	}
	for _, b := range f.Fn.Blocks {
		if !l.all.blocks[b.Index] || !f.leads(b, a.Instr.Block()) {
			continue
		}
		if f.givesUp(l, b) && f.reachesPast(b, l.Instr.Block(), a.Instr.Block()) && !f.waitsToTake(l, b) {
			return f.waited(l), true
		}
	}
	return Dependence{}, false
}

// waitsToTake reports whether a block is come to where a length was found to be below
// something, as none is: what is waited for there is an entry, not room for one.
func (f *Func) waitsToTake(l *Look, b *ssa.BasicBlock) bool {
	for _, at := range f.Fn.Blocks {
		br := f.branch(at.Index)
		if l.Op != access.Len || br == nil || !l.all.Has(br.Cond) {
			continue
		}
		onTrue, onFalse := ssautil.DominatesEdge(at, 0, b), ssautil.DominatesEdge(at, 1, b)
		if onTrue != onFalse && l.below(br.Cond, onTrue) {
			return true
		}
	}
	return false
}

// waited is the dependence of an act for which a look has waited: it counts on
// the opposite of what the look found.
func (f *Func) waited(l *Look) Dependence {
	if l.Op == access.Len {
		return Dependence{Traits: Control | Content, Polarity: Count}
	}
	return Dependence{Traits: Control, Polarity: Any}
}

// givesUp reports whether the look's section ends in a block that begins in it,
// to let others do something: the lock is taken again at once, as a wait does, or
// something is done without it that is more than logging.
func (f *Func) givesUp(l *Look, b *ssa.BasicBlock) bool {
	if !f.leavesSection(l, b) {
		return false
	}
	ended := false
	for _, instr := range b.Instrs[1:] {
		if !ended && !f.together(l.Instr, instr) {
			if ended = true; f.together(instr, instr) {
				return true
			}
		}
		if c, ok := instr.(*ssa.Call); ok && ended && f.Effectful(c) {
			return true
		}
	}
	return false
}

// leavesSection reports whether a block begins in the look's section and ends
// out of it.
func (f *Func) leavesSection(l *Look, b *ssa.BasicBlock) bool {
	return f.together(l.Instr, b.Instrs[0]) && !f.together(l.Instr, b.Instrs[len(b.Instrs)-1])
}

// Unbroken reports whether the look's section ends on no way to the act, unless
// there is another look: other ways than that from the look may come to the act
// in another section.
func (f *Func) Unbroken(l *Look, a *Act) bool { return !f.leftBehind(l, l, a) }

// AskedAgain reports whether a second look, which decides on an act as well,
// stands on each way to it on which the section of the first one has ended, and
// the act follows in the second one's section. The way on which it has not ended
// needs none.
func (f *Func) AskedAgain(first, second *Look, a *Act) bool {
	return f.Unbroken(second, a) && !f.leftBehind(first, second, a)
}

// AskedSince reports whether each way from a first look to an act leads over a
// second one: what the second one sees is newer.
func (f *Func) AskedSince(first, second *Look, a *Act) bool {
	own, again := first.Instr.Block(), second.Instr.Block()
	if own == again || !ssautil.Dominates(second.Instr, a.Instr) {
		return false
	}
	return !f.reachesPast(own, again, a.Instr.Block())
}

// leftBehind reports whether the section of l can end on a way to the act that
// does not lead over the second look after that.
func (f *Func) leftBehind(l, second *Look, a *Act) bool {
	at, again := a.Instr.Block(), second.Instr.Block()
	if !f.together(l.Instr, l.Instr) || f.endsAfter(l, a) {
		return true // in a callee, of which no more is known
	}
	for _, b := range f.Fn.Blocks {
		if len(b.Instrs) == 0 || b == l.Instr.Block() || !f.leads(b, at) || !f.leavesSection(l, b) {
			continue
		}
		renewed := b == again && l != second && !f.together(l.Instr, second.Instr)
		if !renewed && f.reachesPast(b, again, at) {
			return true
		}
	}
	return false
}

// endsAfter reports whether the look's section ends in the look's own block,
// behind it, or in the act's, before it: no look can stand between.
func (f *Func) endsAfter(l *Look, a *Act) bool {
	own := l.Instr.Block()
	if !f.together(l.Instr, own.Instrs[len(own.Instrs)-1]) {
		return true
	}
	first := a.Instr.Block().Instrs[0]
	return f.together(l.Instr, first) && !f.together(l.Instr, a.Instr)
}

// together reports whether two instructions lie in the same critical sections,
// at least one.
func (f *Func) together(x, y ssa.Instruction) bool { return f.SameSection(x, y) && f.SameSection(y, x) }

// reachesPast reports whether control can go from one block to another without
// coming through a third.
func (f *Func) reachesPast(from, past, to *ssa.BasicBlock) bool {
	seen := make([]bool, len(f.Fn.Blocks))
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for _, s := range b.Succs {
			if s != past && !seen[s.Index] {
				seen[s.Index] = true
				work = append(work, s)
			}
		}
	}
	return false
}
