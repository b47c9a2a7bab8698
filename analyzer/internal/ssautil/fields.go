package ssautil

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// PutIn returns what is stored in a variable, or in a field of the object that it is.
func PutIn(cell *ssa.Alloc) []ssa.Value {
	out := storedAt(cell)
	for _, r := range *cell.Referrers() {
		if field, ok := r.(*ssa.FieldAddr); ok {
			out = append(out, storedAt(field)...)
		}
	}
	return out
}

// storedAt returns what is stored by the name of an address.
func storedAt(addr ssa.Value) (out []ssa.Value) {
	for _, r := range *addr.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
			out = append(out, st.Val)
		}
	}
	return out
}

// FieldsSet yields the fields of an object that are set where it is known by v, each by one store alone, with what they are set to.
func FieldsSet(v ssa.Value) iter.Seq2[*ssa.FieldAddr, ssa.Value] {
	return func(yield func(*ssa.FieldAddr, ssa.Value) bool) {
		for _, r := range *v.Referrers() {
			field, ok := r.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			if vals := storedAt(field); len(vals) == 1 && !yield(field, vals[0]) {
				return
			}
		}
	}
}

// MadeFor returns the object that a function makes for its i-th result, if it returns no other one, but for nil.
func MadeFor(fn *ssa.Function, i int) (made *ssa.Alloc) {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || IsNil(ResultAt(ret, i)) {
			continue
		}
		x, ok := Unwrap(ResultAt(ret, i)).(*ssa.Alloc)
		if !ok || made != nil && made != x {
			return nil
		}
		made = x
	}
	return made
}
