package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// BroughtTo returns the locks that may be held wherever a function has the object that it gets, and by which it comes
// to the map of an access: such objects are there from the taking of a lock to its release, as transactions are. Each
// function that makes one takes a lock, or its callers do, and one of them returns with the lock held, if only for one kind
// of object: which one this is is not known. The package neither keeps such objects nor gives them to goroutines, and
// what they lead to stays the same.
//
// Where a function has found what a flag of such an object says, it has the lock that goes with that, by whichever way it comes
// to the map: that the object is one of the map's is for its callers to see to.
func (p *Package) BroughtTo(f *Func, a *access.Access) []*types.Var {
	if p.brought == nil {
		p.brought = p.bringers()
	}
	var out []*types.Var
	if owner := p.bearerAt(f, a.Path.Root()); owner != nil {
		out = slices.Clone(p.brought[owner])
	}
	if at := a.Point.Instr(f.SSA); at != nil && len(p.brought) > 0 {
		for flag := range p.flagsAt(at.Block()) {
			if owner := p.bearerAt(f, flag.object.Root()); owner != nil && flag.object.Depth() == 0 && len(p.brought[owner]) > 0 {
				out = append(out, p.leftWhere(owner, flag.flagValue)...)
			}
		}
	}
	return slices.DeleteFunc(out, func(lock *types.Var) bool { return releases(f, lock) })
}

// bearerAt returns the struct of this package that a function gets as its parameter, nil if that is something else.
func (p *Package) bearerAt(f *Func, r accesspath.Root) *types.Named {
	if r.Kind != accesspath.Param || r.Fn != f.Key || r.Index >= len(f.SSA.Params) {
		return nil
	}
	owner := namedStruct(f.SSA.Params[r.Index].Type())
	if owner == nil || owner.Obj().Pkg() != p.Types {
		return nil
	}
	return owner
}

// bringers returns the types of such objects with their locks. Complexity: linear in the package.
func (p *Package) bringers() map[*types.Named][]*types.Var {
	out, makers := make(map[*types.Named][]*types.Var), make(map[*types.Named][]*Func)
	kept, _ := p.putAboutTypes()
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				for _, v := range ledElsewhere(instr) {
					kept[bearerOf(v)] = true
				}
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
		if kept[owner] || slices.ContainsFunc(fns, func(f *Func) bool { return !p.locksAround(f, &left) }) {
			continue
		}
		if len(left) > 0 {
			out[owner] = left
		}
	}
	return out
}

// putAbout returns the objects that an instruction puts where others find them, or gives to a goroutine.
func putAbout(instr ssa.Instruction) []ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Go:
		return ssautil.HandedOver(&instr.Call)
	case *ssa.Send:
		return []ssa.Value{instr.X}
	case *ssa.MapUpdate:
		return []ssa.Value{instr.Value}
	case *ssa.Store:
		if _, variable := instr.Addr.(*ssa.Alloc); !variable {
			return []ssa.Value{instr.Val}
		}
	}
	return nil
}

// ledElsewhere returns the object that an instruction leads to another one with a lock, once it is made.
func ledElsewhere(instr ssa.Instruction) []ssa.Value {
	st, ok := instr.(*ssa.Store)
	if !ok || !hasLock(st.Val.Type()) {
		return nil
	}
	if at, field := st.Addr.(*ssa.FieldAddr); field {
		if _, made := at.X.(*ssa.Alloc); !made {
			return []ssa.Value{at.X}
		}
	}
	return nil
}

// hasLock reports whether a type is that of pointers to structs with a lock.
func hasLock(t types.Type) bool {
	n := namedStruct(t)
	if n == nil || !isPointer(t) {
		return false
	}
	for field := range n.Underlying().(*types.Struct).Fields() {
		if model.IsMutex(field.Type()) {
			return true
		}
	}
	return false
}

// bearerOf returns the struct type that a value is of, or leads to directly; nil if it is none.
func bearerOf(v ssa.Value) *types.Named {
	t := ssautil.Unwrap(v).Type()
	if n := namedStruct(t); n != nil {
		return n
	}
	return namedStruct(ssautil.Pointee(t))
}

// releases reports whether a function lets a lock go.
func releases(f *Func, lock *types.Var) bool {
	return slices.ContainsFunc(f.Locking, func(s summary.LockStep) bool { return !s.Acquire && s.Lock.Location().Var == lock })
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
		if v != nil && !releases(f, v) && !slices.Contains(*left, v) {
			*left = append(*left, v)
		}
	}
	return takes
}
