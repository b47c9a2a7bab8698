package records

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// Exposed returns the methods that other modules can call on what exported names
// of these packages lead to: a package that they cannot import may declare the
// type.
func Exposed(pkgs []*types.Package, inScope func(path string) bool) map[outside.Name]bool {
	x := &exposure{inScope: inScope, seen: make(map[*types.TypeName]bool), out: make(map[outside.Name]bool)}
	for _, pkg := range pkgs {
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			if obj := scope.Lookup(name); obj.Exported() {
				x.typ(obj.Type())
			}
		}
	}
	return x.out
}

type exposure struct {
	inScope func(path string) bool
	seen    map[*types.TypeName]bool
	out     map[outside.Name]bool
}

// typ follows a type. Only named types lead back to themselves, and these are
// followed once.
func (x *exposure) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Map:
		x.typ(t.Key())
		x.typ(t.Elem())
	case interface{ Elem() types.Type }:
		x.typ(t.Elem())
	case *types.Signature:
		x.tuple(t.Params())
		x.tuple(t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				x.typ(v.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			x.typ(m.Type())
		}
	case *types.Named:
		x.named(t)
	}
}

func (x *exposure) tuple(t *types.Tuple) {
	for v := range t.Variables() {
		x.typ(v.Type())
	}
}

func (x *exposure) named(t *types.Named) {
	for arg := range t.TypeArgs().Types() {
		x.typ(arg)
	}
	obj := t.Origin().Obj()
	if x.seen[obj] || obj.Pkg() == nil || !x.inScope(obj.Pkg().Path()) {
		return
	}
	x.seen[obj] = true
	for m := range t.Origin().Methods() {
		if m.Exported() {
			x.out[outside.NameOf(m)] = true
			x.typ(m.Type())
		}
	}
	x.typ(t.Origin().Underlying())
}
