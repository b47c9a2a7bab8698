package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// emptied reports whether the act is decided by whether there is anything in what the
// entry holds: a length, there or in a callee, that is compared with zero.
func (f *Func) emptied(content *Slice, a *Act) bool {
	at := a.Instr.Block()
	return slices.ContainsFunc(f.Fn.Blocks, func(b *ssa.BasicBlock) bool {
		br := f.branch(b.Index)
		return br != nil && content.Has(br.Cond) && f.leads(b, at) && asksIfAny(br.Cond, content.Has, 0)
	})
}

// asksIfAny reports whether a truth value tells whether something has elements. The
// values that it is computed from count where they are of interest.
func asksIfAny(v ssa.Value, of func(ssa.Value) bool, depth int) bool {
	if depth > maxPredicates || !of(v) {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.NOT && asksIfAny(v.X, of, depth)
	case *ssa.BinOp:
		return ssautil.IsZero(v.Y) && measures(v.X) || ssautil.IsZero(v.X) && measures(v.Y)
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && ssautil.IsBool(v.Type()) && predicateAsksIfAny(fn, depth+1)
	}
	return false
}

// predicateAsksIfAny reports whether a function decides by lengths what it answers.
func predicateAsksIfAny(fn *ssa.Function, depth int) bool {
	all := func(ssa.Value) bool { return true }
	asks := func(b *ssa.BasicBlock) bool {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && asksIfAny(br.Cond, all, depth)
	}
	answers := func(r *ssa.Return) bool { return asksIfAny(ssautil.ResultAt(r, 0), all, depth) }
	return slices.ContainsFunc(fn.Blocks, asks) || slices.ContainsFunc(Returns(fn), answers)
}

// measures reports whether a value is the length of something that has elements. A
// string is a value of its own: nothing is put into it.
func measures(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok || !isLength(v, 0) {
		return false
	}
	return len(c.Call.Args) == 0 || !isString(c.Call.Args[0].Type())
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
