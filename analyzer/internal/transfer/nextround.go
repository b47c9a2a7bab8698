package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A loop that starts a goroutine in each round, for the element of the round, sets up the elements one by one: what it does to the
// next element is none of what the goroutine has.

// nextRound reports whether an access, which comes while what a loop has started runs, is to the element
// of another round, of a slice or a map that was there before: its index is a counter of the loop, or the next
// key, control comes from the start to it only past that, without entering the loop anew, and each round
// puts a map of its own into the element first. What was started has the index of its own round.
func (a *analysis) nextRound(start ssautil.Point, acc *access.Access) bool {
	elem := acc.Path.Holder()
	if !a.otherElement(elem, start, acc.Point) || elem != acc.Path && !a.separate(elem, start) {
		return false
	}
	return acc.Op == access.Assign || a.givesEach(acc.Path, elem, start, acc.Point.Instr(a.fn))
}

// othersOf returns the arguments of a call that are elements of another round than the one in which a loop has started
// what runs meanwhile. All that is known to be done to their maps is done to maps of their own.
func (a *analysis) othersOf(call int, start ssautil.Point) (out []summary.Arg) {
	c, at := &a.sum.Calls[call], a.callAt[call]
	for i, arg := range c.Args {
		elem := arg.Holder()
		if !a.otherElement(elem, start, c.Point) || !a.separate(elem, start) {
			continue
		}
		shares := func(j int) bool {
			acc := &a.sum.Accesses[j]
			return acc.Path.HasPrefix(arg) && acc.Op != access.Assign && !a.givesEach(acc.Path, elem, start, nil)
		}
		own := true
		for j := range a.events {
			own = own && !(a.events[j].instr == at && shares(j))
		}
		if own {
			out = append(out, summary.Arg{Call: call, Index: i})
		}
	}
	return out
}

// otherElement reports whether an element, at a point, is another one than that which the same name had where a loop started
// a goroutine. What is deferred comes when all rounds are over.
func (a *analysis) otherElement(elem accesspath.Path, start, to ssautil.Point) bool {
	if !elem.Known() || to.Deferred || !a.sum.Flow.NextRound(elem.Key().Counter(), start, to) {
		return false
	}
	from := a.fn.Blocks[start.Block]
	made, isInstr := elem.Root().Val.(ssa.Instruction)
	rounds := func(b *ssa.BasicBlock) bool { return b == from || a.reach.Blocks(from, b) && a.reach.Blocks(b, from) }
	anew := func(b *ssa.BasicBlock) bool { return b == from || a.reach.Blocks(from, b) }
	return !ssautil.Parts(a.fn, rounds) && (!isInstr || made.Parent() == a.fn && !anew(made.Block()))
}

// separate reports whether two elements of a container are two objects: they are structs, or each round puts one there that it
// makes, before it starts the goroutine.
func (a *analysis) separate(elem accesspath.Path, start ssautil.Point) bool {
	counter, ok := elem.Key().Counter().(ssa.Instruction)
	if !ok {
		return false
	}
	counted, from := counter.Block(), a.fn.Blocks[start.Block]
	return ssautil.Some(a.fn, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.IndexAddr:
			_, inside := ssautil.Pointee(instr.Type()).Underlying().(*types.Struct)
			return inside && a.Paths.Of(instr) == elem
		case *ssa.Store:
			made, ok := instr.Val.(*ssa.Alloc)
			puts := ok && a.Paths.Of(instr.Addr) == elem
			return puts && counted.Dominates(made.Block()) && counted.Dominates(instr.Block()) && instr.Block().Dominates(from)
		}
		return false
	})
}

// givesEach reports whether each round puts a map that it makes into its element, or into a part of that, before it starts the
// goroutine and, unless that is nil, comes to an access; and nothing else is put there.
func (a *analysis) givesEach(place, elem accesspath.Path, start ssautil.Point, to ssa.Instruction) bool {
	counter, ok := elem.Key().Counter().(ssa.Instruction)
	from := start.Instr(a.fn)
	if !ok || from == nil {
		return false
	}
	each := false
	for _, ev := range a.events {
		if ev.acc.Op != access.Assign || ev.acc.Path != place {
			continue
		}
		if !a.newInRound(ev, counter.Block()) {
			return false
		}
		comes := to == nil || ssautil.Dominates(ev.instr, to)
		each = each || comes && counter.Block().Dominates(ev.instr.Block()) && ssautil.Dominates(ev.instr, from)
	}
	return each
}

// newInRound reports whether a map that is put somewhere is made in the round that begins with a block, here or by what is called.
func (a *analysis) newInRound(ev *event, round *ssa.BasicBlock) bool {
	root := ev.acc.Value.Root()
	if ev.value == nil {
		_, made := root.Val.(*ssa.MakeMap)
		return made
	}
	switch v := ssautil.Unwrap(ev.value).(type) {
	case *ssa.MakeMap:
		return round.Dominates(v.Block())
	case *ssa.Call:
		return round.Dominates(v.Block()) && root.Val == ssa.Value(v) && a.dep.Stored(v) == access.StoredIdentity
	}
	return false
}
