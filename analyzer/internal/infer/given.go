package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// givenUses returns the instructions that use a parameter, or the variable that holds
// it because a literal captures it.
func givenUses(param *ssa.Parameter) []ssa.Instruction {
	var out []ssa.Instruction
	for _, r := range *param.Referrers() {
		st, ok := r.(*ssa.Store)
		cell, local := (*ssa.Alloc)(nil), false
		if ok {
			cell, local = st.Addr.(*ssa.Alloc)
		}
		switch {
		case local && st.Val == ssa.Value(param):
			for _, u := range *cell.Referrers() {
				if u != r && u.Block() != nil {
					out = append(out, u)
				}
			}
		default:
			if _, debug := r.(*ssa.DebugRef); !debug {
				out = append(out, r)
			}
		}
	}
	return out
}

// deferredIn reports whether a deletion happens when the declared function returns
// in which it stands.
func deferredIn(d ssa.CallInstruction) bool {
	if _, ok := d.(*ssa.Defer); ok {
		return d.Parent().Parent() == nil
	}
	lit := d.Parent()
	if lit.Parent() == nil || lit.Parent().Parent() != nil {
		return false
	}
	var v ssa.Value = lit
	if mc := ssautil.MakerOf(lit); mc != nil {
		v = mc
	}
	refs := v.Referrers()
	if refs == nil || len(*refs) == 0 {
		return false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Defer:
			if r.Call.Value != v {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// runsBefore reports whether a call that runs a parameter, or gets it, comes before
// a deletion on every path.
func runsBefore(param *ssa.Parameter, d ssa.CallInstruction) bool {
	for _, r := range givenUses(param) {
		if c, ok := r.(*ssa.Call); ok && ssautil.Dominates(c, d) {
			return true
		}
	}
	return false
}
