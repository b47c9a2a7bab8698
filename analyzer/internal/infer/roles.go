package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// ReadRoles returns what documentation, names and signatures say of functions.
func ReadRoles(docs *role.Index) func(*ssa.Function) role.Roles {
	var of func(*ssa.Function) role.Roles
	of = func(fn *ssa.Function) role.Roles {
		if obj, ok := fn.Object().(*types.Func); ok {
			return docs.Of(obj)
		}
		var outer role.Roles
		if fn.Parent() != nil {
			outer = of(fn.Parent())
		}
		var in *types.Package
		if fn.Pkg != nil {
			in = fn.Pkg.Pkg
		}
		return role.OfLiteral(fn.Signature, in, outer)
	}
	return of
}

// Is reports whether the function has a role.
func (f *Func) Is(r role.Roles) bool { return f.Roles.Has(r) }
