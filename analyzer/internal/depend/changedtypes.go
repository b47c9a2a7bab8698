package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A value has many ways from a place to where it is changed, and not all are followed: through lists, boxes, results of functions that
// are values, other packages. So a change counts for each map and list of its type, unless the function has made what it changes, or
// a field or variable has it that is only ever given new ones.

// noteTypes notes the types of what an instruction may change of which that is not known.
func (c *contents) noteTypes(instr ssa.Instruction) {
	of := changedBy(instr)
	if st, ok := instr.(*ssa.Store); ok && of == nil {
		of = listOf(st.Addr)
	}
	if of != nil && !c.fresh(of, nil) {
		if f, field := placeOf(of).(*types.Var); !c.keepsNew(of) {
			c.types = append(c.types, ssautil.Pointee(of.Type()))
			if !c.traced(of) {
				c.untraced = append(c.untraced, ssautil.Pointee(of.Type()))
			}
		} else if field {
			c.kept[f] = true
		}
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok || call.Common().IsInvoke() {
		return // what an interface is given, others have as well: it is there to be read
	}
	fn, args := ssautil.Callee(call.Common())
	if fn == nil || c.own(fn) || model.Lookup(fn).Kind != model.None {
		return
	}
	for _, arg := range args {
		if holds(arg.Type()) && !c.fresh(arg, nil) {
			c.types = append(c.types, arg.Type())
		}
	}
}

// listOf returns the list in an element of which an address lies, nil if it lies in none.
func listOf(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			if ssautil.Pointee(a.X.Type()) == a.X.Type() {
				return a.X
			}
			addr = a.X // an array
		default:
			return nil
		}
	}
}

// own reports whether a function has its body in the package, where changes are seen.
func (c *contents) own(fn *types.Func) bool { return fn.Pkg() == c.pkg }

// holds reports whether a type is one of maps or of lists.
func holds(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// fresh reports whether a value is a map or list that its function has made itself.
func (c *contents) fresh(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	if seen == nil {
		seen = make(map[ssa.Value]bool)
	}
	seen[v] = true
	switch v := ssautil.Unwrap(v).(type) {
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Const:
		return true
	case *ssa.Slice:
		_, array := v.X.(*ssa.Alloc)
		return array || c.fresh(v.X, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(x ssa.Value) bool { return !c.fresh(x, seen) })
	case *ssa.Call:
		args, ok := ssautil.BuiltinCall(v, "append")
		return ok && c.fresh(args[0], seen)
	case *ssa.TypeAssert:
		return !v.CommaOk && c.fresh(v.X, seen)
	case *ssa.UnOp:
		return c.freshCell(v.X, seen)
	case *ssa.Alloc:
		return c.freshCell(v, seen)
	}
	return false
}

// freshCell is fresh for what a local variable has: all that it is given, by literals too.
func (c *contents) freshCell(addr ssa.Value, seen map[ssa.Value]bool) bool {
	cell, ok := addr.(*ssa.Alloc)
	if !ok || !holds(ssautil.Pointee(cell.Type())) {
		return false
	}
	return !slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return r.Val == cell || !c.fresh(r.Val, seen)
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// keepsNew reports whether a map is that of a field or a variable which is given nothing but maps that are made for it.
func (c *contents) keepsNew(of ssa.Value) bool {
	read, ok := ssautil.Unwrap(of).(*ssa.UnOp)
	if !ok {
		return false
	}
	switch read.X.(type) {
	case *ssa.FieldAddr, *ssa.Global:
	default:
		return false
	}
	place := placeOf(read.X)
	if place == nil || c.elsewhere(place) {
		return false
	}
	return !slices.ContainsFunc(c.uses.stored[place], func(v ssa.Value) bool {
		v = ssautil.Unwrap(v)
		_, none := v.(*ssa.Const)
		return !none && !onlyKept(v)
	})
}

// elsewhere reports whether other packages can give a place a map, or are the ones that do.
func (c *contents) elsewhere(place any) bool {
	switch p := place.(type) {
	case *types.Var:
		return p.Pkg() != c.pkg || p.Exported()
	case *ssa.Global:
		return p.Object() == nil || p.Object().Exported() || p.Object().Pkg() != c.pkg
	}
	return true
}

// onlyKept reports whether a map is made, filled, and stored in one place.
func onlyKept(v ssa.Value) bool {
	made, ok := v.(*ssa.MakeMap)
	if !ok {
		return false
	}
	stores := 0
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			stores++
		case *ssa.MapUpdate:
			if r.Map != made {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return stores == 1
}

// changesType reports whether something may change a map of a type, or a map or list in it.
func (c *contents) changesType(t types.Type, depth int) bool {
	if depth > maxNesting {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return c.notes(t) || c.changesType(u.Elem(), depth+1)
	case *types.Slice:
		if _, plain := u.Elem().Underlying().(*types.Basic); plain {
			return false // too many are changed: those that are followed count
		}
		return c.notes(t) || c.changesType(u.Elem(), depth+1)
	case *types.Array:
		return c.changesType(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if c.changesType(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// notes reports whether something may change one of a type itself.
func (c *contents) notes(t types.Type) bool {
	return slices.ContainsFunc(c.types, func(o types.Type) bool { return mayBe(t, o) })
}

// mayBe reports whether what has one type may have been changed as the other: in a generic function, it may be any of its kind.
func mayBe(t, changed types.Type) bool {
	if types.Identical(t.Underlying(), changed.Underlying()) {
		return true
	}
	switch c := changed.Underlying().(type) {
	case *types.Map:
		m, ok := t.Underlying().(*types.Map)
		return ok && (isTypeParam(c.Key()) || isTypeParam(c.Elem())) && m != nil
	case *types.Slice:
		_, ok := t.Underlying().(*types.Slice)
		return ok && isTypeParam(c.Elem())
	case *types.Interface:
		return isTypeParam(changed)
	}
	return false
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}
