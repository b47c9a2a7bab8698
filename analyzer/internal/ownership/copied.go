package ownership

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A reading is a value that was read from its place; or, of a struct that was copied from its place, or that a call gives, what it has
// in a field.
type reading struct {
	v     ssa.Value
	field *types.Var
}

// placeRead returns where a reading comes from.
func (r *Result) placeRead(x reading) accesspath.Path {
	if x.field == nil {
		return r.Paths.Of(x.v)
	}
	return r.Paths.Field(r.Paths.Of(x.v), x.field)
}

// containersOf yields the fields of a struct that hold maps and slices.
func containersOf(t types.Type) func(func(*types.Var) bool) {
	return func(yield func(*types.Var) bool) {
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for f := range st.Fields() {
			if container(f.Type()) && !yield(f.Origin()) {
				return
			}
		}
	}
}

func hasContainers(t types.Type) bool {
	for range containersOf(t) {
		return true
	}
	return false
}

// copies reports whether v copies a struct with maps or slices from a field or a package-level variable.
func copies(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && ssautil.Variable(load.X) != nil && hasContainers(load.Type())
}

// structOf returns the copy, or the call's result, that a struct value is by way of a local variable of which nothing
// else sets a part and whose address goes nowhere.
func structOf(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if cell, local := load.X.(*ssa.Alloc); local {
			v = copyIn(cell)
		}
	}
	if v == nil || !hasContainers(v.Type()) {
		return nil
	}
	if call, _ := ssautil.CallResult(v); call != nil || copies(v) {
		return v
	}
	return nil
}

// copyIn returns the struct that a local variable holds from its start on, nil if it may hold another one.
func copyIn(cell *ssa.Alloc) ssa.Value {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store, *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if slices.ContainsFunc(*r.Referrers(), func(use ssa.Instruction) bool {
				load, isLoad := use.(*ssa.UnOp)
				_, debug := use.(*ssa.DebugRef)
				return !debug && (!isLoad || load.Op != token.MUL) && container(ssautil.Pointee(r.Type()))
			}) {
				return nil
			}
		default:
			return nil
		}
	}
	return ssautil.SoleStore(cell)
}

// partRead returns the field of a copied struct that v has the map or slice of.
func partRead(v ssa.Value) (reading, bool) {
	switch x := v.(type) {
	case *ssa.Field:
		if st, ok := x.X.Type().Underlying().(*types.Struct); ok {
			from := structOf(x.X)
			return reading{from, st.Field(x.Field).Origin()}, from != nil
		}
	case *ssa.UnOp:
		at, ok := x.X.(*ssa.FieldAddr)
		if !ok || x.Op != token.MUL {
			return reading{}, false
		}
		if cell, local := at.X.(*ssa.Alloc); local {
			from := structOf(copyIn(cell))
			return reading{from, ssautil.FieldOf(at)}, from != nil
		}
	}
	return reading{}, false
}

// copied notes what a copy of a struct has in common with the original, until that is given something else.
func (r *Result) copied(s *State, v ssa.Value) {
	for f := range containersOf(v.Type()) {
		r.keepAt(s, reading{v, f}, Attached)
	}
}

// loosenCopy notes that a copy of a struct, or what it has in a field, goes elsewhere.
func (r *Result) loosenCopy(s *State, v ssa.Value) {
	if x, ok := partRead(v); ok {
		r.keepAt(s, x, Loose)
		return
	}
	if !hasContainers(v.Type()) {
		return
	}
	if from := structOf(v); from != nil {
		for f := range containersOf(from.Type()) {
			r.keepAt(s, reading{from, f}, Loose)
		}
	}
}

// replacedIn notes which fields of a struct at a place get other maps and slices: those that the new one brings along.
func (r *Result) replacedIn(s *State, q accesspath.Path, v ssa.Value) {
	_, zero := v.(*ssa.Const)
	for f := range containersOf(v.Type()) {
		if zero || s.Lookup(r.Paths.Field(r.Paths.Of(v), f)) == Owned {
			r.replaced(s, r.Paths.Field(q, f))
		}
	}
}

// given notes which fields of a struct that a call gives lead to what no one else has.
func (r *Result) given(s *State, v ssa.Value, f Fate) {
	if f.Own != Owned || !f.At.None() {
		return
	}
	for field := range containersOf(v.Type()) {
		if !f.Foreign.Has(field) && !f.Foreign.has(elements) {
			r.keepAt(s, reading{v, field}, TakenOut)
		}
	}
}

// withoutTaken returns the fate of a struct that is returned: where it was copied, and the place given other maps since, it leads to others
// by its other fields alone.
func (s *State) withoutTaken(r *Result, v ssa.Value, f Fate) Fate {
	from := structOf(v)
	if from == nil {
		return f
	}
	taken := false
	var others []string
	for field := range from.Type().Underlying().(*types.Struct).Fields() {
		switch {
		case container(field.Type()) && r.takenOutAt(s, reading{from, field.Origin()}):
			taken = true
		case r.carries(field.Type()):
			others = append(others, FieldName(field))
		}
	}
	if !taken {
		return f
	}
	return Fate{Own: Owned, Foreign: FieldsOf(others)}
}
