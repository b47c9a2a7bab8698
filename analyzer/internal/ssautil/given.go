package ssautil

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// GivenField returns what a field of a new struct was given before a read of it, if that is a map or a
// pointer which another object holds, too, or that is a parameter, and the field gets nothing else in the function; nil otherwise. What
// others do to a field of a struct that has just been made is not known, and so not looked for.
func GivenField(made *ssa.Alloc, read *ssa.UnOp) ssa.Value {
	fa, ok := read.X.(*ssa.FieldAddr)
	if !ok || made.Referrers() == nil {
		return nil
	}
	switch read.Type().Underlying().(type) {
	case *types.Map, *types.Pointer:
	default:
		return nil
	}
	given := soleFieldStore(made, fa.Field)
	if given == nil || !Dominates(given, read) {
		return nil
	}
	if from, ok := given.Val.(*ssa.Parameter); ok {
		return from
	}
	if from, ok := given.Val.(*ssa.UnOp); ok && from.Op == token.MUL {
		if _, part := from.X.(*ssa.FieldAddr); part {
			return from
		}
	}
	return nil
}

// soleFieldStore returns the only store to a field of a struct, nil if there is none or more than one, the
// whole struct is stored, or the field's address goes elsewhere.
func soleFieldStore(made *ssa.Alloc, field int) (only *ssa.Store) {
	for _, r := range *made.Referrers() {
		at, ok := r.(*ssa.FieldAddr)
		if !ok || at.Field != field {
			if st, whole := r.(*ssa.Store); whole && st.Addr == made {
				return nil
			}
			continue
		}
		for _, use := range *at.Referrers() {
			switch use := use.(type) {
			case *ssa.Store:
				if only != nil || use.Val == at {
					return nil
				}
				only = use
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				return nil
			}
		}
	}
	return only
}

// MadeWith returns what a field of a new struct is given where it is made, if it is a local variable's literal, or one that
// a function of the package makes of its parameters and returns; nil if it gets anything else, or nothing. What is
// returned stands in the function that has v.
func MadeWith(v ssa.Value, field *types.Var) ssa.Value {
	made, ok := v.(*ssa.Alloc)
	if ok {
		return givenAs(made, field)
	}
	call, i := CallResult(v)
	if call == nil {
		return nil
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return nil
	}
	var param *ssa.Parameter
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.Recover || IsNil(ResultAt(ret, i)) {
			continue
		}
		made, _ := ResultAt(ret, i).(*ssa.Alloc)
		given, _ := givenAs(made, field).(*ssa.Parameter)
		if given == nil || param != nil && param != given {
			return nil
		}
		param = given
	}
	for k, p := range fn.Params {
		if p == param {
			return call.Call.Args[k]
		}
	}
	return nil
}

// givenAs returns what the field of a struct that is made is given, nil if that is not one thing.
func givenAs(made *ssa.Alloc, field *types.Var) ssa.Value {
	if made == nil || made.Referrers() == nil {
		return nil
	}
	st, ok := Pointee(made.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range st.NumFields() {
		if st.Field(i).Origin() != field.Origin() {
			continue
		}
		if only := soleFieldStore(made, i); only != nil {
			return only.Val
		}
	}
	return nil
}

// AtFirst returns what a field of a new struct is given before anything else is done with that, and nil if it keeps its zero
// value; false if it may be given something else, or later.
func AtFirst(made *ssa.Alloc, field *types.Var) (given ssa.Value, ok bool) {
	st, isStruct := Pointee(made.Type()).Underlying().(*types.Struct)
	if !isStruct {
		return nil, false
	}
	for i := range st.NumFields() {
		if st.Field(i).Origin() == field.Origin() {
			return atFirst(made, i)
		}
	}
	return nil, false
}

func atFirst(made *ssa.Alloc, field int) (given ssa.Value, ok bool) {
	touched := false
	for _, r := range *made.Referrers() {
		at, part := r.(*ssa.FieldAddr)
		st, whole := r.(*ssa.Store)
		if whole && st.Addr == made {
			return nil, false
		}
		touched = touched || part && at.Field == field && slices.ContainsFunc(*at.Referrers(), func(use ssa.Instruction) bool {
			_, read := use.(*ssa.UnOp)
			return !read
		})
	}
	if !touched {
		return nil, true
	}
	only := soleFieldStore(made, field)
	if only == nil {
		return nil, false
	}
	for _, r := range *made.Referrers() {
		switch r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			continue
		}
		if !Dominates(only, r) {
			return nil, false
		}
	}
	return only.Val, true
}
