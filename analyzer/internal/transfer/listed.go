package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// listedAgain reports whether a list may have one function several times: it is a literal that a loop comes to, or that
// goes to several places.
func (a *analysis) listedAgain(list ssa.Value, t *target) bool {
	lit, ok := t.key.(*ssa.Function)
	if _, several := list.Type().Underlying().(*types.Slice); !several || !ok {
		return false
	}
	if lit.Parent() != a.fn {
		return true
	}
	var made []*ssa.MakeClosure
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == lit {
				made = append(made, c)
			}
		}
	}
	return len(made) != 1 || a.reach.InLoop(made[0]) || places(made[0]) > 1
}

// places counts the instructions that a value goes to.
func places(v ssa.Value) (n int) {
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug {
			n++
		}
	}
	return n
}
