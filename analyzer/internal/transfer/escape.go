package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// leak notes where a map value goes to a place from which others use it: a
// field or variable of something else, an element, a channel, a goroutine that
// is not known. It is the map itself that goes, not a copy.
func (a *analysis) leak(s locks.State, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if ssautil.IsMap(ssautil.Unwrap(instr.Val).Type()) && a.keeps(instr.Addr) {
			a.leaks(s, instr, instr.Pos(), instr.Val, a.Paths.Of(instr.Addr))
		}
	case *ssa.MapUpdate:
		if made, ok := instr.Map.(*ssa.MakeMap); !ok || !onlyRead(made) {
			a.leaks(s, instr, instr.Pos(), instr.Value, a.Paths.Of(instr.Map))
		}
	case *ssa.Send:
		a.leaks(s, instr, instr.Pos(), instr.X, accesspath.Path{})
	case *ssa.Select:
		for _, st := range instr.States {
			if st.Send != nil {
				a.leaks(s, instr, st.Pos, st.Send, accesspath.Path{})
			}
		}
	case *ssa.Go:
		fn, args := ssautil.Callee(&instr.Call)
		if len(a.targets(&instr.Call, fn, args)) > 0 {
			return // followed into the goroutine
		}
		for _, arg := range args {
			a.leaks(s, instr, instr.Pos(), arg, accesspath.Path{})
		}
	}
}

func (a *analysis) leaks(s locks.State, instr ssa.Instruction, pos token.Pos, v ssa.Value, to accesspath.Path) {
	v = ssautil.Unwrap(v)
	if _, made := v.(*ssa.MakeMap); made || !ssautil.IsMap(v.Type()) {
		return
	}
	p := a.Paths.Of(v)
	if to.Known() && (to.Base() == p.Base() || to.HasPrefix(p) || p.HasPrefix(to)) {
		return // another field of the same object
	}
	acc := access.Access{Path: p, Op: access.Leak, Held: s, Pos: pos, Into: to.Location(), Along: a.locksAlong(to.Base())}
	a.add(event{acc: acc, instr: instr, val: v})
}

// onlyRead reports whether library functions that read what they get, and keep nothing of it, are all that a map
// made here goes to: what it holds is used where they are called.
func onlyRead(made ssa.Value) bool {
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.MapUpdate:
			return r.Map != made
		case *ssa.MakeInterface:
			return !onlyRead(r)
		case *ssa.Call:
			fn, _ := ssautil.Callee(&r.Call)
			return fn == nil || model.Lookup(fn).Kind != model.MapRead
		}
		return true
	})
}

// heldIn returns the maps that a map made here holds, where it goes to functions that only read it.
func heldIn(v ssa.Value) (maps []ssa.Value) {
	made, ok := v.(*ssa.MakeMap)
	if !ok || !onlyRead(made) {
		return nil
	}
	for _, r := range *made.Referrers() {
		if up, ok := r.(*ssa.MapUpdate); ok && up.Map == v {
			if held := ssautil.Unwrap(up.Value); ssautil.IsMap(held.Type()) {
				maps = append(maps, held)
			}
		}
	}
	return maps
}

// locksAlong returns the locks to which the function leads an object by its fields, and these fields.
func (a *analysis) locksAlong(to accesspath.Path) []access.Given {
	if !to.Known() {
		return nil
	}
	var out []access.Given
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || !PointsToLock(st.Val.Type()) {
				continue
			}
			at := a.Paths.Of(st.Addr)
			if f := at.LastField(); f != nil && at.Parent() == to {
				out = append(out, access.Given{Field: f, Lock: a.Paths.Of(st.Val)})
			}
		}
	}
	return out
}

// liftAlong expresses in the caller's terms the locks that the object is given which gets a map.
func (a *analysis) liftAlong(acc *access.Access, t *target, instr ssa.Instruction) []access.Given {
	var out []access.Given
	for _, g := range acc.Along {
		if g.Lock = a.substitute(g.Lock, *t, instr); g.Lock.Known() {
			out = append(out, g)
		}
	}
	return out
}

// PointsToLock reports whether values of a type lead to a lock that is not their own.
func PointsToLock(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return model.IsMutex(t)
	}
	return false
}

// keeps reports whether what is stored at addr can be found by others: not in
// a local variable, and in an object made here only if that goes further.
func (a *analysis) keeps(addr ssa.Value) bool {
	if _, variable := addr.(*ssa.Alloc); variable {
		return false
	}
	root := a.Paths.Of(addr).Root()
	if root.Kind != accesspath.Value {
		return root.Kind == accesspath.Global || root.Kind == accesspath.Param
	}
	made, ok := root.Val.(*ssa.Alloc)
	if !ok || made.Parent() != a.fn {
		return false
	}
	if made.Comment == "varargs" {
		return a.appended(made) // the arguments of a call
	}
	return a.own.Leaves(made) || len(depend.ReturnsOf(made)) > 0 || a.appended(made)
}

// appended reports whether an array made for append's arguments goes into a
// slice that is stored.
func (a *analysis) appended(arr *ssa.Alloc) bool {
	for _, r := range *arr.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, use := range *s.Referrers() {
			c, ok := use.(*ssa.Call)
			if !ok {
				continue
			}
			for _, st := range *c.Referrers() {
				if store, ok := st.(*ssa.Store); ok && a.Paths.Of(store.Addr).Depth() > 0 {
					return true
				}
			}
		}
	}
	return false
}
