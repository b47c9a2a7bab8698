package ssautil

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Walk is a loop that comes to all elements of something, one in each round, unless it is left early: it counts them, up
// or down, or goes over a map.
type Walk struct {
	Loop
	// Key is the index or the key of the element of a round.
	Key ssa.Value
	// Count is the number of the rounds, nil where it goes over Map.
	Count, Map ssa.Value
	// From and To are the ends of the edge on which it has come to all.
	From, To *ssa.BasicBlock
}

// WalkAt returns the walk of which h is the head; false if none is. Complexity: the loop.
func WalkAt(h *ssa.BasicBlock) (Walk, bool) {
	w := Walk{Loop: LoopAt(h)}
	if len(w.In) == 0 {
		return w, false
	}
	if w.over(h) {
		return w, true
	}
	for _, from := range append([]*ssa.BasicBlock{h}, h.Preds...) {
		if w.In[from] && w.counts(from) {
			return w, true
		}
	}
	return w, false
}

// leaves reports whether a block goes on in the loop where its condition holds, and else ends it.
func (w *Walk) leaves(from *ssa.BasicBlock) (cond ssa.Value, ok bool) {
	br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || !w.In[from.Succs[0]] || w.In[from.Succs[1]] {
		return nil, false
	}
	w.From, w.To = from, from.Succs[1]
	return br.Cond, true
}

// over reports whether the loop goes over a map.
func (w *Walk) over(h *ssa.BasicBlock) bool {
	cond, ok := w.leaves(h)
	if !ok {
		return false
	}
	more, ok := cond.(*ssa.Extract)
	if !ok || more.Index != 0 {
		return false
	}
	next, ok := more.Tuple.(*ssa.Next)
	if !ok || next.IsString || next.Block() != h {
		return false
	}
	from, ok := next.Iter.(*ssa.Range)
	if !ok || !IsMap(from.X.Type()) {
		return false
	}
	w.Map, w.Key = from.X, next
	for _, part := range Extracts(next) {
		if part.(*ssa.Extract).Index == 1 {
			w.Key = part
		}
	}
	return true
}

// counts reports whether a block asks whether there is a next round of a loop that counts from 0 up to a number, or
// from it down to 0.
func (w *Walk) counts(from *ssa.BasicBlock) bool {
	cond, ok := w.leaves(from)
	if !ok {
		return false
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	x, next := cmp.X, false
	if op, isOp := x.(*ssa.BinOp); isOp {
		x, next = op.X, true // the next number is asked about
	}
	phi, ok := x.(*ssa.Phi)
	if !ok || phi.Block() != w.Head {
		return false
	}
	first, steps, ok := w.steps(phi)
	if !ok || next && steps != cmp.X {
		return false
	}
	switch step(steps, phi) {
	case token.ADD:
		w.Key, w.Count = phi, cmp.Y
		if next && IsInt(first, -1) {
			w.Key = steps
			return cmp.Op == token.LSS && from == w.Head // a range over a list
		}
		return cmp.Op == token.LSS && (next || from == w.Head) && IsZero(first)
	case token.SUB:
		w.Key = phi
		return cmp.Op == token.GEQ && IsZero(cmp.Y) && !next && from == w.Head && w.down(first)
	}
	return false
}

// steps returns what a counter begins with, and what it is in the next round: one more or less.
func (w *Walk) steps(phi *ssa.Phi) (first, next ssa.Value, ok bool) {
	for i, e := range phi.Edges {
		of := &first
		if w.In[phi.Block().Preds[i]] {
			of = &next
		}
		if *of != nil && *of != e {
			return nil, nil, false
		}
		*of = e
	}
	op, ok := next.(*ssa.BinOp)
	return first, next, ok && first != nil && IsInt(op.Y, 1)
}

// down notes the number of which what a counter begins with is one less.
func (w *Walk) down(first ssa.Value) bool {
	if n, ok := IntOf(first); ok {
		w.Count = ssa.NewConst(constant.MakeInt64(int64(n)+1), first.Type())
		return true
	}
	op, ok := first.(*ssa.BinOp)
	if !ok || op.Op != token.SUB || !IsInt(op.Y, 1) {
		return false
	}
	w.Count = op.X
	return true
}

// IsInt reports whether a value is the constant n.
func IsInt(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}

// maxParts bounds the steps from a list back to where it comes from.
const maxParts = 8

// Whole reports whether a list is all of what its variable or field holds, as far as a few steps back tell: no part of it was
// taken, and no call gives it, which could give a part.
func Whole(v ssa.Value) bool { return whole(v, maxParts) }

// Gathered reports whether a list is one that has been appended to, perhaps on some ways or in a loop.
func Gathered(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	if ok {
		return slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
			_, more := BuiltinCall(e, "append")
			return more
		})
	}
	_, ok = BuiltinCall(v, "append")
	return ok
}

func whole(v ssa.Value, steps int) bool {
	if steps == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Slice:
		return (v.Low == nil || IsZero(v.Low)) && v.High == nil && v.Max == nil && whole(v.X, steps-1)
	case *ssa.ChangeType:
		return whole(v.X, steps-1)
	case *ssa.UnOp:
		return whole(v.X, steps-1)
	case *ssa.FreeVar:
		bound := Binding(v)
		return bound != nil && whole(bound, steps-1)
	case *ssa.Alloc:
		if _, array := Pointee(v.Type()).Underlying().(*types.Array); array {
			return true
		}
		stored := SoleStore(v)
		return stored != nil && whole(stored, steps-1)
	case *ssa.Parameter, *ssa.Global, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.MakeSlice:
		return true
	}
	return false
}
