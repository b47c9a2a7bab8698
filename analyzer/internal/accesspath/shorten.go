package accesspath

import "golang.org/x/tools/go/ssa"

// Shortens reports whether an instruction gives the place of a slice the rest of it: an element that was there is in it no more, and
// the name that it had by its index is another one's.
func (b *Builder) Shortens(instr ssa.Instruction, slice Path) bool {
	st, ok := instr.(*ssa.Store)
	if !ok || b.Of(st.Addr) != slice {
		return false
	}
	rest, ok := st.Val.(*ssa.Slice)
	return ok && (rest.Low != nil || rest.High != nil) && b.Of(rest.X) == slice
}
