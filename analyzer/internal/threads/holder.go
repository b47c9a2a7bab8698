package threads

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A heldPut puts an object into a field, or into a container that a field has.
type heldPut struct {
	f   *infer.Func
	at  ssa.Instruction
	val ssa.Value
}

// OneHolder reports whether what a field leads to, or the container in it, is never led to by the same field of a second object: the
// package puts there what it has just made, and puts that there once. Complexity: linear in the package, for each field once, times the
// square of what is put there.
func (t *Theory) OneHolder(field *types.Var) bool {
	field = field.Origin()
	one, ok := t.oneHolder[field]
	if !ok {
		if t.oneHolder == nil {
			t.oneHolder = make(map[*types.Var]bool)
		}
		puts, seen := t.putsInto(field)
		one = seen && t.eachOnce(puts)
		t.oneHolder[field] = one
	}
	return one
}

// putsInto returns all that is put into a field, and whether the package shows it.
func (t *Theory) putsInto(field *types.Var) (puts []heldPut, ok bool) {
	if field.Exported() || field.Pkg() != t.pkg.Types || !leadsStraight(field.Type()) {
		return nil, false
	}
	for _, f := range t.pkg.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if v, some := putThere(instr, field); some {
					all, ok := t.givenToPut(heldPut{f, instr, v}, maxGivers)
					if !ok || len(puts) > maxBirths*maxBirths {
						return nil, false
					}
					puts = append(puts, all...)
				} else if !seenUse(instr, field) {
					return nil, false
				}
			}
		}
	}
	return puts, true
}

// givenToPut returns, for a put of what a function is given, the calls that give it, each as a put of its own, and whether the package shows
// them all: each puts what it gives once. Any other put is itself. Complexity: the callers, to a bounded depth.
func (t *Theory) givenToPut(p heldPut, steps int) (puts []heldPut, ok bool) {
	param, ok := ssautil.Unwrap(p.val).(*ssa.Parameter)
	if !ok {
		return []heldPut{p}, true
	}
	if steps == 0 || p.f.Ctx.Open() || ssautil.Again(p.at.Block(), nil) {
		return nil, false
	}
	for _, s := range t.pkg.CallersOf(p.f) {
		call, ok := s.Call.Point.Instr(s.Caller.SSA).(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() != p.f.SSA {
			return nil, false // it may run at another time, and again
		}
		given := call.Common().Args[slices.Index(p.f.SSA.Params, param)]
		all, ok := t.givenToPut(heldPut{s.Caller, call, given}, steps-1)
		if !ok {
			return nil, false
		}
		if puts = append(puts, all...); len(puts) > maxBirths*maxBirths {
			return nil, false
		}
	}
	return puts, true
}

// putThere returns the object that an instruction puts into a field, or into the container that is or comes to be in it.
func putThere(instr ssa.Instruction, field *types.Var) (ssa.Value, bool) {
	if st, ok := instr.(*ssa.Store); ok && ofField(st.Addr, field) {
		return st.Val, !isContainer(field.Type())
	}
	var list, val ssa.Value
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		list, val = instr.Map, instr.Value
	case *ssa.Store:
		if addr, ok := instr.Addr.(*ssa.IndexAddr); ok {
			list, val = addr.X, instr.Val
			if array, made := list.(*ssa.Alloc); made && array.Comment == "varargs" {
				list = ssautil.AppendedTo(array)
			}
		}
	}
	if list == nil || isPlain(val.Type()) {
		return nil, false
	}
	in, _ := heldBy(list, make(map[ssa.Value]bool))
	return val, in != nil && in.Origin() == field
}

// seenUse reports whether an instruction does nothing with a field by which what is there gets another name or holder.
func seenUse(instr ssa.Instruction, field *types.Var) bool {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return ssautil.FieldOf(instr).Origin() != field || !slices.ContainsFunc(*instr.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.UnOp:
				return isContainer(field.Type()) && !keepsContainer(r, field)
			case *ssa.Store:
				return r.Addr != ssa.Value(instr) || isContainer(field.Type()) && !ownContainer(r.Val, field, instr.X, 0)
			}
			return true
		})
	case *ssa.UnOp: // a copy of the object leads there, too
		if _, local := instr.X.(*ssa.Alloc); local {
			return true
		}
		return !holds(instr.Type(), field)
	}
	return true
}

// keepsContainer reports whether a container that was read from a field is only looked at, changed in place, or put back.
func keepsContainer(list ssa.Value, field *types.Var) bool {
	return !slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.IndexAddr, *ssa.Index, *ssa.BinOp:
			return false
		case *ssa.MapUpdate:
			return r.Map != list
		case *ssa.Store:
			return !ofField(r.Addr, field) // into which object is asked there
		case *ssa.Phi, *ssa.Slice:
			in, _ := heldBy(r.(ssa.Value), make(map[ssa.Value]bool))
			return in == nil && !onlyAppended(r.(ssa.Value)) || in != nil && in.Origin() != field
		case *ssa.Call:
			_, builtin := r.Call.Value.(*ssa.Builtin)
			return !builtin || ssautil.IsAppend(r) && r.Call.Args[0] == list && !putBack(r, field)
		}
		return true
	})
}

// onlyAppended reports whether a part of a list is only read, as by an append of its elements to another part.
func onlyAppended(list ssa.Value) bool {
	return !slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(*ssa.Call)
		if !ok {
			return true
		}
		_, builtin := call.Call.Value.(*ssa.Builtin)
		return !builtin || ssautil.IsAppend(call) && call.Call.Args[0] == list
	})
}

func putBack(list ssa.Value, field *types.Var) bool {
	in, _ := heldBy(list, make(map[ssa.Value]bool))
	return in != nil && in.Origin() == field
}

// ownContainer reports whether a container that is put into a field of an object is new, or made of what is in the object's field.
func ownContainer(v ssa.Value, field *types.Var, object ssa.Value, depth int) bool {
	if depth > maxBirths {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Alloc:
		return true
	case *ssa.UnOp:
		addr, ok := v.X.(*ssa.FieldAddr)
		return ok && addr.X == object && ofField(addr, field)
	case *ssa.Slice:
		return ownContainer(v.X, field, object, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !ownContainer(e, field, object, depth+1) })
	case *ssa.Call:
		return ssautil.IsAppend(v) && ownContainer(v.Call.Args[0], field, object, depth+1) && ownContainer(v.Call.Args[1], field, object, depth+1)
	}
	return false
}

// eachOnce reports whether each of some puts is of an object that is made for it.
func (t *Theory) eachOnce(puts []heldPut) bool {
	var all []birth
	for _, p := range puts {
		births, ok := t.born(p.val, 0)
		if !ok || len(all) > maxBirths*maxBirths {
			return false
		}
		for _, b := range births {
			made, ok := b[0].(ssa.Instruction)
			at := ssautil.PointOf(p.at)
			if !ok || slices.ContainsFunc(all, b.same) {
				return false
			}
			if made.Parent() != p.f.SSA || p.f.Flow == nil || p.f.Flow.ReachesPast(made.Block(), at, at) {
				return false
			}
			all = append(all, b)
		}
	}
	return true
}

func ofField(addr ssa.Value, field *types.Var) bool {
	fld, ok := addr.(*ssa.FieldAddr)
	return ok && ssautil.FieldOf(fld).Origin() == field
}

func isContainer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array:
		return true
	}
	return false
}

// leadsStraight reports whether what is in a field of a type leads to an object, or to one in each of its slots.
func leadsStraight(t types.Type) bool {
	if isContainer(t) {
		t = t.Underlying().(interface{ Elem() types.Type }).Elem()
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Struct:
		return true
	}
	return false
}

// isPlain reports whether values of a type lead nowhere.
func isPlain(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return basic
}
