package ssautil

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Answers reports whether a channel is the one that was made for the answer, by
// itself or as the request has it.
func Answers(ch ssa.Value, made *ssa.MakeChan, request ssa.Value) bool {
	if ChanOf(ch) == made {
		return true
	}
	ld, ok := ch.(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := ld.X.(*ssa.FieldAddr)
	return ok && fa.Field == ReplyField(request.Type()) && fa.X == ssa.Value(cellOf(request))
}

// cellOf returns the variable that a request is, or is read from.
func cellOf(v ssa.Value) *ssa.Alloc {
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
		v = ld.X
	}
	cell, _ := v.(*ssa.Alloc)
	return cell
}

// FieldsOf returns the values of the fields of a struct that is built field by field,
// each once, in its variable or in one that is copied there.
func FieldsOf(v ssa.Value) map[int]ssa.Value {
	cell := cellOf(v)
	if cell == nil {
		return nil
	}
	out := make(map[int]ssa.Value)
	if whole := SoleStore(cell); whole != nil {
		built := cellOf(whole)
		if built == nil || !setFields(built, out) {
			return nil
		}
	}
	if !setFields(cell, out) {
		return nil
	}
	return out
}

// setFields notes what is stored to the fields of a variable; false if one is set
// twice.
func setFields(cell *ssa.Alloc, out map[int]ssa.Value) bool {
	for _, r := range *cell.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, u := range *fa.Referrers() {
			st, ok := u.(*ssa.Store)
			if !ok {
				continue
			}
			if _, twice := out[fa.Field]; twice {
				return false
			}
			out[fa.Field] = st.Val
		}
	}
	return true
}

// FuncFields returns the indices of the fields by which a struct, or what t points to, brings functions.
func FuncFields(t types.Type) (at []int) {
	st, ok := Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range st.NumFields() {
		if _, fn := st.Field(i).Type().Underlying().(*types.Signature); fn {
			at = append(at, i)
		}
	}
	return at
}
