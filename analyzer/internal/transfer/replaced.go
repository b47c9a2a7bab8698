package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// puts reports whether the function has put an object that it makes where a path leads,
// whenever it comes to an instruction.
func (a *analysis) puts(p accesspath.Path, at ssa.Instruction) bool {
	if p.Depth() == 0 || p.LastField() == nil {
		return false
	}
	if a.madeIn == nil {
		a.madeIn = a.putsNew()
	}
	return slices.ContainsFunc(a.madeIn[p], func(st *ssa.Store) bool { return ssautil.Dominates(st, at) })
}

// putsNew returns the stores of objects that the function makes into fields of others, by
// where they put them.
func (a *analysis) putsNew() map[accesspath.Path][]*ssa.Store {
	out := make(map[accesspath.Path][]*ssa.Store)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			made, ok := st.Val.(*ssa.Alloc)
			if _, field := st.Addr.(*ssa.FieldAddr); ok && made.Heap && field {
				p := a.Paths.Of(st.Addr)
				out[p] = append(out[p], st)
			}
		}
	}
	return out
}
