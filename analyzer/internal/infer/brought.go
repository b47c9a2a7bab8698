package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// BroughtTo returns the locks that may be held wherever a function has the object that it gets, and by which it comes
// to the map of an access: such objects are there from the taking of a lock to its release, as transactions are. Each
// function that makes one takes a lock, or its callers do, and one of them returns with the lock held, if only for one kind
// of object: which one this is is not known.
func (p *Package) BroughtTo(f *Func, a *access.Access) []*types.Var {
	r := a.Path.Root()
	if r.Kind != accesspath.Param || r.Fn != f.Key || r.Index >= len(f.SSA.Params) {
		return nil
	}
	owner := namedStruct(f.SSA.Params[r.Index].Type())
	if owner == nil || owner.Obj().Pkg() != p.Types {
		return nil
	}
	if p.brought == nil {
		p.brought = p.bringers()
	}
	return p.brought[owner]
}

// bringers returns the types of such objects with their locks. Complexity: linear in the package.
func (p *Package) bringers() map[*types.Named][]*types.Var {
	out, makers := make(map[*types.Named][]*types.Var), make(map[*types.Named][]*Func)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				made, ok := instr.(*ssa.Alloc)
				if !ok || !made.Heap {
					continue
				}
				if owner := namedStruct(made.Type()); owner != nil && owner.Obj().Pkg() == p.Types && !slices.Contains(makers[owner], f) {
					makers[owner] = append(makers[owner], f)
				}
			}
		}
	}
	for owner, fns := range makers {
		var left []*types.Var
		if slices.ContainsFunc(fns, func(f *Func) bool { return !p.locksAround(f, &left) }) {
			continue
		}
		if len(left) > 0 {
			out[owner] = left
		}
	}
	return out
}

// locksAround reports whether a function takes a lock, or each function that calls it does. It adds the locks with which
// these may return.
func (p *Package) locksAround(f *Func, left *[]*types.Var) bool {
	if locksIn(f, left) {
		return true
	}
	sites := p.sites()[f]
	return len(sites) > 0 && !f.Ctx.Open() && !slices.ContainsFunc(sites, func(s site) bool { return !locksIn(s.caller, left) })
}

func locksIn(f *Func, left *[]*types.Var) bool {
	takes := false
	for _, step := range f.Locking {
		if !step.Acquire {
			continue
		}
		takes = true
		v := step.Lock.Location().Var
		released := slices.ContainsFunc(f.Locking, func(s summary.LockStep) bool { return !s.Acquire && s.Lock.Location().Var == v })
		if v != nil && !released && !slices.Contains(*left, v) {
			*left = append(*left, v)
		}
	}
	return takes
}
