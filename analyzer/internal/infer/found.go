package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// foundIn reports whether the package may find objects in the map of a field, or code outside may: it does more with the map than to keep
// account, that is to put entries in, to delete them, to count them and to ask whether there is one. Complexity: linear in the package,
// for each field once.
func (p *Package) foundIn(field *types.Var) bool {
	if field == nil || !field.IsField() || field.Exported() || field.Pkg() != p.Types {
		return true
	}
	field = field.Origin()
	found, ok := p.found[field]
	if !ok {
		if p.found == nil {
			p.found = make(map[*types.Var]bool)
		}
		found = slices.ContainsFunc(p.Funcs, func(f *Func) bool {
			return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
				addr, ok := instr.(*ssa.FieldAddr)
				return ok && ssautil.FieldOf(addr).Origin() == field && slices.ContainsFunc(*addr.Referrers(), finds)
			})
		})
		p.found[field] = found
	}
	return found
}

// finds reports whether a use of a field with a map is more than to keep account in it.
func finds(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		_, made := use.Val.(*ssa.MakeMap)
		return !made && !ssautil.IsNil(use.Val)
	case *ssa.UnOp:
		return slices.ContainsFunc(*use.Referrers(), func(r ssa.Instruction) bool { return findsIn(use, r) })
	}
	return true
}

// findsIn reports whether a use of a map is more than to keep account in it.
func findsIn(m ssa.Value, use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
		return false
	case *ssa.MapUpdate:
		return use.Map != m
	case *ssa.Call:
		_, builtin := use.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.Lookup:
		return !use.CommaOk || slices.ContainsFunc(ssautil.Extracts(use), isFirst)
	}
	return true
}

func isFirst(x ssa.Value) bool { return x.(*ssa.Extract).Index == 0 }
