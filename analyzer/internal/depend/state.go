package depend

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Stateful reports whether it shows that two values of type t which are made
// alike can come to differ: one is changed, locked or ended, and the other is
// not. A type of the package at hand, a map, a channel and a value of any type may.
// One of another package shows it by a lock or a channel in itself, or by a method
// that ends it, or one of its parts. What its pointers lead to may be shared, and what
// else its methods do shows nothing: the client of a service has settings, and is as
// good as the next one.
func Stateful(t types.Type, pkg *types.Package) bool { return stateful(t, pkg, 0) }

func stateful(t types.Type, pkg *types.Package, depth int) bool {
	if depth > maxNesting || model.Immutable(t) {
		return false
	}
	n, named := types.Unalias(ownType(t)).(*types.Named)
	if named && n.Obj().Pkg() == pkg || role.Closable(t) || role.Ends(t, pkg) {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Map, *types.Chan, *types.TypeParam:
		return true
	case *types.Interface:
		return u.NumMethods() == 0
	case *types.Pointer:
		_, st := u.Elem().Underlying().(*types.Struct)
		return !st || stateful(u.Elem(), pkg, depth+1)
	case *types.Slice:
		return stateful(u.Elem(), pkg, depth+1)
	case *types.Array:
		return stateful(u.Elem(), pkg, depth+1)
	case *types.Struct:
		return model.HoldsLock(t) || statefulParts(u, pkg, depth+1)
	}
	return false
}

// statefulParts is stateful for the fields of a struct. Maps, functions and
// values of any type in it are part of what was computed, and what pointers lead to
// may be another's.
func statefulParts(st *types.Struct, pkg *types.Package, depth int) bool {
	for i := range st.NumFields() {
		t := st.Field(i).Type()
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Map, *types.Signature, *types.TypeParam, *types.Pointer:
			continue
		case *types.Interface:
			if u.NumMethods() == 0 {
				continue
			}
		}
		if stateful(t, pkg, depth) {
			return true
		}
	}
	return false
}

// fromElsewhere reports whether a value is what a function of another package,
// or one that is not known, has given: whether it was made then does not show.
func (f *Func) fromElsewhere(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	c, ok := v.(*ssa.Call)
	if !ok || f.Fn.Pkg == nil {
		return false
	}
	fn, _ := ssautil.Callee(&c.Call)
	return fn == nil || fn.Pkg() != f.Fn.Pkg.Pkg
}

// kept reports whether a value is what a function of another package, or one that
// is not known, keeps under a name: two goroutines that ask get one object.
func (f *Func) kept(v ssa.Value) bool {
	if as, ok := v.(*ssa.TypeAssert); ok {
		v = as.X
	}
	if !f.fromElsewhere(v) {
		return false
	}
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	fn, _ := ssautil.Callee(&v.(*ssa.Call).Call)
	return fn != nil && role.Named(fn).Has(role.Keeper)
}

// settledPart reports whether a value is read from fields of the receiver which
// nothing in the package changes once it is made: two goroutines that read it get one
// object.
func (f *Func) settledPart(v ssa.Value) bool {
	fields := 0
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.FieldAddr:
			fld := ssautil.FieldOf(x)
			if fld == nil || f.Fn.Pkg == nil || fld.Pkg() != f.Fn.Pkg.Pkg || f.Changes.fields[fld] {
				return false
			}
			fields++
			v = x.X
		case *ssa.Parameter:
			return fields > 0 && isReceiver(x) && f.common(x)
		default:
			return false
		}
	}
}

// ownType returns what a pointer leads to, or the type itself.
func ownType(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
