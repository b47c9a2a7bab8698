package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// calledInTurn reports whether all known callers of a function that others can call, too, as of the methods of an interface by which
// an event loop calls what it is given, are run by one goroutine in turn; and all else that comes to the map runs in that turn, or
// is called so. A turn is no map's guard, but it is what keeps these apart.
func (j *Judge) calledInTurn(f *infer.Func, pl *infer.Place) bool {
	if !f.Is(role.Public) {
		return false
	}
	for i := range pl.Sites {
		for _, h := range pl.Sites[i].Held {
			if turn := h.Lock.Location().Var; locks.Turn(h.Lock) && j.turnOfAll(pl, turn) {
				return j.Sharing.CallersHold(f, holding(turn))
			}
		}
	}
	return false
}

// turnOfAll reports whether all that needs to be kept apart at a place has the turn, or all known callers have it there.
func (j *Judge) turnOfAll(pl *infer.Place, turn *types.Var) bool {
	has := holding(turn)
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		if !needsLock(&s) || has(s.Func, s.Held) {
			return false
		}
		return !s.Func.Is(role.Public) || !j.Sharing.CallersHold(s.Func, has)
	})
}
