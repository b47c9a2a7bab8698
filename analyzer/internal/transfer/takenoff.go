package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// putFrom names an object that a function takes off a list, puts into a map and returns, as a queue does that keeps account of
// what is in work: by the map's entry, since the list has another element in its place by then. The function does nothing else with it, and
// the package finds no object in that map. Unknown for any other value.
func (a *analysis) putFrom(r *ssa.Return, v ssa.Value) accesspath.Path {
	read, ok := v.(*ssa.UnOp)
	if !ok || read.Op != token.MUL || !a.offList(read) {
		return accesspath.Path{}
	}
	var put *ssa.MapUpdate
	for _, use := range *read.Referrers() {
		switch use := use.(type) {
		case *ssa.MapUpdate:
			if put != nil || use.Value != v || !ssautil.Dominates(use, r) {
				return accesspath.Path{}
			}
			put = use
		case *ssa.Return, *ssa.DebugRef:
		case *ssa.Store:
			if !onlyResult(use) {
				return accesspath.Path{}
			}
		case *ssa.FieldAddr:
			if ssautil.IsMap(ssautil.Pointee(use.Type())) {
				return accesspath.Path{}
			}
		default:
			return accesspath.Path{} // others may come to it there
		}
	}
	if put == nil {
		return accesspath.Path{}
	}
	in := a.Paths.Of(put.Map)
	if a.FoundIn(in.LastField()) {
		return accesspath.Path{}
	}
	return a.Paths.Elem(in, a.Paths.Key(put.Key))
}

// onlyResult reports whether an instruction keeps a value for the return after deferred calls, and nothing else is done with it there.
func onlyResult(st *ssa.Store) bool {
	cell, ok := st.Addr.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Addr != ssa.Value(cell)
		case *ssa.UnOp:
			return !onlyReturned(r)
		}
		return true
	})
}

// offList reports whether an element that is read from a list, with a lock held for writing that others can hold, is taken off it before
// that is given up, for good: no one else reads it there. Complexity: linear in the function.
func (a *analysis) offList(read *ssa.UnOp) bool {
	at, ok := read.X.(*ssa.IndexAddr)
	list := a.Paths.Of(read).Parent()
	if !ok || !a.locks || !list.Known() || !heldByOthers(a.stateAt(read).Held()) {
		return false
	}
	off := false
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || a.Paths.Of(st.Addr) != list {
				continue
			}
			if !a.Paths.Shortens(st, list) || !a.leavesOut(st.Val.(*ssa.Slice), at) {
				return false
			}
			off = off || b == read.Block() && ssautil.Before(read, st) && locks.SameSections(a.stateAt(read), a.stateAt(st))
		}
	}
	return off
}

// leavesOut reports whether the rest of a list is without the element at an index: the first one, or that at which the rest ends.
func (a *analysis) leavesOut(rest *ssa.Slice, at *ssa.IndexAddr) bool {
	if rest.High != nil {
		i, end := a.Paths.Key(at.Index), a.Paths.Key(rest.High)
		return i.Known() && i == end
	}
	i, known := ssautil.IntOf(at.Index)
	from, fixed := ssautil.IntOf(rest.Low)
	return known && fixed && i < from
}

// heldByOthers reports whether one of these locks is held for writing, and is not the function's own.
func heldByOthers(held []locks.Held) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool {
		k := h.Lock.Root().Kind
		return h.Mode != locks.Read && (k == accesspath.Param || k == accesspath.Global)
	})
}
