package ssautil

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A list of functions that is written out has each of them once, mostly; a loop over it that starts a goroutine in each round
// starts one for each function.

// Chosen returns the list from which a function value comes whose elements a loop takes one after the other, and what counts
// the rounds; also where a variable of the round has the value, in a literal, too. No counter if it is no value of that kind.
func Chosen(v ssa.Value) (list []ssa.Value, counter ssa.Value) {
	load, ok := Unwrap(v).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, nil
	}
	from := load.X
	if captured, ok := from.(*ssa.FreeVar); ok {
		from = Binding(captured)
	}
	switch from := from.(type) {
	case *ssa.Alloc:
		stored, ok := SoleStore(from).(*ssa.UnOp)
		if !ok || stored.Op != token.MUL {
			return nil, nil
		}
		elem, ok := stored.X.(*ssa.IndexAddr)
		if !ok {
			return nil, nil
		}
		return WrittenOut(elem.X), elem.Index
	case *ssa.IndexAddr:
		return WrittenOut(from.X), from.Index
	}
	return nil, nil
}

// WrittenOut returns the elements of a list that is written out, and used for nothing but its elements and its length.
func WrittenOut(list ssa.Value) []ssa.Value {
	whole, ok := list.(*ssa.Slice)
	if !ok || whole.Low != nil || whole.High != nil {
		return nil
	}
	array, ok := whole.X.(*ssa.Alloc)
	if !ok || slices.ContainsFunc(*whole.Referrers(), func(use ssa.Instruction) bool { return !onlyReads(use) }) {
		return nil
	}
	var out []ssa.Value
	for _, use := range *array.Referrers() {
		at, ok := use.(*ssa.IndexAddr)
		if !ok {
			if use != ssa.Instruction(whole) {
				return nil
			}
			continue
		}
		k, ok := at.Index.(*ssa.Const)
		if !ok || len(*at.Referrers()) != 1 || k.Int64() != int64(len(out)) || len(out) == MaxStages {
			return nil
		}
		st, ok := (*at.Referrers())[0].(*ssa.Store)
		if !ok {
			return nil
		}
		out = append(out, st.Val)
	}
	return out
}

// onlyReads reports whether an instruction reads the elements of a list, or its length.
func onlyReads(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.IndexAddr:
		return !slices.ContainsFunc(*use.Referrers(), func(r ssa.Instruction) bool {
			load, ok := r.(*ssa.UnOp)
			return !ok || load.Op != token.MUL
		})
	case *ssa.Call:
		_, ok := LenOf(use)
		return ok
	}
	return false
}
