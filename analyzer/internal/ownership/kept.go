package ownership

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// publishLiteral lets others have a function literal: of the objects that it captures they reach
// what it, and what it runs, touches, and all of those that it hands on itself. It reports false
// where that is not known, or the literal gives back what may lead to them.
func (r *Result) publishLiteral(s *State, made *ssa.MakeClosure) bool {
	fn, ok := made.Fn.(*ssa.Function)
	if !ok || r.Literal == nil {
		return false
	}
	key := accesspath.FuncKey(fn)
	sum := r.Literal(key)
	if sum == nil {
		return false
	}
	f := r.Reached(key).Union(r.given(fn, made))
	if f.All {
		return false
	}
	for _, b := range made.Bindings {
		if r.handsOn(sum, b) {
			r.publishPath(s, r.Paths.Of(b))
		} else {
			r.publishPathAt(s, r.Paths.Of(b), f)
		}
	}
	s.set(r.nameOf(made), Shared)
	return true
}

// handsOn reports whether a literal lets others know an object that it captures.
func (r *Result) handsOn(sum *Func, bound ssa.Value) bool {
	i := slices.Index(sum.Captured, r.Paths.Root(r.Paths.Of(bound).Root()))
	if i < 0 || sum.Params()+i >= len(sum.Inputs) {
		return true
	}
	in := sum.Inputs[sum.Params()+i]
	return in.Own == Shared || in.At.All
}

// given returns the fields of what a literal gives back: all of them if that may lead to what it
// captures.
func (r *Result) given(fn *ssa.Function, made *ssa.MakeClosure) Fields {
	var names []string
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			v = ssautil.Unwrap(v)
			if ssautil.IsNil(v) || !r.carries(v.Type()) {
				continue
			}
			st, ok := ssautil.Pointee(v.Type()).Underlying().(*types.Struct)
			if !ok || capturesLike(made, v.Type()) {
				return AllFields
			}
			for f := range st.Fields() {
				if holder(f.Type()) {
					names = append(names, FieldName(f.Origin()))
				}
			}
		}
	}
	return FieldsOf(names)
}

// capturesLike reports whether a literal captures an object of a type, or a variable of one.
func capturesLike(made *ssa.MakeClosure, t types.Type) bool {
	return slices.ContainsFunc(made.Bindings, func(b ssa.Value) bool {
		of := ssautil.Pointee(b.Type())
		return types.Identical(of, ssautil.Pointee(t)) || types.Identical(ssautil.Pointee(of), ssautil.Pointee(t))
	})
}
