package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// stored classifies a value that is put into a map.
func (a *analysis) stored(v ssa.Value) access.Stored {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
			continue
		case *ssa.ChangeInterface:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		}
		break
	}
	if isNil(v) || pure(v.Type(), 0) {
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
// equal ones serve alike. A struct is a copy; it has an identity only through
// a channel, function, lock or interface that it holds.
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

// pureField is pure for the parts of a struct: a map or pointer in it is part
// of what was computed, unless it leads to something that lives.
func pureField(t types.Type, depth int) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return model.Immutable(t) || !model.HoldsLock(u.Elem()) && pure(u.Elem(), depth+1)
	case *types.Map:
		return pureField(u.Elem(), depth+1)
	case *types.Slice:
		return pureField(u.Elem(), depth+1)
	}
	return pure(t, depth)
}
