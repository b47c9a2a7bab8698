package ownership

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// swapped reports whether a captured variable is given several maps, each made for it, and
// whether one read of it alone takes the map elsewhere: all others use it in place.
func swapped(fv *ssa.FreeVar, read ssa.Value) bool {
	var v ssa.Value = fv
	for range accesspath.MaxSteps {
		switch x := v.(type) {
		case *ssa.FreeVar:
			v = ssautil.Binding(x)
		case *ssa.Alloc:
			return ssautil.SoleStore(x) == nil && inPlace(x, read, 0)
		default:
			return false
		}
	}
	return false
}

// inPlace reports whether a variable, by an address of it, is given nothing but maps that are made for it, and
// all reads but one use the map in place.
func inPlace(addr, but ssa.Value, depth int) bool {
	refs := addr.Referrers()
	if refs == nil || depth > accesspath.MaxSteps {
		return false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if _, made := r.Val.(*ssa.MakeMap); r.Addr != addr || !made && !ssautil.IsNil(r.Val) {
				return false
			}
		case *ssa.UnOp:
			if r != but && !ssautil.UsedInPlace(r) {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && !inPlace(fn.FreeVars[i], but, depth+1) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

func container(t types.Type) bool {
	_, slice := types.Unalias(t).Underlying().(*types.Slice)
	return slice || ssautil.IsMap(t)
}

// swapsObject reports whether v reads an object, by a pointer, from a field or variable that the function gives another
// one: two buffers change places.
func (r *Result) swapsObject(v ssa.Value) bool {
	read, ok := v.(*ssa.UnOp)
	if !ok || read.Op != token.MUL || !pointsToStruct(read.Type()) {
		return false
	}
	place := ssautil.Variable(read.X)
	return place != nil && r.objectsSet(read.Parent())[place]
}

// objectsSet returns the fields and variables to which a function assigns pointers to structs, worked out once.
func (r *Result) objectsSet(fn *ssa.Function) map[*types.Var]bool {
	set, ok := r.swaps[fn]
	if ok {
		return set
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || !pointsToStruct(st.Val.Type()) {
				continue
			}
			if place := ssautil.Variable(st.Addr); place != nil {
				if set == nil {
					set = make(map[*types.Var]bool)
				}
				set[place] = true
			}
		}
	}
	if r.swaps == nil {
		r.swaps = make(map[*ssa.Function]map[*types.Var]bool)
	}
	r.swaps[fn] = set
	return set
}

// pointsToStruct reports whether values of a type are pointers to structs.
func pointsToStruct(t types.Type) bool {
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Struct)
	return ok
}
