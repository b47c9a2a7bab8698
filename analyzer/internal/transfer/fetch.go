package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// fetched returns the locks that were held where the map value v was read
// from its field or variable; false if it was read elsewhere, in an accessor.
func (a *analysis) fetched(v ssa.Value) (locks.State, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		s, ok := a.loads[v]
		return s, ok
	case *ssa.ChangeType:
		return a.fetched(v.X)
	}
	return locks.State{}, false
}

func (a *analysis) storeInstrs(p accesspath.Path) []ssa.Instruction {
	a.indexMemory()
	return a.storesAt[p]
}

// indexMemory lists the function's writes of fields and variables by
// their path.
func (a *analysis) indexMemory() {
	if a.storesAt != nil {
		return
	}
	a.storesAt = make(map[accesspath.Path][]ssa.Instruction)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				at := a.Paths.Of(instr.Addr)
				if accesspath.Renames(instr.Addr, at) {
					continue
				}
				a.storesAt[at] = append(a.storesAt[at], instr)
				if b, ok := instr.Val.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
					a.numberStores = append(a.numberStores, instr)
				}
			}
		}
	}
}
