package ssautil

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Before reports whether x stands before y, or is y, in the block of x.
func Before(x, y ssa.Instruction) bool {
	for _, i := range x.Block().Instrs {
		if i == x {
			return true
		}
		if i == y {
			return false
		}
	}
	return false
}

// Dominates reports whether x runs before y on every path to y.
func Dominates(x, y ssa.Instruction) bool {
	if x.Block() == y.Block() {
		return Before(x, y)
	}
	return x.Block().Dominates(y.Block())
}

// A Point is a place in the control flow of a function: an instruction of a
// block. A deferred call has the point of its defer statement and runs when the
// function returns. The zero Point is the function's first instruction.
type Point struct {
	Block, Index int32
	Deferred     bool
}

// Instr returns the instruction of fn at the point, nil if there is none.
func (p Point) Instr(fn *ssa.Function) ssa.Instruction {
	if fn == nil || int(p.Block) >= len(fn.Blocks) || int(p.Index) >= len(fn.Blocks[p.Block].Instrs) {
		return nil
	}
	return fn.Blocks[p.Block].Instrs[p.Index]
}

// PointOf returns the point of an instruction. Complexity: linear in its block.
func PointOf(instr ssa.Instruction) Point {
	b := instr.Block()
	return Point{Block: int32(b.Index), Index: int32(slices.Index(b.Instrs, instr))}
}

// A Flow answers which point of one function comes before which. Source order
// does not tell: a later line can stand in another branch. The nil Flow knows
// nothing.
type Flow struct {
	fn    *ssa.Function
	reach *Reach
}

// NewFlow returns the flow of fn; reach may be shared with others.
func NewFlow(fn *ssa.Function, reach *Reach) *Flow { return &Flow{fn, reach} }

// Reach returns the question which blocks control can go to from another, with what is known of it; nil of
// the nil Flow.
func (f *Flow) Reach() *Reach {
	if f == nil {
		return nil
	}
	return f.reach
}

// MayPrecede reports whether p can run before q in one call of the function.
func (f *Flow) MayPrecede(p, q Point) bool {
	switch {
	case f == nil || p.Deferred && !q.Deferred:
		return false
	case p.Deferred:
		return f.ordered(q, p) // the last one registered runs first
	case q.Deferred:
		return f.ordered(p, q) || f.ordered(q, p)
	}
	return f.ordered(p, q)
}

// ordered reports whether control can go from p to q, defer statements taken
// for what they are.
func (f *Flow) ordered(p, q Point) bool {
	if p.Block == q.Block && p.Index < q.Index {
		return true
	}
	return f.reach.Blocks(f.fn.Blocks[p.Block], f.fn.Blocks[q.Block])
}

// ReachesPast reports whether control can go from p to q without coming to a block.
// Complexity: linear in the function.
func (f *Flow) ReachesPast(block *ssa.BasicBlock, p, q Point) bool {
	if p.Block == q.Block && p.Index < q.Index {
		return true
	}
	to := f.fn.Blocks[q.Block]
	seen := map[*ssa.BasicBlock]bool{block: true}
	for work := slices.Clone(f.fn.Blocks[p.Block].Succs); len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		if seen[at] = true; at == to {
			return true
		}
		work = append(work, at.Succs...)
	}
	return false
}

// Dominates reports whether p, another point than q, runs before q on every
// path on which q runs.
func (f *Flow) Dominates(p, q Point) bool {
	switch {
	case f == nil || p == q || p.Deferred:
		return false
	case p.Block == q.Block:
		return p.Index < q.Index
	}
	return f.fn.Blocks[p.Block].Dominates(f.fn.Blocks[q.Block])
}

// Between reports whether control can go from p over x to q.
func (f *Flow) Between(p, x, q Point) bool { return f.MayPrecede(p, x) && f.MayPrecede(x, q) }

// Before reports whether p runs before q on every path to q, branches on one
// value, or its opposite, taken to agree: what stands in "if !ok" comes before what
// stands behind "if ok { return }", or in "if first" after "first := !ok".
func (f *Flow) Before(p, q Point) bool {
	if f.Dominates(p, q) {
		return true
	}
	if f == nil || p.Deferred { // what is deferred runs after its statement
		return false
	}
	at, to := f.fn.Blocks[p.Block], f.fn.Blocks[q.Block]
	first, side := enters(at)
	if first == nil {
		return false
	}
	cond, not := Unnegated(first.Cond)
	for b := to.Idom(); b != nil && b != first.Block(); b = b.Idom() {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !first.Block().Dominates(b) {
			continue
		}
		same, no := Unnegated(br.Cond)
		if same != cond {
			continue
		}
		then := side
		if not != no {
			then = 1 - side
		}
		if s := b.Succs[then]; len(s.Preds) == 1 && s.Dominates(to) {
			return true
		}
	}
	return false
}

// enters returns the branch of which one side is a block, with the side; nil if
// there is none that tests a value which is new each time.
func enters(b *ssa.BasicBlock) (*ssa.If, int) {
	if len(b.Preds) != 1 {
		return nil, 0
	}
	from := b.Preds[0]
	br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return nil, 0
	}
	if def, ok := br.Cond.(ssa.Instruction); !ok || def.Block() != from {
		return nil, 0 // in a loop, it could be another value's branch
	}
	if from.Succs[0] == b {
		return br, 0
	}
	return br, 1
}

// Unnegated returns a condition without what negates it, and whether it is the opposite of that. To compare it with a truth value
// is to ask for it, or for its opposite.
func Unnegated(cond ssa.Value) (v ssa.Value, not bool) {
	for {
		switch c := cond.(type) {
		case *ssa.UnOp:
			if c.Op != token.NOT {
				return cond, not
			}
			cond, not = c.X, !not
		case *ssa.BinOp:
			asked, opposite := comparedTruth(c)
			if asked == nil {
				return cond, not
			}
			cond, not = asked, not != opposite
		default:
			return cond, not
		}
	}
}

// comparedTruth returns what is compared with a constant truth value, and whether the comparison says the opposite of it; nil if it is
// no such comparison.
func comparedTruth(c *ssa.BinOp) (v ssa.Value, opposite bool) {
	if c.Op != token.EQL && c.Op != token.NEQ {
		return nil, false
	}
	v, k := c.X, c.Y
	if _, ok := v.(*ssa.Const); ok {
		v, k = k, v
	}
	truth, ok := k.(*ssa.Const)
	if !ok || truth.Value == nil || truth.Value.Kind() != constant.Bool || !IsBool(v.Type()) {
		return nil, false
	}
	return v, constant.BoolVal(truth.Value) != (c.Op == token.EQL)
}

// DominatesEdge reports whether every path to block at takes the i-th edge out
// of b.
func DominatesEdge(b *ssa.BasicBlock, i int, at *ssa.BasicBlock) bool {
	return DominatesEdgeBut(b, i, at, func(*ssa.BasicBlock) bool { return false })
}

// DominatesEdgeBut is DominatesEdge where control does not leave the blocks that end the program.
func DominatesEdgeBut(b *ssa.BasicBlock, i int, at *ssa.BasicBlock, ends func(*ssa.BasicBlock) bool) bool {
	to := b.Succs[i]
	if b.Succs[1-i] == to || !to.Dominates(at) {
		return false
	}
	for _, p := range to.Preds {
		if p != b && !to.Dominates(p) && !ends(p) {
			return false // more than the way back of a loop that begins here
		}
	}
	return true
}

// FoundNil reports whether each path to a block has found a value to be nil, or not to be.
func FoundNil(v ssa.Value, isNil bool, at *ssa.BasicBlock) bool {
	refs := v.Referrers()
	return refs != nil && slices.ContainsFunc(*refs, func(r ssa.Instruction) bool {
		test, ok := r.(*ssa.BinOp)
		if !ok || test.Op != token.EQL && test.Op != token.NEQ || !IsNil(test.X) && !IsNil(test.Y) {
			return false
		}
		side := 0
		if (test.Op == token.EQL) != isNil {
			side = 1
		}
		return slices.ContainsFunc(*test.Referrers(), func(r ssa.Instruction) bool {
			br, ok := r.(*ssa.If)
			return ok && DominatesEdge(br.Block(), side, at)
		})
	})
}

// Always reports whether control comes to one instruction on each way from another one to the function's end.
func Always(from, to ssa.Instruction) bool {
	if from.Block() == to.Block() {
		return Before(from, to)
	}
	seen := map[*ssa.BasicBlock]bool{to.Block(): true}
	for work := []*ssa.BasicBlock{from.Block()}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if len(b.Succs) == 0 {
			return false
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return true
}
