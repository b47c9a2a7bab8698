package ssautil

import "go/types"

// Exposed returns the types, of packages in scope, to which exported names of some packages lead: by results, parameters,
// and fields and methods that are exported. Code that imports the packages can get values of them.
func Exposed(pkgs []*types.Package, inScope func(path string) bool) map[*types.TypeName]bool {
	x := &exposure{inScope: inScope, out: make(map[*types.TypeName]bool)}
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
	out     map[*types.TypeName]bool
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
	if x.out[obj] || obj.Pkg() == nil || !x.inScope(obj.Pkg().Path()) {
		return
	}
	x.out[obj] = true
	for m := range t.Origin().Methods() {
		if m.Exported() {
			x.typ(m.Type())
		}
	}
	x.typ(t.Origin().Underlying())
}
