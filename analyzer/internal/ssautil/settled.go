package ssautil

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Settled returns what a read of a captured variable gives, where the variable
// gets one value when it comes into being and never another: that value, or in
// a literal the variable itself, which stands for it. Other values it returns as
// they are. Two reads with the same result are equal.
//
// The variable is made and set in one block, so each new one is set anew; and the
// setting dominates the read, so it comes after the latest computation of what
// is set.
func Settled(v ssa.Value) ssa.Value {
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return v
	}
	switch addr := ld.X.(type) {
	case *ssa.Alloc:
		if st := settling(addr); st != nil && Dominates(st, ld) {
			return st.Val
		}
	case *ssa.FreeVar:
		if boundSettled(addr) {
			return addr
		}
	}
	return v
}

// SettledVariable returns what a variable of a function holds for good, nil if that
// changes or is not known.
func SettledVariable(cell *ssa.Alloc) ssa.Value {
	if st := settling(cell); st != nil {
		return st.Val
	}
	return nil
}

// boundSettled reports whether a captured variable had its only value when the
// literal was made.
func boundSettled(v *ssa.FreeVar) bool {
	at := MakerOf(v.Parent())
	if at == nil {
		return false
	}
	switch cell := Binding(v).(type) {
	case *ssa.Alloc:
		st := settling(cell)
		return st != nil && Dominates(st, at)
	case *ssa.FreeVar:
		return boundSettled(cell)
	}
	return false
}

// settling returns the store that gives a variable its only value, in the block
// in which it is made; nil if there is none, others, or an address of it that goes
// where they could come from.
func settling(cell *ssa.Alloc) *ssa.Store {
	var only *ssa.Store
	if !onlyRead(cell, &only) || only == nil || only.Block() != cell.Block() {
		return nil
	}
	return only
}

// onlyRead reports whether a variable is read, captured by literals that read it,
// and set once at most.
func onlyRead(cell ssa.Value, only **ssa.Store) bool {
	refs := cell.Referrers()
	if refs == nil {
		return false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != cell || r.Val == cell || *only != nil {
				return false
			}
			*only = r
		case *ssa.MakeClosure:
			if !capturedToRead(cell, r, only) {
				return false
			}
		default:
			if !reads(r) {
				return false
			}
		}
	}
	return true
}

func capturedToRead(cell ssa.Value, made *ssa.MakeClosure, only **ssa.Store) bool {
	fn, ok := made.Fn.(*ssa.Function)
	if !ok || len(fn.FreeVars) != len(made.Bindings) {
		return false
	}
	for i, b := range made.Bindings {
		if b == cell && !onlyRead(fn.FreeVars[i], only) {
			return false
		}
	}
	return true
}

// SetBy reports whether a local variable has its zero value until a literal,
// which captures it, sets it: nothing else does, as far as captured shows its
// stores.
func SetBy(cell *ssa.Alloc, captured *ssa.FreeVar) bool {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if c, ok := r.Val.(*ssa.Const); r.Addr != ssa.Value(cell) || !ok || !IsZeroConst(c) {
				return false
			}
		case *ssa.MakeClosure:
			if r.Fn == ssa.Value(captured.Parent()) {
				continue
			}
			if !readsOnly(cell, r) {
				return false
			}
		default:
			if !reads(r) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(*captured.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return r.Addr != ssa.Value(captured)
		case *ssa.MakeClosure:
			return !readsOnly(captured, r)
		}
		return !reads(r)
	})
}

// readsOnly reports whether a literal does no more than read a variable that it
// captures.
func readsOnly(cell ssa.Value, made *ssa.MakeClosure) bool {
	var set *ssa.Store
	return capturedToRead(cell, made, &set) && set == nil
}

// reads reports whether an instruction that has a variable's address reads it.
func reads(r ssa.Instruction) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.UnOp:
		return r.Op == token.MUL
	}
	return false
}
