package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Single reports whether a field is one of a struct type of which the program has one object:
// no other package can name the type, and this one makes it once, while it is initialised. Two
// names of such an object are one. Complexity: linear in the package, once.
func (p *Package) Single(field *types.Var) bool {
	if p.singles == nil {
		p.singles = p.findSingles()
	}
	return p.singles[field.Origin()]
}

func (p *Package) findSingles() map[*types.Var]bool {
	made := make(map[*types.TypeName]int)
	for _, m := range p.ssaPkg.Members {
		if g, ok := m.(*ssa.Global); ok {
			made[p.private(ssautil.Pointee(g.Type()))]++
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				p.makes(instr, isInit(f.SSA), made)
			}
		}
	}
	out := make(map[*types.Var]bool)
	for _, n := range p.concrete() {
		st, ok := n.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			made[p.private(f.Type())] += many // an object of its own in each
		}
	}
	for _, n := range p.concrete() {
		if st, ok := n.Underlying().(*types.Struct); ok && p.private(n) != nil && made[n.Obj()] == 1 {
			for f := range st.Fields() {
				out[f] = true
			}
		}
	}
	return out
}

// many is more than one object.
const many = 2

// makes counts what an instruction makes of the package's types; what stands behind the
// initialisation may run several times.
func (p *Package) makes(instr ssa.Instruction, initial bool, made map[*types.TypeName]int) {
	n := many
	if initial {
		n = 1
	}
	switch instr := instr.(type) {
	case *ssa.Alloc:
		made[p.private(ssautil.Pointee(instr.Type()))] += n
	case *ssa.MakeSlice:
		made[p.private(instr.Type().Underlying().(*types.Slice).Elem())] += many
	case *ssa.MakeMap:
		made[p.private(instr.Type().Underlying().(*types.Map).Elem())] += many
	}
}

// private returns the name of a struct type that no other package can name, nil of any other.
func (p *Package) private(t types.Type) *types.TypeName {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != p.Types || n.Obj().Exported() && p.Types.Name() != "main" || n.TypeParams().Len() > 0 {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n.Obj()
}
