package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// RefusedLater reports whether an access only reads a map whose changes are all refused once a flag beside it is set, under the
// lock under which it is set; and whether the package starts no goroutine that comes there where it has the object from elsewhere
// than its caller, so that changes can still follow. Complexity: for each flag beside the map, linear in the functions that lead there.
func (p *Package) RefusedLater(f *Func, a *access.Access) bool {
	object, ok := ownerOf(a.Path)
	if !ok || !object.Known() || a.Op.Writes() || a.Spawned {
		return false
	}
	return slices.ContainsFunc(p.seals(a.Path.Location()), func(s *seal) bool {
		return !s.startedEarly(begun{sealed{f, object}, false}, make(map[begun]bool))
	})
}

// A begun is a function with an object, and whether what is asked of runs in a goroutine of its own that the function leads to.
type begun struct {
	sealed
	apart bool
}

// startedEarly reports whether a goroutine in which a function runs, or a call that a server makes for each request, is started where
// the flag may be unset still, by who makes the object or has it from elsewhere.
func (s *seal) startedEarly(what begun, seen map[begun]bool) bool {
	if seen[what] {
		return false
	}
	seen[what] = true
	return slices.ContainsFunc(s.p.sites()[what.f], func(c site) bool {
		given, at := givenTo(what.f, c, what.object), c.call.Point.Instr(c.caller.SSA)
		if at != nil && s.behind(c.caller, given, at, flagSet)&flagSet != 0 {
			return false
		}
		apart := what.apart || c.call.Kind == summary.Goroutine || c.call.Registered
		if !given.Known() || given.Root().Kind != accesspath.Param || given.Depth() > 0 {
			return apart
		}
		return s.startedEarly(begun{sealed{c.caller, given}, apart}, seen)
	})
}
