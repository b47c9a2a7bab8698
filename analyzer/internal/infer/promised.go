package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// What the documentation of a function asks of its callers, that they hold a lock, holds in what it calls as well: which lock that
// is nothing may tell, and so it is in no context. A function of which all callers are known runs with such a lock if each of them is
// asked for one, or runs so itself, and has not let one go.

// findPromised finds the functions that run with a lock which the callers of others are asked for: a least solution.
func (p *Package) findPromised(sites map[*Func][]site) {
	for changed := true; changed; {
		changed = false
		for _, f := range slices.Backward(p.order) {
			if !f.Is(role.CallerLocks) && !f.Ctx.Open() && !f.Ctx.Escaped && len(f.Ctx.Usual) == 0 && promise(sites[f]) {
				f.promised, changed = true, true
			}
		}
	}
}

// promise reports whether all calls are made with a lock that callers are asked for.
func promise(sites []site) bool {
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s site) bool {
		return !s.call.Kind.InPlace() || !s.caller.Is(role.CallerLocks) || len(s.call.Held.Left()) > 0
	})
}
