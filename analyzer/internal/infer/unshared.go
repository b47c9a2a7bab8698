package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Unshared reports whether an access is made only where a flag of the map's object says that it is not shared: where the flag
// says otherwise, the package takes the map's lock, and nothing changes the flag once the object is made.
// Complexity: linear in the blocks that dominate the access.
func (p *Package) Unshared(f *Func, a *access.Access) bool {
	if f.SSA == nil || int(a.Point.Block) >= len(f.SSA.Blocks) || !a.Path.Known() {
		return false
	}
	for flag := range p.flagsAt(f.SSA.Blocks[a.Point.Block]) {
		if !a.Path.HasPrefix(flag.object) {
			continue
		}
		for _, lock := range p.lockedUnless()[flagValue{flag.field, flag.holds}] {
			if p.keeps(lock, a.Path.Location()) {
				return true
			}
		}
	}
	return false
}

// A flagValue is a bool field, and what it says.
type flagValue struct {
	field *types.Var
	says  bool
}

// A flagAt is what is known of a flag of an object at a place.
type flagAt struct {
	field  *types.Var
	object accesspath.Path
	holds  bool
}

// flagsAt yields what the branches that lead to a block have asked of flags.
func (p *Package) flagsAt(b *ssa.BasicBlock) func(yield func(flagAt) bool) {
	return func(yield func(flagAt) bool) {
		for d := b.Idom(); d != nil; d = d.Idom() {
			br, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
			if !ok {
				continue
			}
			cond, not := ssautil.Unnegated(br.Cond)
			ld, ok := cond.(*ssa.UnOp)
			if !ok {
				continue
			}
			fa, ok := ld.X.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			for i, to := range d.Succs {
				if len(to.Preds) == 1 && to.Dominates(b) && !yield(flagAt{ssautil.FieldOf(fa).Origin(), p.Paths.Of(fa.X), not != (i == 0)}) {
					return
				}
			}
		}
	}
}

// lockedUnless returns the locks that the package takes unless a flag of their object says so, and never where it does.
func (p *Package) lockedUnless() map[flagValue][]*types.Var {
	if p.unless != nil {
		return p.unless
	}
	p.unless = make(map[flagValue][]*types.Var)
	for _, f := range p.Funcs {
		for i := range f.Locking {
			l := &f.Locking[i]
			if !l.Acquire || f.SSA == nil || int(l.Point.Block) >= len(f.SSA.Blocks) {
				continue
			}
			for flag := range p.flagsAt(f.SSA.Blocks[l.Point.Block]) {
				if v := l.Lock.Location().Var; v != nil && l.Lock.HasPrefix(flag.object) && p.setAtFirst(flag.field) {
					key := flagValue{flag.field, !flag.holds}
					p.unless[key] = append(p.unless[key], v)
				}
			}
		}
	}
	return p.unless
}

// setAtFirst reports whether nothing sets a flag once its object is made, as far as the package shows.
func (p *Package) setAtFirst(flag *types.Var) bool {
	return !flag.Exported() && !slices.ContainsFunc(p.changes()[flag], func(c change) bool {
		return c.of == nil || !ssautil.Allocates(c.of) || p.shownBefore(c.of, c.at)
	})
}

// keeps reports whether some access of a map holds a lock.
func (p *Package) keeps(lock *types.Var, loc accesspath.Location) bool {
	return slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return slices.ContainsFunc(f.Accesses, func(a access.Access) bool {
			if a.Path.Location() != loc {
				return false
			}
			for _, h := range a.Held.Held() {
				if h.Lock.Location().Var == lock {
					return true
				}
			}
			return false
		})
	})
}
