package infer

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Unshared reports whether an access is made only where a flag of the map's object says that it is not shared: where the flag
// says otherwise, the package takes the map's lock, and nothing changes the flag once the object is made.
// Complexity: linear in the blocks that dominate the access.
func (p *Package) Unshared(f *Func, a *access.Access) bool {
	at := a.Point.Instr(f.SSA)
	if at == nil || !a.Path.Known() {
		return false
	}
	for flag := range p.flagsAt(at.Block()) {
		keeps := func(lock *types.Var) bool { return p.keeps(lock, a.Path.Location()) }
		if a.Path.HasPrefix(flag.object) && slices.ContainsFunc(p.lockedUnless()[flag.flagValue], keeps) {
			return true
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
	flagValue
	object accesspath.Path
}

// flagsAt yields what the branches that lead to a block have asked of flags.
func (p *Package) flagsAt(b *ssa.BasicBlock) iter.Seq[flagAt] {
	return func(yield func(flagAt) bool) {
		for d := b.Idom(); d != nil; d = d.Idom() {
			field, not := flagAsked(d)
			if field == nil {
				continue
			}
			for i, to := range d.Succs {
				if len(to.Preds) != 1 || !to.Dominates(b) {
					continue
				}
				says := flagValue{ssautil.FieldOf(field).Origin(), not != (i == 0)}
				if !yield(flagAt{says, p.Paths.Of(field.X)}) {
					return
				}
			}
		}
	}
}

// flagAsked returns the field that the branch at the end of a block asks for, nil if it asks for something else, and whether it
// asks for the opposite.
func flagAsked(b *ssa.BasicBlock) (field *ssa.FieldAddr, not bool) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, false
	}
	cond, not := ssautil.Unnegated(br.Cond)
	if ld, ok := cond.(*ssa.UnOp); ok {
		field, _ = ld.X.(*ssa.FieldAddr)
	}
	return field, not
}

// lockedUnless returns the locks that the package takes unless a flag of their object says so: not those that it takes whatever the
// flag says, as one in two modes.
func (p *Package) lockedUnless() map[flagValue][]*types.Var {
	if p.unless != nil {
		return p.unless
	}
	p.unless = make(map[flagValue][]*types.Var)
	for _, f := range p.Funcs {
		for i := range f.Locking {
			l := &f.Locking[i]
			at, lock := l.Point.Instr(f.SSA), l.Lock.Location().Var
			if !l.Acquire || at == nil || lock == nil {
				continue
			}
			for flag := range p.flagsAt(at.Block()) {
				if l.Lock.HasPrefix(flag.object) && p.SetAtFirst(flag.field) {
					unless := flagValue{flag.field, !flag.says}
					p.unless[unless] = append(p.unless[unless], lock)
				}
			}
		}
	}
	for flag, taken := range p.unless { // what is taken either way tells nothing
		other := p.unless[flagValue{flag.field, !flag.says}]
		either := func(lock *types.Var) bool { return slices.Contains(other, lock) }
		if !flag.says || !slices.ContainsFunc(taken, either) {
			continue
		}
		p.unless[flagValue{flag.field, !flag.says}] = slices.DeleteFunc(slices.Clone(other), func(lock *types.Var) bool { return slices.Contains(taken, lock) })
		p.unless[flag] = slices.DeleteFunc(slices.Clone(taken), either)
	}
	return p.unless
}

// SetAtFirst reports whether nothing sets a field once its object is made, as far as the package shows.
func (p *Package) SetAtFirst(field *types.Var) bool {
	return !field.Exported() && field.Pkg() == p.Types && !slices.ContainsFunc(p.changes()[field.Origin()], func(c change) bool {
		return c.of == nil || !ssautil.Allocates(c.of) || p.shownBefore(c.of, c.at)
	})
}

// keeps reports whether some access of a map holds a lock.
func (p *Package) keeps(lock *types.Var, loc accesspath.Location) bool {
	is := func(h locks.Held) bool { return h.Lock.Location().Var == lock }
	return slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return slices.ContainsFunc(f.Accesses, func(a access.Access) bool {
			return a.Path.Location() == loc && slices.ContainsFunc(a.Held.Held(), is)
		})
	})
}
