package ssautil

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Counts reports whether v has another value in each round of one run of its loop, and returns the blocks from
// which control enters the loop: v is a counter that goes one way by constants, each time that the loop comes
// round, or the key of a range over a map. A counter narrower than an int could come round to where it was.
func Counts(v ssa.Value) (enters []*ssa.BasicBlock, ok bool) {
	switch v := v.(type) {
	case *ssa.Phi:
		return countedBy(v)
	case *ssa.BinOp: // the value of the next round is worked out first
		if phi, isPhi := v.X.(*ssa.Phi); isPhi && step(v, phi) != token.ILLEGAL {
			return countedBy(phi)
		}
	case *ssa.Extract:
		if next, isNext := v.Tuple.(*ssa.Next); isNext && v.Index == 1 {
			return Counts(next)
		}
	case *ssa.Next: // whose key nothing looks at
		if from, isRange := v.Iter.(*ssa.Range); isRange && !v.IsString {
			return []*ssa.BasicBlock{from.Block()}, true
		}
	}
	return nil, false
}

// NextRound reports whether v has another value where control comes to a point than it had where it was at another one: control
// gets there only past what counts v, and does not enter the loop anew.
func (f *Flow) NextRound(v ssa.Value, from, to Point) bool { return f.NextRoundOf(nil, v, from, to) }

// NextRoundOf is NextRound for elements of what a block makes, if it is not nil: where control comes past that block, the
// loop may be entered anew, for elements of another container.
func (f *Flow) NextRoundOf(made *ssa.BasicBlock, v ssa.Value, from, to Point) bool {
	at, ok := v.(ssa.Instruction)
	if f == nil || !ok || at.Parent() != f.fn || f.ReachesPast(at.Block(), from, to) {
		return false
	}
	enters, counts := Counts(v)
	start := f.fn.Blocks[from.Block]
	return counts && !slices.ContainsFunc(enters, func(b *ssa.BasicBlock) bool {
		if made == nil || b == start {
			return b == start || f.reach.Blocks(start, b)
		}
		return b != made && f.ReachesPast(made, from, Point{Block: int32(b.Index)})
	})
}

// countedBy reports whether each edge of a loop that comes back to a phi steps the same way.
func countedBy(phi *ssa.Phi) (enters []*ssa.BasicBlock, ok bool) {
	b, isBasic := phi.Type().Underlying().(*types.Basic)
	if !isBasic || !wide[b.Kind()] {
		return nil, false
	}
	way := token.ILLEGAL
	for i, e := range phi.Edges {
		pred := phi.Block().Preds[i]
		if !phi.Block().Dominates(pred) {
			enters = append(enters, pred)
			continue
		}
		to := step(e, phi)
		if to == token.ILLEGAL || way != token.ILLEGAL && to != way {
			return nil, false
		}
		way = to
	}
	return enters, way != token.ILLEGAL
}

// wide are the kinds of counters that no loop brings back to where they were.
var wide = map[types.BasicKind]bool{
	types.Int: true, types.Int64: true, types.Uint: true, types.Uint64: true, types.Uintptr: true,
}

// Wide reports whether numbers of a type are so large that no counter comes round to where it was.
func Wide(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && wide[b.Kind()]
}

// step returns which way a value differs from a phi by a positive constant: ADD or SUB, ILLEGAL if it does not.
func step(v ssa.Value, phi *ssa.Phi) token.Token {
	op, ok := v.(*ssa.BinOp)
	if !ok || op.X != ssa.Value(phi) || op.Op != token.ADD && op.Op != token.SUB {
		return token.ILLEGAL
	}
	k, ok := op.Y.(*ssa.Const)
	if !ok || k.Value == nil || k.Int64() <= 0 {
		return token.ILLEGAL
	}
	return op.Op
}
