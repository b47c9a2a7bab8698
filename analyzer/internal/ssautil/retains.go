package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Put puts a value into a list or a map of its own function.
type Put struct {
	At ssa.Instruction
	// Into is the list that append gives, or the list or map of which an element is set; Key is its index or key, nil of one
	// that is appended.
	Into, Key ssa.Value
}

// PutBy returns what a store, or a change of a map, puts a value into; false if that is no element.
func PutBy(instr ssa.Instruction) (p Put, ok bool) {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return Put{instr, instr.Map, instr.Key}, true
	case *ssa.Store:
		slot, ok := instr.Addr.(*ssa.IndexAddr)
		if !ok {
			return p, false
		}
		array, given := slot.X.(*ssa.Alloc)
		if !given {
			return Put{instr, slot.X, slot.Index}, true
		}
		list, ok := AppendedTo(array).(*ssa.Call)
		if !ok || array.Comment != "varargs" {
			return p, false
		}
		return Put{list, list, nil}, true
	}
	return p, false
}

// A retention asks whether what has been put into a list is in another one still, each time that control comes from the put
// to a walk over that without having ended such a walk before.
type retention struct {
	flow  *Flow
	put   Put
	walk  Walk
	comes map[*ssa.BasicBlock]bool // where control can come to from the put before the walk ends
	seen  map[ssa.Value]bool
}

// Retains reports whether a walk over a list or a map comes to all that one statement puts in: nothing else is done with the
// list but to append to it, or with the map but to put in other keys, and to look at either.
// Complexity: the values that the list has in turn, times the function.
func (f *Flow) Retains(p Put, list ssa.Value, w Walk) bool {
	if f == nil || w.In[p.At.Block()] || p.At.Parent() != f.fn {
		return false
	}
	r := &retention{f, p, w, make(map[*ssa.BasicBlock]bool), make(map[ssa.Value]bool)}
	r.follow()
	again := r.comes[p.At.Block()]
	if p.Key != nil {
		made, ok := list.(ssa.Instruction)
		whole := ok && list == p.Into && r.container(list)
		return whole && !r.comes[made.Block()] && (!again || Varies(p.Key, p.At.Block(), f.reach))
	}
	before := p.Into.(*ssa.Call).Call.Args[0]
	return r.has(list, w.From) && (!again || r.has(before, p.At.Block()))
}

// follow finds where control can come to from the put before the walk ends.
func (r *retention) follow() {
	for work := []*ssa.BasicBlock{r.put.At.Block()}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			if (b != r.walk.From || next != r.walk.To) && !r.comes[next] {
				r.comes[next] = true
				work = append(work, next)
			}
		}
	}
}

// has reports whether a list has what was put in before, where control comes to the end of a block. What a loop comes back to
// has it if all else has.
func (r *retention) has(list ssa.Value, at *ssa.BasicBlock) bool {
	if r.seen[list] && list == r.put.Into {
		return true
	}
	def, ok := list.(ssa.Instruction)
	if !ok || list != r.put.Into && !r.anew(def, at) {
		return false
	}
	if r.seen[list] {
		return true
	}
	r.seen[list] = true
	if !r.grows(list, def) {
		return false
	}
	if list == r.put.Into {
		return true
	}
	switch v := list.(type) {
	case *ssa.Phi:
		for i, e := range v.Edges {
			from := v.Block().Preds[i]
			if (r.comes[from] || from == r.put.At.Block()) && !r.has(e, from) {
				return false
			}
		}
		return true
	case *ssa.Call:
		return IsAppend(v) && r.has(v.Call.Args[0], v.Block())
	}
	return false
}

// anew reports whether a value is worked out each time that control comes from the put to the end of a block.
func (r *retention) anew(def ssa.Instruction, at *ssa.BasicBlock) bool {
	put := r.put.At
	if _, merges := def.(*ssa.Phi); !merges && def.Block() == put.Block() && Before(put, def) {
		return true
	}
	return !r.flow.ReachesPast(def.Block(), PointOf(put), Point{Block: int32(at.Index)}) && (at != put.Block() || def.Block() != at)
}

// grows reports whether nothing is done with a list but to look at it, and to append to it, once.
func (r *retention) grows(list ssa.Value, def ssa.Instruction) bool {
	var appends []Point
	for _, use := range *list.Referrers() {
		if call, ok := use.(*ssa.Call); ok && IsAppend(call) && call.Call.Args[0] == list {
			appends = append(appends, PointOf(call))
		} else if !looks(use, list) {
			return false
		}
	}
	return !slices.ContainsFunc(appends, func(a Point) bool {
		return slices.ContainsFunc(appends, func(b Point) bool { return r.flow.ReachesPast(def.Block(), a, b) })
	})
}

// container reports whether a list or a map is made here, and nothing is done with it but to put in by that one statement,
// and to look at it.
func (r *retention) container(made ssa.Value) bool {
	switch made.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice:
	default:
		return false
	}
	return !slices.ContainsFunc(*made.Referrers(), func(use ssa.Instruction) bool {
		slot, ok := use.(*ssa.IndexAddr)
		return use != r.put.At && !looks(use, made) && !(ok && onlyBy(slot, r.put.At))
	})
}

// onlyBy reports whether nothing but one statement stores in a slot.
func onlyBy(slot *ssa.IndexAddr, put ssa.Instruction) bool {
	return !slices.ContainsFunc(*slot.Referrers(), func(use ssa.Instruction) bool { return use != put && !looks(use, slot) })
}

// looks reports whether a statement does no more with a list, a map or a slot than to look at it.
func looks(use ssa.Instruction, at ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.Range, *ssa.Lookup, *ssa.UnOp:
		return true
	case *ssa.IndexAddr:
		return onlyBy(use, nil)
	case *ssa.Call:
		b, ok := use.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap" || IsAppend(use) && use.Call.Args[0] != at)
	}
	return false
}
