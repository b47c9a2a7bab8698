package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Makes reports whether a value is an object that is made where it stands: there, or by
// the function that gives it, which keeps no other way to it, nor to a part.
func (p *Package) Makes(v ssa.Value) bool {
	switch val := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
		return true
	case *ssa.Call:
		fn, _ := ssautil.Callee(&val.Call)
		if fn == nil || val.Call.IsInvoke() {
			return false
		}
		sum := p.Summary(fn.Origin())
		if sum == nil {
			return false
		}
		fate := sum.Own.Result(0)
		return fate.Own == ownership.Owned && fate.At.None()
	}
	return false
}

// Constant reports whether a type is a pointer to a struct of the package of which nothing shows that it changes once it is made.
func (p *Package) Constant(t types.Type) bool { return p.env.Changes.Constant(t) }

// Unmarked reports whether nothing in the package shows that it matters which of two objects of a pointer's type one has.
func (p *Package) Unmarked(t types.Type) bool { return p.env.Changes.Unmarked(t) }

// Opaque reports whether a type is an interface that no type of the package has which nothing shows to be constant: what its
// values hold is not this package's.
func (p *Package) Opaque(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if _, param := types.Unalias(t).(*types.TypeParam); !ok || param || iface.NumMethods() == 0 {
		return false
	}
	return !slices.ContainsFunc(p.implementing(iface), func(n *types.Named) bool { return !p.Constant(types.NewPointer(n)) })
}
