package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// findAliases finds the locks that go by two names: fields that point to a
// lock, and every store of which in the package stores a pointer to one and
// the same other field or variable. An object that is made with its owner's
// mutex is locked when the owner is. Which owner that is remains unknown, so who
// holds the owner's holds the object's perhaps. Who holds the object's holds that of
// some owner, if no other package can set the field, and perhaps, if one can.
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
	p.aliases, p.behind = make(map[*types.Var]*types.Var), make(map[*types.Var]accesspath.Path)
	for field, lock := range stored {
		if lock != nil && lock != field {
			p.aliases[lock] = field
			if field.Exported() {
				p.aliases[field] = lock
			} else {
				p.behind[field] = p.Paths.Root(accesspath.Root{Kind: accesspath.Place, Obj: lock})
			}
		}
	}
	if len(p.aliases) == 0 {
		return
	}
	for _, f := range p.Funcs {
		f.aliases, f.behind = p.aliases, p.behind
	}
}

// noteAlias notes what a store puts into a field that points to a lock.
func (p *Package) noteAlias(stored map[*types.Var]*types.Var, st *ssa.Store) {
	addr, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || !transfer.PointsToLock(st.Val.Type()) {
		return
	}
	s, ok := ssautil.Pointee(addr.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return
	}
	field := s.Field(addr.Field).Origin()
	lock := p.wrapped(st.Val).Location()
	if lock.Elems > 0 {
		lock.Var = nil
	}
	if before, seen := stored[field]; seen && before != lock.Var {
		lock.Var = nil
	}
	stored[field] = lock.Var
}

// wrapped returns the lock that a value is, or that it takes in itself where it is
// of a type of this package whose Lock does more.
func (p *Package) wrapped(v ssa.Value) accesspath.Path {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		obj, _, _ := types.LookupFieldOrMethod(mi.X.Type(), true, p.Types, "Lock")
		if m, ok := obj.(*types.Func); ok && m.Pkg() == p.Types {
			if f := p.byKey[any(m.Origin())]; f != nil && len(f.Effect.Takes()) == 1 {
				return f.Effect.Takes()[0].Lock
			}
		}
	}
	return p.Paths.Of(v)
}

// withOwners adds the locks that are held, in some object, where the fields that
// name the held ones point to them.
func withOwners(behind map[*types.Var]accesspath.Path, held []locks.Held) []locks.Held {
	for _, h := range held {
		loc := h.Lock.Location()
		if owners, ok := behind[loc.Var]; ok && loc.Elems == 0 {
			h.Lock = owners
			held = append(held[:len(held):len(held)], h)
		}
	}
	return held
}
