package threads

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// takesOff reports whether a thread's starter takes an element off a slice, for good, each time before
// it comes to start another thread there.
func (t *Theory) takesOff(th *Thread, slice accesspath.Path) bool {
	f := th.Starter
	if f == nil || th.call == nil {
		return false
	}
	start := ssautil.CallAt(f.SSA, th.call.Pos)
	off := make(map[*ssa.BasicBlock]bool)
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			off[b] = off[b] || t.pkg.Paths.Shortens(instr, slice)
		}
	}
	return start != nil && !ssautil.Again(start.Block(), off)
}
