package ownership

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// Off returns the field or variable from which the object was taken out that has the map v, or a container that v
// is in, in a field: there is another object by then, or its entry is deleted, or that is so of a container of such
// objects. Nil if it was not.
func (r *Result) Off(v ssa.Value, instr ssa.Instruction) *types.Var {
	if r.plain || r.weak {
		return nil
	}
	o := holderOf(v)
	for range accesspath.MaxSteps {
		if o == nil {
			break
		}
		if read := r.readOf(o); read != nil {
			if read.Parent() == r.fn && r.takenOutIn(r.before(instr), read) {
				return placeOf(r.Paths.Of(read))
			}
			o = read
		}
		o = outer(o)
	}
	return nil
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

// holderOf returns the pointer to the object that has a map, or a container that the map is in, in a field of its own
// or of a struct in it.
func holderOf(v ssa.Value) ssa.Value {
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
