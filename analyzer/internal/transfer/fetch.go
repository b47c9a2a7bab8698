package transfer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
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

// detached reports whether the map at p was taken out of its field before
// instr: the field was read, then given another value, and not read again.
// Whoever took it out under the lock has it alone.
func (a *analysis) detached(p accesspath.Path, instr ssa.Instruction) bool {
	field := p.Trunk()
	for _, st := range a.storeInstrs(field) {
		if !ssautil.Dominates(st, instr) {
			continue
		}
		read := false
		for _, ld := range a.loadInstrs(field) {
			if ld == instr || !ssautil.Dominates(ld, instr) {
				continue
			}
			read = ssautil.Dominates(ld, st)
			if !read {
				break
			}
		}
		if read {
			return true
		}
	}
	return false
}

func (a *analysis) storeInstrs(p accesspath.Path) []ssa.Instruction {
	a.indexMemory()
	return a.storesAt[p]
}

func (a *analysis) loadInstrs(p accesspath.Path) []ssa.Instruction {
	a.indexMemory()
	return a.loadsAt[p]
}

// indexMemory lists the function's reads and writes of fields and variables by
// their path.
func (a *analysis) indexMemory() {
	if a.storesAt != nil {
		return
	}
	a.storesAt = make(map[accesspath.Path][]ssa.Instruction)
	a.loadsAt = make(map[accesspath.Path][]ssa.Instruction)
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
			case *ssa.UnOp:
				if at := a.Paths.Of(instr.X); instr.Op == token.MUL && !accesspath.Renames(instr.X, at) {
					a.loadsAt[at] = append(a.loadsAt[at], instr)
				}
			}
		}
	}
}
