package threads

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Two elements of a container are two objects, unless the package shows that it puts one object into two of its slots: in a loop
// that does not make it anew, or twice in one function.

// A slotPut is an instruction that puts a value into a slot of a container.
type slotPut struct {
	at        ssa.Instruction
	list, val ssa.Value
	key       ssa.Value // nil where the value is appended
}

// maxGivers bounds the callers of callers that are asked what they put into a list.
const maxGivers = 3

// inTwoSlots reports whether the package puts one object into two slots of the container that leads to an element, which
// a function names: of a parameter, that is asked of those that call the function, too.
func (t *Theory) inTwoSlots(f *infer.Func, elem accesspath.Path) bool {
	return t.holdsTwice(f, elem.Parent(), maxGivers)
}

// holdsTwice is inTwoSlots for a container, by its path in a function. Complexity: the callers, to a bounded depth.
func (t *Theory) holdsTwice(f *infer.Func, list accesspath.Path, steps int) bool {
	root := list.Root()
	switch {
	case list.Depth() > 0:
	case root.Kind == accesspath.Param && root.Fn == f.Key && root.Index < len(f.SSA.Params):
		return t.fillsTwice(f, f.SSA.Params[root.Index]) || steps > 0 && slices.ContainsFunc(t.pkg.CallersOf(f), func(c infer.CallSite) bool {
			return root.Index < len(c.Call.Args) && t.holdsTwice(c.Caller, c.Call.Args[root.Index], steps-1)
		})
	case root.Val != nil:
		return t.fillsTwice(f, root.Val)
	}
	loc := list.Location()
	if !loc.Valid() || loc.Elems > 0 {
		return false
	}
	if t.twice == nil {
		t.twice = make(map[*types.Var]bool)
		for _, f := range t.pkg.Funcs {
			notePutTwice(f, t.twice)
		}
	}
	return t.twice[loc.Var.Origin()]
}

// notePutTwice notes the fields and variables with containers into two slots of which a function puts one object: one after the
// other, or in a loop. Complexity: the puts, times the blocks where they are in a loop.
func notePutTwice(f *infer.Func, twice map[*types.Var]bool) {
	type home struct {
		in     *types.Var
		holder ssa.Value
	}
	homes, last := make(map[ssa.Value]home), make(map[ssa.Value]slotPut)
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			p, ok := putOf(instr)
			if !ok {
				continue
			}
			at, known := homes[p.list]
			if !known {
				at.in, at.holder = heldBy(p.list, make(map[ssa.Value]bool))
				homes[p.list] = at
			}
			if at.in == nil {
				continue
			}
			before, some := last[p.val]
			if otherSlot(f, p, p, at.holder) || some && homes[before.list] == at && otherSlot(f, before, p, at.holder) {
				twice[at.in.Origin()] = true
			}
			last[p.val] = p
		}
	}
}

// putOf returns what an instruction puts into a slot: a pointer or a map that is there.
func putOf(instr ssa.Instruction) (p slotPut, ok bool) {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		p = slotPut{at: instr, list: instr.Map, key: instr.Key, val: instr.Value}
	case *ssa.Store:
		addr, slot := instr.Addr.(*ssa.IndexAddr)
		if !slot {
			return p, false
		}
		p = slotPut{at: instr, list: addr.X, key: addr.Index, val: instr.Val}
		if array, given := addr.X.(*ssa.Alloc); given && array.Comment == "varargs" {
			p.list, p.key = ssautil.AppendedTo(array), nil
		}
	default:
		return p, false
	}
	if p.list == nil || ssautil.IsNil(p.val) {
		return p, false
	}
	switch p.val = ssautil.Unwrap(p.val); p.val.Type().Underlying().(type) {
	case *types.Pointer, *types.Map:
		return p, true
	}
	return p, false
}

// heldBy returns the field or package-level variable that has a container, or gets it later, and the object with the field.
func heldBy(list ssa.Value, seen map[ssa.Value]bool) (in *types.Var, holder ssa.Value) {
	if ld, ok := list.(*ssa.UnOp); ok {
		return variable(ld.X)
	}
	if seen[list] || list.Referrers() == nil {
		return nil, nil
	}
	seen[list] = true
	for _, use := range *list.Referrers() {
		switch use := use.(type) {
		case *ssa.Store:
			if use.Val == list {
				in, holder = variable(use.Addr)
			}
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType:
			in, holder = heldBy(use.(ssa.Value), seen)
		case *ssa.Call:
			if ssautil.IsAppend(use) && use.Call.Args[0] == list {
				in, holder = heldBy(use, seen)
			}
		}
		if in != nil {
			return in, holder
		}
	}
	return nil, nil
}

func variable(addr ssa.Value) (*types.Var, ssa.Value) {
	if fld, ok := addr.(*ssa.FieldAddr); ok {
		return ssautil.FieldOf(fld), fld.X
	}
	return ssautil.Variable(addr), nil
}

// otherSlot reports whether control can come from one put of a value to another one, or the same again, with the same value and
// container, and another slot.
func otherSlot(f *infer.Func, from, to slotPut, holder ssa.Value) bool {
	p, q := ssautil.PointOf(from.at), ssautil.PointOf(to.at)
	if f.Flow == nil || !f.Flow.MayPrecede(p, q) {
		return false
	}
	stays := func(v ssa.Value) bool {
		def, ok := v.(ssa.Instruction)
		return !ok || f.Flow.ReachesPast(def.Block(), p, q)
	}
	if !stays(to.val) || holder != nil && !stays(holder) {
		return false
	}
	if made, ok := to.list.(*ssa.MakeSlice); ok && !stays(made) {
		return false
	}
	switch {
	case to.key == nil || from.key == nil:
		return true
	case from.at == to.at:
		return !stays(to.key)
	}
	x, fixed := from.key.(*ssa.Const)
	y, too := to.key.(*ssa.Const)
	return from.key != to.key && !(fixed && too && x.Value == y.Value)
}
