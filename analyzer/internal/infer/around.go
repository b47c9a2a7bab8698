package infer

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// maxAround bounds the callers of callers that are asked for the lock of an object around.
const maxAround = 4

// HeldAround reports whether the lock of a field is held where f comes to an object at a path: by f itself, or by each of
// its callers, and the path begins at the object that has the lock. What such an object leads to is reached under
// its lock alone, as far as these ways go.
func (p *Package) HeldAround(f *Func, held []locks.Held, path accesspath.Path, lock *types.Var) bool {
	return p.heldAround(f, held, path, lock, maxAround)
}

func (p *Package) heldAround(f *Func, held []locks.Held, path accesspath.Path, lock *types.Var, steps int) bool {
	if slices.ContainsFunc(held, func(h locks.Held) bool {
		return h.Lock.Location().Var == lock && h.Lock.Depth() > 0 && path.HasPrefix(h.Lock.Parent())
	}) {
		return true
	}
	r, sites := path.Root(), p.sites()[f]
	if steps == 0 || r.Kind != accesspath.Param || r.Fn != f.Key || f.Ctx.Open() || f.Ctx.Escaped || len(sites) == 0 {
		return false
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		if !s.call.Kind.InPlace() || r.Index >= len(s.call.Args) {
			return true
		}
		return !p.heldAround(s.caller, s.call.Held.Held(), s.call.Args[r.Index], lock, steps-1)
	})
}
