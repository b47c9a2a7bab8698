package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Alternatives reports whether a function comes to one of two blocks at most in each of its activations, by
// conditions that ask what keeps its value: the package changes it where the object is made, or the function
// itself does so before. What other packages change is not known.
func (p *Package) Alternatives(f *Func, a, b *ssa.BasicBlock) bool {
	return ssautil.Alternatives(a, b, func(v *types.Var, at *ssa.BasicBlock) bool {
		return !slices.ContainsFunc(p.stores()[v.Origin()], func(st *ssa.Store) bool {
			if st.Parent() == f.SSA {
				if p.Paths.Of(st.Addr).Root().Kind != accesspath.Value {
					return true // the next time that the function runs, it may be another one
				}
				asked := ssautil.Point{Block: int32(at.Index), Index: int32(len(at.Instrs) - 1)}
				return f.Flow.MayPrecede(asked, ssautil.Point{Block: int32(st.Block().Index)})
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			return !ok || !ssautil.Allocates(fa.X) || p.shownBefore(fa.X, st)
		})
	})
}

// stores returns where the package changes each variable and field that is read in a condition.
func (p *Package) stores() map[*types.Var][]*ssa.Store {
	if p.storesTo != nil {
		return p.storesTo
	}
	p.storesTo = make(map[*types.Var][]*ssa.Store)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if st, ok := instr.(*ssa.Store); ok {
					p.noteStore(st)
				}
			}
		}
	}
	return p.storesTo
}

// noteStore notes a store to a variable or field, or to all fields of a struct.
func (p *Package) noteStore(st *ssa.Store) {
	if v := ssautil.Variable(st.Addr); v != nil {
		p.storesTo[v.Origin()] = append(p.storesTo[v.Origin()], st)
	}
	whole, ok := ssautil.Pointee(st.Addr.Type()).Underlying().(*types.Struct)
	if !ok || ssautil.Allocates(st.Addr) {
		return
	}
	for field := range whole.Fields() {
		p.storesTo[field.Origin()] = append(p.storesTo[field.Origin()], st)
	}
}

// shownBefore reports whether a new object goes somewhere before a store to one of its fields.
func (p *Package) shownBefore(object ssa.Value, st *ssa.Store) bool {
	in := p.Lookup(accesspath.FuncKey(st.Parent()))
	if in == nil {
		return true
	}
	return slices.ContainsFunc(*object.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			return false
		case *ssa.Store:
			if r.Addr == object {
				return false
			}
		}
		return in.Flow.Reach().MayPrecede(r, st)
	})
}
