package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An object that only one package-level variable knows, and of which the package never passes on more than the values of some
// fields, has a map that can be reached by that variable's name alone: what is done to a map by any other name, though it is
// the same field of an object of the same type, is done to another one.

// nameless reports whether the map at the first path has no name but that, while the second begins somewhere else.
func (p *Package) nameless(sole, other accesspath.Path) bool {
	return other.Known() && other.Root().Kind != accesspath.Place && p.soleName(sole)
}

// soleName reports whether a path leads from a package-level variable to a map that the package reaches by this path alone.
func (p *Package) soleName(path accesspath.Path) bool {
	v, ok := path.Root().Obj.(*types.Var)
	if !ok || path.Root().Kind != accesspath.Global || v.Exported() || v.Pkg() != p.Types {
		return false
	}
	sole, known := p.solely[path]
	if !known {
		steps := fieldsWithin(path)
		sole = len(steps) > 0 && !slices.ContainsFunc(p.mentionsOf(v), func(r ssa.Instruction) bool { return !keepsVariable(r, v, steps) })
		if p.solely == nil {
			p.solely = make(map[accesspath.Path]bool)
		}
		p.solely[path] = sole
	}
	return sole
}

// fieldsWithin returns the fields by which a path leads to a map within the object that it starts at, nil if it leaves that.
func fieldsWithin(path accesspath.Path) (steps []*types.Var) {
	for at := path; at.Depth() > 0; at = at.Parent() {
		field := at.LastField()
		if field == nil || at != path && !at.Within() {
			return nil
		}
		steps = append(steps, field.Origin())
	}
	slices.Reverse(steps)
	return steps
}

// mentionsOf returns the instructions of the package that name a package-level variable.
func (p *Package) mentionsOf(v *types.Var) []ssa.Instruction {
	if p.mentioned == nil {
		p.mentioned = make(map[*types.Var][]ssa.Instruction)
		for _, f := range p.Funcs {
			for _, b := range f.SSA.Blocks {
				for _, instr := range b.Instrs {
					for _, op := range instr.Operands(nil) {
						if named, ok := globalVar(*op); ok {
							p.mentioned[named] = append(p.mentioned[named], instr)
						}
					}
				}
			}
		}
	}
	return p.mentioned[v]
}

// keepsVariable reports whether an instruction that names a variable gives the map at some fields of its object no other name:
// the variable may be a struct, or point to one that was made for it.
func keepsVariable(instr ssa.Instruction, v *types.Var, steps []*types.Var) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.FieldAddr:
		return keepsPart(instr, steps)
	case *ssa.UnOp:
		return keepsObject(instr, nil, steps)
	case *ssa.Store:
		if to, ok := globalVar(instr.Addr); !ok || to != v {
			return false
		}
		made, ok := instr.Val.(*ssa.Alloc)
		return zero(instr.Val) || ok && keepsObject(made, instr, steps)
	}
	return false
}

// keepsObject is keepsVariable for what is done with the address of a struct, which may be put into one place. A struct that is
// read, or set, as a whole has the maps of another one.
func keepsObject(addr ssa.Value, place *ssa.Store, steps []*types.Var) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
			return false
		case *ssa.FieldAddr:
			return !keepsPart(r, steps)
		case *ssa.Store:
			return r != place && (r.Addr != addr || !zero(r.Val))
		}
		return true
	})
}

// keepsPart is keepsObject for what is done with a field of the struct: it may be the first one on the way to the map.
func keepsPart(part *ssa.FieldAddr, steps []*types.Var) bool {
	switch {
	case ssautil.FieldOf(part) != steps[0].Origin():
		return true
	case len(steps) > 1:
		return keepsObject(part, nil, steps[1:])
	}
	return !slices.ContainsFunc(*part.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return !ssautil.UsedInPlace(r)
		case *ssa.Store:
			made, ok := r.Val.(*ssa.MakeMap)
			return r.Addr != part || !newMap(r.Val) && !(ok && ssautil.KeptIn(made, r))
		}
		return true
	})
}
