package depend

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Stored classifies a value that is put into a map.
func (f *Func) Stored(v ssa.Value) access.Stored {
	v = ssautil.Unwrap(v)
	if ssautil.IsNil(v) || Pure(v.Type()) || f.Immutable(v.Type()) {
		if !ssautil.IsNil(v) && f.VolatileValue(v) {
			return access.StoredFresh
		}
		return access.StoredPure
	}
	switch f.Paths.Of(v).Root().Kind {
	case accesspath.Param, accesspath.Global:
		return access.StoredShared
	}
	if _, ok := v.(*ssa.Function); ok {
		return access.StoredShared
	}
	if f.fromElsewhere(v) && !Stateful(v.Type(), f.Fn.Pkg.Pkg) {
		return access.StoredAlike
	}
	return access.StoredIdentity
}

// maxNesting bounds how deep a type is looked into.
const maxNesting = 4

// Pure reports whether values of type t have no identity: whichever goroutine
// made them, equal ones serve alike.
func Pure(t types.Type) bool { return pure(t, 0) }

func pure(t types.Type, depth int) bool {
	if depth > maxNesting {
		return false
	}
	if model.Immutable(t) {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return pure(u.Elem(), depth+1)
	case *types.Slice:
		return pure(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if !pureField(u.Field(i).Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// pureField is pure for the parts of a struct. A struct is a copy: maps,
// pointers and functions in it are part of what was computed. It has an
// identity only through a channel, an interface or a lock that it leads to.
func pureField(t types.Type, depth int) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return !model.HoldsLock(u.Elem())
	case *types.Map, *types.Slice, *types.Signature:
		return true
	case *types.Interface:
		return types.Implements(t, errorType)
	}
	return pure(t, depth)
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// Eager reports whether v, made here, is a resource that must be closed and
// that nothing here closes.
func Eager(v ssa.Value) bool {
	v = ssautil.Unwrap(v)
	if !madeHere(v) || !role.Closable(v.Type()) {
		return false
	}
	for _, r := range *v.Referrers() {
		if c, ok := r.(ssa.CallInstruction); ok {
			if fn, args := ssautil.Callee(c.Common()); fn != nil && len(args) > 0 && args[0] == v && role.Named(fn).Has(role.Closer) {
				return false
			}
		}
	}
	return true
}

func madeHere(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		_, call := v.Tuple.(*ssa.Call)
		return call
	case *ssa.Call, *ssa.Alloc:
		return true
	}
	return false
}
