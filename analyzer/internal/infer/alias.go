package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// findAliases finds the locks that go by two names: fields that point to a
// lock, and every store of which in the package stores a pointer to one and
// the same other field or variable. An object that is made with its owner's
// mutex is locked when the owner is. Which owner that is remains unknown, so who
// holds the one holds the other perhaps.
func (p *Package) findAliases() {
	stored := make(map[*types.Var]*types.Var) // nil when they differ
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if st, ok := instr.(*ssa.Store); ok {
					p.noteAlias(stored, st)
				}
			}
		}
	}
	p.aliases = make(map[*types.Var]*types.Var)
	for field, lock := range stored {
		if lock != nil && lock != field {
			p.aliases[lock], p.aliases[field] = field, lock
		}
	}
	if len(p.aliases) == 0 {
		return
	}
	for _, f := range p.Funcs {
		f.aliases = p.aliases
	}
}

// noteAlias notes what a store puts into a field that points to a lock.
func (p *Package) noteAlias(stored map[*types.Var]*types.Var, st *ssa.Store) {
	addr, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || !pointsToLock(st.Val.Type()) {
		return
	}
	s, ok := ssautil.Pointee(addr.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return
	}
	field := s.Field(addr.Field).Origin()
	lock := p.Paths.Of(st.Val).Location()
	if lock.Elems > 0 {
		lock.Var = nil
	}
	if before, seen := stored[field]; seen && before != lock.Var {
		lock.Var = nil
	}
	stored[field] = lock.Var
}

func pointsToLock(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return model.IsMutex(t)
	}
	return false
}
