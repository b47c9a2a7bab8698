package depend

import (
	"go/constant"
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// When returns the condition on a parameter under which instr runs, the
// innermost one: that a truth value is true, or a reference is not nil, or a text or a
// number equal to a constant, or the opposite. A caller that passes something else never gets there.
func (f *Func) When(instr ssa.Instruction) access.When {
	for cond, onTrue := range f.decided(instr) {
		v, is, equal := comparedWith(cond)
		p, _ := v.(*ssa.Parameter)
		if p == nil {
			var s Sense
			if p, s = f.conditionOnParam(cond, 0); s == NoSense {
				continue
			}
			is, equal = "", s == TrueIfPresent
		}
		if i := slices.Index(f.Fn.Params, p); i >= 0 {
			return access.When{Param: i + 1, Set: equal == onTrue, Is: is}
		}
	}
	return access.When{}
}

// decided goes over the conditions that are decided where instr runs, and how, the innermost first.
func (f *Func) decided(instr ssa.Instruction) iter.Seq2[ssa.Value, bool] {
	return func(yield func(ssa.Value, bool) bool) {
		at := instr.Block()
		for b := at.Idom(); b != nil; b = b.Idom() {
			br := f.branch(b.Index)
			if br == nil || b.Succs[0] == b.Succs[1] {
				continue
			}
			onTrue, onFalse := ssautil.DominatesEdge(b, 0, at), ssautil.DominatesEdge(b, 1, at)
			if onTrue != onFalse && !yield(br.Cond, onTrue) {
				return
			}
		}
	}
}

// Equals reports whether v can be equal to a constant, or differ from it, as asked, at an instruction: a
// comparison on the way tells that it cannot.
func (f *Func) Equals(v ssa.Value, is string, equal bool, at ssa.Instruction) bool {
	for cond, onTrue := range f.decided(at) {
		if x, k, same := comparedWith(cond); x != nil && x == v && k == is {
			return (same == onTrue) == equal
		}
	}
	return true
}

// comparedWith takes a condition apart that compares a value with a text or a number; nil
// if it is another one.
func comparedWith(cond ssa.Value) (v ssa.Value, is string, equal bool) {
	c, ok := cond.(*ssa.BinOp)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ {
		return nil, "", false
	}
	x, y := c.X, c.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	k, ok := y.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() == constant.Bool {
		return nil, "", false
	}
	return x, k.Value.ExactString(), c.Op == token.EQL
}

// conditionOnParam takes a condition apart that asks for a parameter alone.
func (f *Func) conditionOnParam(cond ssa.Value, depth int) (*ssa.Parameter, Sense) {
	switch c := cond.(type) {
	case *ssa.Parameter:
		return c, TrueIfPresent
	case *ssa.UnOp:
		if c.Op == token.NOT && depth < maxConds {
			p, s := f.conditionOnParam(c.X, depth+1)
			return p, s.Not()
		}
	case *ssa.BinOp:
		x := c.X
		if _, ok := x.(*ssa.Const); ok {
			x = c.Y
		}
		if p, ok := x.(*ssa.Parameter); ok {
			return p, f.senseOfComparison(map[ssa.Value]Sense{p: TrueIfPresent}, c, depth)
		}
	}
	return nil, NoSense
}

// wrapped returns the error around which a call gives another one, and nil where that is nil; nil if v is no such call.
func wrapped(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if fn, args := ssautil.Callee(&c.Call); len(args) > 0 && model.WrapsError(fn) {
		return args[0]
	}
	return nil
}

// Meets reports whether v can be set, or not, as asked, at an instruction: a
// constant, a new object, or a value that was tested on the way tells that it
// cannot.
func (f *Func) Meets(v ssa.Value, set bool, at ssa.Instruction) bool {
	if c, ok := v.(*ssa.Const); ok {
		return ssautil.IsZeroConst(c) != set
	}
	if NonNil(v) {
		return set
	}
	if inner := wrapped(v); inner != nil {
		return f.Meets(inner, set, at)
	}
	switch f.polarityAt(map[ssa.Value]Sense{ssautil.Unwrap(v): TrueIfPresent}, at) {
	case Present:
		return set
	case Absent:
		return !set
	}
	return true
}
