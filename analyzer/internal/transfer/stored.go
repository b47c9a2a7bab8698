package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// stored classifies a value that is put into a map.
func (a *analysis) stored(v ssa.Value) access.Stored {
	v = ssautil.Unwrap(v)
	if ssautil.IsNil(v) || pure(v.Type(), 0) {
		if !ssautil.IsNil(v) && a.volatile(v) {
			return access.StoredFresh
		}
		return access.StoredPure
	}
	switch a.Paths.Of(v).Root().Kind {
	case accesspath.Param, accesspath.Global:
		return access.StoredShared
	}
	if _, ok := v.(*ssa.Function); ok {
		return access.StoredShared
	}
	return access.StoredIdentity
}

// pure reports whether values of type t have no identity: whoever made them,
// equal ones serve alike.
func pure(t types.Type, depth int) bool {
	if depth > 4 {
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
