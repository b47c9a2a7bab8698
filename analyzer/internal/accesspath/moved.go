package accesspath

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// movedTo reports whether a captured variable has the map of a place only once that place has another one: each
// function that gives it such a map gives the place a new one, or takes the map from the variable again, whatever way
// it goes, and calls nothing in between. What is in the variable then is no longer what the place names.
// Complexity: linear in the instructions of these functions, for each store to the variable.
func (b *Builder) movedTo(v *ssa.Alloc) bool {
	if !ssautil.IsMap(ssautil.Pointee(v.Type())) || !ssautil.Captured(v) {
		return false
	}
	stores, ok := ssautil.Stores(v, maxStored)
	if len(stores) == 1 && stores[0].Parent() == v.Parent() {
		return false // the theory of ownership follows that one
	}
	some := false
	for _, st := range stores {
		read, ok := ssautil.Unwrap(st.Val).(*ssa.UnOp)
		switch {
		case makesAnew(st.Val):
		case !ok || !b.moves(read, st):
			return false
		default:
			some = true
		}
	}
	return ok && some && !keptFrom(v, 0)
}

// maxKept bounds the functions, one called by the other, through which it is followed whether a map is kept somewhere.
const maxKept = 3

// keptFrom reports whether what is in a variable, by an address of it, is put into another place: that may be the one
// that it came from. A literal that captures the variable is followed, and so are functions that get the map.
func keptFrom(addr ssa.Value, depth int) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp:
			return kept(r, depth)
		case *ssa.MakeClosure:
			fn, i := r.Fn.(*ssa.Function), slices.Index(r.Bindings, addr)
			return i >= 0 && (depth == maxKept || keptFrom(fn.FreeVars[i], depth+1))
		}
		return false
	})
}

// kept reports whether a map is put into a field, a variable of the package, a container or a channel.
func kept(m ssa.Value, depth int) bool {
	return slices.ContainsFunc(*m.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			_, local := r.Addr.(*ssa.Alloc)
			return r.Val == m && !local
		case *ssa.MapUpdate:
			return r.Value == m
		case *ssa.Send:
			return true
		case ssa.CallInstruction:
			fn, i := r.Common().StaticCallee(), slices.Index(r.Common().Args, m)
			if fn == nil || i < 0 || i >= len(fn.Params) {
				return false
			}
			return depth == maxKept || kept(fn.Params[i], depth+1)
		}
		return false
	})
}

// moves reports whether a map that is read from a field or a package-level variable is taken from there, in the sense
// of movedTo.
func (b *Builder) moves(read *ssa.UnOp, kept *ssa.Store) bool {
	if !ofPlace(read) || read.Block() != kept.Block() {
		return false
	}
	place := b.Of(read.X)
	ends := func(i ssa.Instruction) bool {
		st, ok := i.(*ssa.Store)
		return ok && (b.replaces(st, place) || st.Addr == kept.Addr && makesAnew(st.Val))
	}
	return ssautil.Follows(read, ends, callsOut)
}

// movedBy is movedTo for a variable that nothing captures: on each way by which it comes to have the map of a place, that
// has another one by then.
func (b *Builder) movedBy(v *ssa.Phi) bool {
	if !ssautil.IsMap(v.Type()) {
		return false
	}
	some := false
	for i, e := range v.Edges {
		read, ok := ssautil.Unwrap(e).(*ssa.UnOp)
		switch {
		case makesAnew(e):
		case !ok || !ofPlace(read) || !b.replacedSince(read, v.Block().Preds[i]):
			return false
		default:
			some = true
		}
	}
	return some && !kept(v, 0)
}

// replacedSince reports whether the place that was read has been given another map by the end of a block, and nothing was
// called between the two.
func (b *Builder) replacedSince(read *ssa.UnOp, at *ssa.BasicBlock) bool {
	place, replaced := b.Of(read.X), false
	for i := range ssautil.Backwards(at.Instrs[len(at.Instrs)-1]) {
		st, ok := i.(*ssa.Store)
		switch {
		case i == ssa.Instruction(read):
			return replaced
		case ok && b.replaces(st, place):
			replaced = true
		case replaced && callsOut(i):
			return false
		}
	}
	return false
}

// ofPlace reports whether v reads a field or a package-level variable.
func ofPlace(v *ssa.UnOp) bool {
	switch v.X.(type) {
	case *ssa.FieldAddr, *ssa.Global:
		return v.Op == token.MUL
	}
	return false
}

// replaces reports whether a store gives a place a new map, or none.
func (b *Builder) replaces(st *ssa.Store, place Path) bool {
	switch st.Addr.(type) {
	case *ssa.FieldAddr, *ssa.Global:
		return makesAnew(st.Val) && b.Of(st.Addr) == place
	}
	return false
}

// makesAnew reports whether v is a map that is made here, or none.
func makesAnew(v ssa.Value) bool {
	_, made := ssautil.Unwrap(v).(*ssa.MakeMap)
	return made || ssautil.IsNil(v)
}

// callsOut reports whether an instruction runs other code, which may let go of a lock or use the map.
func callsOut(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		_, builtin := i.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.Go, *ssa.RunDefers, *ssa.Send, *ssa.Select:
		return true
	}
	return false
}
