package ssautil

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxAsked bounds the conditions on the way to a block that are compared.
const maxAsked = 24

// A Stays reports whether a variable or field keeps the value that is asked at the end of a block.
type Stays func(v *types.Var, at *ssa.BasicBlock) bool

// Alternatives reports whether conditions on the ways to two blocks of one function contradict each other, which
// ask a variable, or a field, that keeps its value: an activation comes to one of both at most. Complexity: the
// square of the conditions on the way, which are bounded.
func Alternatives(a, b *ssa.BasicBlock, stays Stays) bool {
	others := passed(b)
	for _, x := range passed(a) {
		for _, y := range others {
			kept := func(v *types.Var) bool { return v != nil && stays(v, x.block) && stays(v, y.block) }
			if alikeLoad(x.of.x, y.of.x, kept) && contradict([]asked{x.asked, y.asked}) {
				return true
			}
		}
	}
	return false
}

// A passing is what a condition asks that control has passed, and what it was.
type passing struct {
	asked
	of compared
}

// passed returns the conditions on all ways to a block that compare with a constant.
func passed(b *ssa.BasicBlock) (out []passing) {
	for d := b.Idom(); d != nil && len(out) < maxAsked; d = d.Idom() {
		side, ok := taken(d, b)
		last, branches := lastOf(d).(*ssa.If)
		if !ok || !branches {
			continue
		}
		if of, a, ok := question(last.Cond); ok && a.with != nil {
			a.block = d
			out = append(out, passing{a.on(side), of})
		}
	}
	return out
}

// alikeLoad reports whether two values are read from one variable or field, which keeps its value.
func alikeLoad(x, y ssa.Value, kept func(*types.Var) bool) bool {
	a, ok := x.(*ssa.UnOp)
	b, too := y.(*ssa.UnOp)
	if !ok || !too || a.Op != token.MUL || b.Op != token.MUL {
		return false
	}
	if cell, local := a.X.(*ssa.Alloc); local {
		return a.X == b.X && SoleStore(cell) != nil && !Again(cell.Block(), nil)
	}
	return kept(Variable(a.X)) && alikeAddr(a.X, b.X, kept)
}

// alikeAddr reports whether two values are one address, or lead to it by the same fields. What a loop gives may be
// another object in each round.
func alikeAddr(x, y ssa.Value, kept func(*types.Var) bool) bool {
	if x == y {
		at, given := x.(ssa.Instruction)
		return !given || !Again(at.Block(), nil)
	}
	a, ok := x.(*ssa.FieldAddr)
	b, too := y.(*ssa.FieldAddr)
	if !ok || !too {
		return alikeLoad(x, y, kept)
	}
	return a.Field == b.Field && types.Identical(a.X.Type(), b.X.Type()) && alikeAddr(a.X, b.X, kept)
}

// FieldOf returns the field whose address is taken, of the generic type where it has one; nil if the type
// is no struct.
func FieldOf(addr *ssa.FieldAddr) *types.Var {
	st, ok := Pointee(addr.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return st.Field(addr.Field).Origin()
}

// Variable returns the package-level variable or the field whose address a value is, nil if it is another's.
func Variable(addr ssa.Value) *types.Var {
	switch a := addr.(type) {
	case *ssa.Global:
		v, _ := a.Object().(*types.Var)
		return v
	case *ssa.FieldAddr:
		return FieldOf(a)
	}
	return nil
}
