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

// pure reports whether values of type t have no identity: equal ones cannot
// be told apart, whoever made them.
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
			if !pure(u.Field(i).Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
