package ownership

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Off returns the field or variable from which the object was taken out that has the map v, or a container that v
// is in, in a field: there is another object by then, or its entry is deleted, or that is so of a container of such
// objects. Nil if it was not.
func (r *Result) Off(v ssa.Value, instr ssa.Instruction) (place *types.Var, read ssa.Value) {
	if r.plain || r.weak {
		return nil, nil
	}
	o := HolderOf(v)
	for range accesspath.MaxSteps {
		if o == nil {
			break
		}
		if read := r.readOf(o); read != nil {
			if read.Parent() == r.fn && r.takenOutIn(r.before(instr), read) {
				return placeOf(r.Paths.Of(read)), read
			}
			o = read
		}
		o = outer(o)
	}
	return nil, nil
}

// Replaces reports whether an instruction gives the place that was read another value, or leaves a part of what is there.
func (r *Result) Replaces(instr ssa.Instruction, read ssa.Value) bool {
	place := r.Paths.Of(read)
	switch instr := instr.(type) {
	case *ssa.Store:
		q := r.Paths.Of(instr.Addr)
		return q == place || place.IsElem() && q == place.Parent()
	case *ssa.Call:
		args, ok := ssautil.BuiltinCall(instr, "delete")
		return ok && r.Paths.Elem(r.Paths.Of(args[0]), r.Paths.Of(args[1])) == place
	}
	return false
}

// Apart reports whether the value that an instruction puts into the place that was read shares nothing with what was
// there, as far as is known: it is made, without parts of that, or what a call gives that does not get it.
func (r *Result) Apart(instr ssa.Instruction, read ssa.Value) bool {
	st, ok := instr.(*ssa.Store)
	if !ok {
		return true
	}
	place := r.Paths.Of(read)
	leads := func(v ssa.Value) bool { return r.carries(v.Type()) && r.Paths.Of(v).HasPrefix(place) }
	switch v := ssautil.Unwrap(st.Val).(type) {
	case *ssa.Alloc:
		return !slices.ContainsFunc(ssautil.PutIn(v), leads)
	case *ssa.Call:
		return !slices.ContainsFunc(v.Call.Args, leads)
	case *ssa.Const, *ssa.MakeMap, *ssa.MakeSlice, *ssa.Slice:
		return true
	}
	return false
}

// givesTaken reports whether the function may return an object that it has taken out of its place.
func (r *Result) givesTaken() bool {
	results := r.fn.Signature.Results()
	for i := range results.Len() {
		if pointsToStruct(results.At(i).Type()) {
			set := r.objectsSet(r.fn)
			return set.deletes || set.shortens || len(set.places) > 0
		}
	}
	return false
}

// TakenOff reports whether v is an object that was taken out of its place by then: another one is there, or its entry
// is deleted.
func (r *Result) TakenOff(v ssa.Value, instr ssa.Instruction) bool {
	if r.plain || r.weak || !pointsToStruct(v.Type()) {
		return false
	}
	read := r.readOf(v)
	return read != nil && read.Parent() == r.fn && r.takenOutIn(r.before(instr), read)
}

// moved returns the results that are objects which the function has taken out of their places, whenever it returns
// one.
func (r *Result) moved(exits []*ssa.Return) (out Set) {
	if len(exits) == 0 || r.plain {
		return 0
	}
	for i := range r.fn.Signature.Results().Len() {
		in, ok := Input(i)
		all, some := ok, false
		for _, ret := range exits {
			if v := ssautil.Returned(ret, i); !ssautil.IsNil(v) {
				some, all = true, all && r.TakenOff(v, ret)
			}
		}
		if all && some {
			out |= in
		}
	}
	return out
}

// HolderOf returns the pointer to the object that has a map, or a container that the map is in, in a field of its own
// or of a struct in it.
func HolderOf(v ssa.Value) ssa.Value {
	for range accesspath.MaxSteps {
		if in := outer(v); in != nil {
			v = in
			continue
		}
		read, ok := v.(*ssa.UnOp)
		if !ok {
			return nil
		}
		at, ok := read.X.(*ssa.FieldAddr)
		if !ok {
			return nil
		}
		for in, nested := at, true; nested; in, nested = in.X.(*ssa.FieldAddr) {
			at = in
		}
		return at.X
	}
	return nil
}

// placeOf returns the field or variable in which an object is, or a container that it is in.
func placeOf(p accesspath.Path) *types.Var {
	for p.Depth() > 0 && p.IsElem() {
		p = p.Parent()
	}
	return p.Location().Var
}
