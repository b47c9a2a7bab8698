package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An enclosure is a field by which an object leads to another one from the beginning, as that of a transaction to the one
// that it embeds.
type enclosure struct {
	outer, inner *types.Named
	field        *types.Var
}

// putAboutTypes returns the types of which the package puts objects where others find them, or gives them to goroutines. To
// make an object around another one is not yet that: the inner one goes where the outer one does. It returns those
// enclosures, too. Complexity: linear in the package, times the types that are made around others.
func (p *Package) putAboutTypes() (put map[*types.Named]bool, around []enclosure) {
	put = make(map[*types.Named]bool)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				outer, field := p.madeAround(instr)
				for _, v := range putAbout(instr) {
					e := enclosure{outer, bearerOf(v), field}
					if outer == nil {
						put[e.inner] = true
					} else if !slices.Contains(around, e) {
						around = append(around, e)
					}
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, e := range around {
			if put[e.outer] && !put[e.inner] {
				put[e.inner], changed = true, true
			}
		}
	}
	return put, around
}

// madeAround returns the struct of this package of which an instruction makes an object that leads to another one, by a
// pointer, with the field; nil if it does something else.
func (p *Package) madeAround(instr ssa.Instruction) (*types.Named, *types.Var) {
	st, ok := instr.(*ssa.Store)
	if !ok || !isPointer(st.Val.Type()) {
		return nil, nil
	}
	at, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	made, ok := at.X.(*ssa.Alloc)
	if !ok || isPointer(ssautil.Pointee(made.Type())) {
		return nil, nil
	}
	n := namedStruct(made.Type())
	if n == nil || n.Obj().Pkg() != p.Types {
		return nil, nil
	}
	return n, n.Underlying().(*types.Struct).Field(at.Field).Origin()
}

// ledTo returns the paths by which an object that a function gets leads to an object of a handover: its own if it is
// one, and those of the fields that enclose one.
func (p *Package) ledTo(h *handover, object accesspath.Path, t types.Type) (out []accesspath.Path) {
	n := namedStruct(t)
	if n == h.owner {
		out = append(out, object)
	}
	for _, e := range h.around {
		if n != nil && e.outer == n && e.inner == h.owner {
			out = append(out, p.Paths.Field(object, e.field))
		}
	}
	return out
}
