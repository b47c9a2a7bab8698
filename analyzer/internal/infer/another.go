package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Another reports whether two paths lead to the maps of two objects, whatever their roots are: to parts of one type that
// two structs hold by value. The package must not copy such a part as a whole, which would give two the same map. So do a path
// from a package-level variable to a map that has no other name, and any path that does not begin there.
func (p *Package) Another(a, b accesspath.Path) bool {
	if a == b || a.Location() != b.Location() {
		return false
	}
	if a.Root() != b.Root() && (p.nameless(a, b) || p.nameless(b, a)) {
		return true
	}
	return p.AnotherPart(a, b)
}

// AnotherPart is Another for the parts of structs alone.
func (p *Package) AnotherPart(a, b accesspath.Path) bool {
	x, y, ok := a.OtherWhole(b)
	return ok && !p.copied(x) && !p.copied(y)
}

// copied reports whether the package puts a whole struct into a field that holds one by value.
func (p *Package) copied(field *types.Var) bool {
	if p.wholes == nil {
		p.wholes = make(map[*types.Var]bool)
		for _, f := range p.Funcs {
			for _, b := range f.SSA.Blocks {
				for _, instr := range b.Instrs {
					if v := wholeOf(instr); v != nil {
						p.wholes[v.Origin()] = true
					}
				}
			}
		}
	}
	return p.wholes[field]
}

// wholeOf returns the field that an instruction sets to a struct of another place, nil if it sets none: what a literal lists
// has no other place.
func wholeOf(instr ssa.Instruction) *types.Var {
	st, ok := instr.(*ssa.Store)
	if !ok {
		return nil
	}
	addr, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || madeInPlace(st.Val) {
		return nil
	}
	if _, whole := st.Val.Type().Underlying().(*types.Struct); !whole {
		return nil
	}
	return ssautil.FieldOf(addr)
}

// madeInPlace reports whether a struct is the zero one, or was made where it stands, field by field.
func madeInPlace(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return zero(v)
	}
	made, ok := load.X.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Addr == made && !zero(st.Val)
	})
}

func zero(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}
