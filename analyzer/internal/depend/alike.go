package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxMakers bounds how many functions that make an object are looked into, one in the other.
const maxMakers = 3

// alike reports whether an object that is made twice in the way v is serves alike: what it
// consists of does, and nothing in the package changes it, or asks which of two it has.
func (f *Func) alike(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		return f.alikeEdges(v)
	case *ssa.UnOp: // a struct by value is a copy
		made, ok := v.X.(*ssa.Alloc)
		return ok && v.Op == token.MUL && f.alikeParts(made, v)
	case *ssa.Alloc:
		return f.constant(v.Type()) && f.alikeParts(v, nil)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && f.alikeResult(call, v.Index)
	case *ssa.Call:
		return f.alikeResult(v, 0)
	}
	return false
}

// asGood reports whether values that are made like v serve alike, or who makes such an object
// has the same one.
func (f *Func) asGood(v ssa.Value) bool {
	is := f.Stored(v)
	return is == access.StoredAlike || is == access.StoredPure || f.common(v)
}

// alikeEdges is alike for a value that depends on the way that control took.
func (f *Func) alikeEdges(v *ssa.Phi) bool {
	if f.phis[v] {
		return true // in a loop: what comes in decides
	}
	if f.phis == nil {
		f.phis = make(map[*ssa.Phi]bool)
	}
	f.phis[v] = true
	defer delete(f.phis, v)
	return !slices.ContainsFunc(v.Edges, func(x ssa.Value) bool { return !f.asGood(x) })
}

// constant reports whether t leads to a struct of the package that is not changed once it
// is made, and of which the package never asks whether two pointers are one.
func (f *Func) constant(t types.Type) bool {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok || f.Fn.Pkg == nil || n.Obj().Pkg() != f.Fn.Pkg.Pkg {
		return false
	}
	name := n.Origin().Obj()
	if st, ok := n.Underlying().(*types.Struct); ok && name.Exported() && exports(st) {
		return false // another package can change it
	}
	return !f.Changes.structs[name] && !f.Changes.compared[name] && !f.Changes.ended[name]
}

// exports reports whether a struct has a field that other packages can set.
func exports(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Exported() {
			return true
		}
	}
	return false
}

// alikeParts reports whether each field of a struct that could have an identity is given a
// value that is as good when made twice. The struct is read as a whole by copied alone, if
// that is given: else it is an object, and its fields are what it leads to. One of texts and
// numbers alone is as likely a token that stands for itself.
func (f *Func) alikeParts(made *ssa.Alloc, copied ssa.Instruction) bool {
	st, ok := types.Unalias(ssautil.Pointee(made.Type())).Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 || model.HoldsLock(st) || copied == nil && makesKnown(made, 0, make(map[ssa.Value]bool)) {
		return false
	}
	some := false
	for _, r := range *made.Referrers() {
		fld, field := r.(*ssa.FieldAddr)
		switch {
		case !field && copied != nil && r != copied:
			return false
		case !field:
			continue
		}
		of := st.Field(fld.Field).Type()
		if Pure(of) || copied != nil && pureField(of, 0) {
			continue
		}
		if !f.alikeField(fld) {
			return false
		}
		some = some || !f.leadsBack(fld)
	}
	return some || copied != nil
}

// leadsBack reports whether a field is set to the receiver alone: that tells nothing of the object.
func (f *Func) leadsBack(fld *ssa.FieldAddr) bool {
	vals := storedIn(fld)
	return len(vals) > 0 && !slices.ContainsFunc(vals, func(v ssa.Value) bool {
		_, given := ssautil.Settled(v).(*ssa.Parameter)
		return !given
	})
}

// alikeField reports whether a field of an object that is being made is set to what serves
// alike, and nothing else is done to it.
func (f *Func) alikeField(fld *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*fld.Referrers(), func(use ssa.Instruction) bool {
		if put, ok := use.(*ssa.Store); ok && put.Addr == ssa.Value(fld) {
			return !f.asGood(put.Val) && !f.ownPart(put.Val)
		}
		return !reads(use)
	})
}

// alikeResult is alike for what a function of the package makes, of arguments that serve
// alike themselves or that both goroutines have. One that calls itself makes of what it gives
// what the rest of it says.
func (f *Func) alikeResult(c *ssa.Call, i int) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg != f.Fn.Pkg {
		return false
	}
	for g := f; g != nil; g = g.caller {
		if g.Fn == fn {
			return true
		}
	}
	if f.depth >= maxMakers {
		return false
	}
	g := NewFunc(f.Env, fn, nil)
	g.depth, g.caller, g.kind = f.depth+1, f, f.kind
	g.commonParams = f.commonArgs(fn, c.Call.Args)
	made := false
	for _, r := range Returns(fn) {
		v := ssautil.Unwrap(ssautil.ResultAt(r, i))
		if ssautil.IsNil(v) {
			continue
		}
		if made = true; g.Stored(v) != access.StoredAlike && !g.common(v) {
			return false
		}
	}
	return made && !slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return f.Stored(x) == access.StoredIdentity })
}
