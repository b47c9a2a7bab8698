package ssautil

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Unwrap takes off the conversions that leave a value what it is.
func Unwrap(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

// CallOf returns the call that gives a value, by itself or beside others, nil if none does.
func CallOf(v ssa.Value) *ssa.Call {
	call, _ := CallResult(v)
	return call
}

// CallResult returns the call that gives a value, and which of its results that is; nil if no call does.
func CallResult(v ssa.Value) (call *ssa.Call, i int) {
	if x, ok := v.(*ssa.Extract); ok {
		v, i = x.Tuple, x.Index
	}
	call, _ = v.(*ssa.Call)
	return call, i
}

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// IsZero reports whether v is the constant 0: to compare with it asks whether
// there is any.
func IsZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.String() == "0"
}

// IsZeroConst reports whether c is nil, false, 0 or "".
func IsZeroConst(c *ssa.Const) bool {
	if c.Value == nil {
		return true
	}
	switch c.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(c.Value)
	case constant.String:
		return constant.StringVal(c.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(c.Value) == 0
	}
	return false
}

// Extracts returns the parts of a tuple that are used.
func Extracts(v ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok {
			out = append(out, x)
		}
	}
	return out
}

// ResultOf returns the value that is the index-th result of a call; nil if it is
// not used.
func ResultOf(call *ssa.Call, index int) ssa.Value {
	if _, tuple := call.Type().(*types.Tuple); !tuple {
		return call
	}
	for _, x := range Extracts(call) {
		if x.(*ssa.Extract).Index == index {
			return x
		}
	}
	return nil
}

// CommaOk returns the parts of a value-and-presence tuple, and those that tell
// no more than presence.
func CommaOk(v ssa.Value) (outcomes, presence []ssa.Value) {
	outcomes = Extracts(v)
	for _, x := range outcomes {
		if x.(*ssa.Extract).Index == 1 {
			presence = append(presence, x)
		}
	}
	return outcomes, presence
}

// Spilled returns what a function that defers calls puts into its result
// variable, when that is one value.
func Spilled(v ssa.Value) ssa.Value {
	ld, ok := v.(*ssa.UnOp)
	if !ok {
		return v
	}
	res, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	var only ssa.Value
	for _, r := range *res.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(res) {
			if only != nil {
				return v
			}
			only = st.Val
		}
	}
	if only == nil {
		return v
	}
	return only
}

// OnlyValue returns what a phi is on all of its edges but those of nil; nil if that
// differs.
func OnlyValue(phi *ssa.Phi) ssa.Value {
	var only ssa.Value
	for _, e := range phi.Edges {
		switch {
		case IsNil(e), e == ssa.Value(phi):
		case only == nil:
			only = e
		case only != e:
			return nil
		}
	}
	return only
}

// Local returns the local variable that addr is, or is a part of; one that a
// literal captures counts too.
func Local(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		case *ssa.Alloc, *ssa.FreeVar:
			return x
		default:
			return nil
		}
	}
}

// SoleStore returns the only value that is ever stored in the local variable
// v, in its function or in closures that capture it; nil when there is none
// or more than one, or when v's address goes elsewhere.
func SoleStore(v *ssa.Alloc) ssa.Value {
	if all := AllStores(v, 1); len(all) == 1 {
		return all[0]
	}
	return nil
}

// AllStores returns the different values that are ever stored in the local variable v, in its function or in closures that
// capture it; none where there are more than a number of them, or v's address goes elsewhere.
func AllStores(v *ssa.Alloc, most int) (all []ssa.Value) {
	stores, ok := Stores(v, most)
	if !ok {
		return nil
	}
	for _, st := range stores {
		if !slices.Contains(all, st.Val) {
			all = append(all, st.Val)
		}
	}
	return all
}

// Stores returns the stores to a variable in which values are put, in closures as well; false if there are more than
// so many values.
func Stores(v *ssa.Alloc, most int) (all []*ssa.Store, ok bool) {
	ok = addStores(v, &all, most, 0)
	return all, ok
}

func addStores(addr ssa.Value, all *[]*ssa.Store, most, depth int) bool {
	refs := addr.Referrers()
	if refs == nil || depth > 3 {
		return false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == addr || putBack(r) {
				continue // its address is kept; reads through it see the same value
			}
			if *all = append(*all, r); differentValues(*all) > most {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			// A store to a part of the variable leaves it a variable of
			// its own only if the whole is also stored; parts of a copied
			// struct that hold maps still denote the shared map.
		case *ssa.MakeClosure:
			fn, isFn := r.Fn.(*ssa.Function)
			if !isFn {
				return false
			}
			for i, bind := range r.Bindings {
				if bind == addr && i < len(fn.FreeVars) && !addStores(fn.FreeVars[i], all, most, depth+1) {
					return false
				}
			}
		}
	}
	return true
}

// putBack reports whether a store gives a variable a value that it has had, as a return does that names the result's own
// variable.
func putBack(st *ssa.Store) bool {
	read, ok := st.Val.(*ssa.UnOp)
	return ok && read.Op == token.MUL && read.X == st.Addr
}

// differentValues counts the values of some stores.
func differentValues(stores []*ssa.Store) int {
	n := 0
	for i, st := range stores {
		if !slices.ContainsFunc(stores[:i], func(earlier *ssa.Store) bool { return earlier.Val == st.Val }) {
			n++
		}
	}
	return n
}

// ResultAt returns the i-th result of a return: in a function that defers
// calls, what was put into the result variable last before the return, in its
// block.
func ResultAt(r *ssa.Return, i int) ssa.Value {
	v := r.Results[i]
	ld, ok := v.(*ssa.UnOp)
	if !ok {
		return v
	}
	res, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	for _, instr := range slices.Backward(r.Block().Instrs) {
		if st, ok := instr.(*ssa.Store); ok && st.Addr == ssa.Value(res) {
			return st.Val
		}
	}
	return Spilled(v)
}

// Returned is ResultAt, but where a literal has the result variable, or a function its address: that may
// set it at the end.
func Returned(r *ssa.Return, i int) ssa.Value {
	if ld, ok := r.Results[i].(*ssa.UnOp); ok {
		if cell, ok := ld.X.(*ssa.Alloc); ok && (Captured(cell) || GivenAway(cell)) {
			return Spilled(ld)
		}
	}
	return ResultAt(r, i)
}

// GivenAway reports whether a function gets the address of a variable: it may set it.
func GivenAway(cell *ssa.Alloc) bool {
	return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		_, call := r.(ssa.CallInstruction)
		return call
	})
}

// Allocates reports whether v is a variable or a map that is made where it stands.
func Allocates(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
		return true
	}
	return false
}
