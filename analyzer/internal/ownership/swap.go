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
// one, as where two buffers change places, or from a map of which it deletes entries.
func (r *Result) swapsObject(v ssa.Value) bool {
	if !pointsToStruct(v.Type()) {
		return false
	}
	if read, ok := v.(*ssa.UnOp); ok && read.Op == token.MUL {
		if _, element := read.X.(*ssa.IndexAddr); element {
			return r.objectsSet(read.Parent()).shortens
		}
		place := ssautil.Variable(read.X)
		return place != nil && r.objectsSet(read.Parent()).places[place]
	}
	return entryOf(v) && r.objectsSet(v.Parent()).deletes
}

// entryOf reports whether v is what a map holds under a key.
func entryOf(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Lookup:
		return !v.CommaOk && ssautil.IsMap(v.X.Type())
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Lookup:
			return v.Index == 0
		case *ssa.Next:
			return v.Index == 2 && !t.IsString
		}
	}
	return false
}

// An objectSet are the fields and variables to which a function assigns pointers to structs; deletes says that it deletes
// entries of maps that hold such, shortens that it leaves a part of a slice in its place.
type objectSet struct {
	places            map[*types.Var]bool
	deletes, shortens bool
}

// objectsSet returns where a function gives places other objects, worked out once.
func (r *Result) objectsSet(fn *ssa.Function) objectSet {
	set, ok := r.swaps[fn]
	if ok {
		return set
	}
	set.places = make(map[*types.Var]bool)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if place := ssautil.Variable(instr.Addr); place != nil && pointsToStruct(instr.Val.Type()) {
					set.places[place] = true
				}
				_, part := instr.Val.(*ssa.Slice)
				set.shortens = set.shortens || part && !cell(instr.Addr)
			case *ssa.Call:
				_, deletes := ssautil.BuiltinCall(instr, "delete")
				set.deletes = set.deletes || deletes
			}
		}
	}
	if r.swaps == nil {
		r.swaps = make(map[*ssa.Function]objectSet)
	}
	r.swaps[fn] = set
	return set
}

// pointsToStruct reports whether values of a type are pointers to structs, or may be in generic code.
func pointsToStruct(t types.Type) bool {
	if _, generic := types.Unalias(t).(*types.TypeParam); generic {
		return true
	}
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Struct)
	return ok
}

// popped notes that a slice is left in its place without its first element, or without its last one: who has read that
// one has it alone.
func (r *Result) popped(s *State, q accesspath.Path, v ssa.Value) {
	part, ok := v.(*ssa.Slice)
	if !ok || r.Paths.Of(part.X) != q {
		return
	}
	for n, c := range s.custody {
		read, ok := r.reads[n].v.(*ssa.UnOp)
		if !ok || c != Attached {
			continue
		}
		at, ok := read.X.(*ssa.IndexAddr)
		if !ok || r.Paths.Of(at.X) != q {
			continue
		}
		first := part.Low != nil && !ssautil.IsZero(part.Low) && ssautil.IsZero(at.Index)
		if last := part.Low == nil && part.High != nil && sameNumber(part.High, at.Index); first || last {
			s.keep(n, TakenOut)
		}
	}
}

// sameNumber reports whether two values are one, or the same difference of a length and a constant.
func sameNumber(a, b ssa.Value) bool {
	x, ok := a.(*ssa.BinOp)
	y, too := b.(*ssa.BinOp)
	if a == b || !ok || !too || x.Op != token.SUB || y.Op != token.SUB {
		return a == b
	}
	k, ok := x.Y.(*ssa.Const)
	l, too := y.Y.(*ssa.Const)
	_, ofLen := ssautil.LenOf(x.X)
	_, ofLenToo := ssautil.LenOf(y.X)
	return ok && too && ofLen && ofLenToo && k.Int64() == l.Int64()
}

// longer reports whether a value is the slice in a place, or a part of it, with more behind it.
func (r *Result) longer(v ssa.Value, place accesspath.Path) bool {
	args, ok := ssautil.BuiltinCall(v, "append")
	return ok && r.Paths.Of(args[0]) == place
}
