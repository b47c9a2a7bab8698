package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// findTakenOff finds the accesses to maps of objects that a function has taken out of their place, where it has put
// another object: buffers that change places under a lock. It has such a map alone if the package comes
// to the maps of these objects through that place, and otherwise only where it makes the objects, or has taken
// them out: who comes by the place from then on comes to the other object.
func (p *Package) findTakenOff() {
	only := make(map[[2]*types.Var]bool)
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			if a.Off == nil {
				continue
			}
			key := [2]*types.Var{a.Path.Location().Var, a.Off}
			alone, known := only[key]
			if !known {
				alone = p.onlyThrough(key[0], key[1])
				only[key] = alone
			}
			if alone {
				a.Taken, a.Fresh = ownership.Owned, true
			}
		}
	}
}

// onlyThrough reports whether the package comes to the map in a field only through a place that holds the object.
func (p *Package) onlyThrough(field, place *types.Var) bool {
	if field == nil || field == place || field.Exported() && place.Exported() {
		return false
	}
	sites := p.sites()
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			if a.Path.Location().Var == field && a.Off != place && a.Own != ownership.Owned && !p.through(f, a, place, sites) {
				return false
			}
		}
	}
	return true
}

// through reports whether the object of an access is the one in a place, by the access path or, for a method
// of the object, at all calls in the package.
func (p *Package) through(f *Func, a *access.Access, place *types.Var, sites map[*Func][]site) bool {
	object := a.Path.Parent()
	ofItself := func(h locks.Held) bool { return h.Lock.Depth() > object.Depth() && h.Lock.HasPrefix(object) }
	if a.Earlier || slices.ContainsFunc(a.Held.Held(), ofItself) {
		return false // it may have been found while it was there, or its own lock keeps others out
	}
	for object.Depth() > 0 && object.IsElem() {
		object = object.Parent()
	}
	if object.LastField() == place {
		return true
	}
	r := object.Root()
	if r.Kind == accesspath.Global {
		return r.Obj == types.Object(place)
	}
	if object.Depth() > 0 || r.Kind != accesspath.Param || r.Fn != f.Key || f.Ctx.Open() {
		return false
	}
	for _, s := range sites[f] {
		if r.Index >= len(s.call.Args) || s.call.Args[r.Index].LastField() != place {
			return false
		}
	}
	return len(sites[f]) > 0
}

// findFilled finds the assignments to fields of an object that was put into its place under a lock, and is filled in the
// same section: nothing else has it before that ends, if the package reads the place under the lock alone.
func (p *Package) findFilled() {
	under := make(map[[2]*types.Var]bool)
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			if a.Put == nil || a.PutUnder == nil || a.Put.Exported() {
				continue
			}
			key := [2]*types.Var{a.Put, a.PutUnder}
			only, known := under[key]
			if !known {
				only = !slices.ContainsFunc(p.Funcs, func(g *Func) bool { return readsWithout(g, key[0], key[1]) })
				under[key] = only
			}
			if only {
				a.Own, a.Fresh = ownership.Owned, true
			}
		}
	}
}

// readsWithout reports whether a function reads a variable or field where it has not taken a lock itself, or was not
// called under it.
func readsWithout(f *Func, place, lock *types.Var) bool {
	if slices.ContainsFunc(f.Ctx.Entry, func(h locks.Held) bool { return h.Lock.Location().Var == lock }) {
		return false
	}
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		read, ok := instr.(*ssa.UnOp)
		if !ok || read.Op != token.MUL || ssautil.Variable(read.X) != place {
			return false
		}
		return !slices.ContainsFunc(f.Locking, func(s summary.LockStep) bool {
			taken := s.Acquire && s.Lock.Location().Var == lock
			return taken && ssautil.Dominates(s.Point.Instr(f.SSA), instr)
		})
	})
}
