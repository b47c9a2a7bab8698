package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// one is the number 1, and none a list that is left out.
var (
	one  = accesspath.Root{Kind: accesspath.Const, Const: "1"}
	none = accesspath.Root{Kind: accesspath.Const, Const: "nil"}
)

// Lone reports whether a call of f starts one goroutine at a time only, though it could start several: how many there are,
// each call of f says, and says that it is one. Calls in other packages count as soon as all of them are known.
func (p *Package) Lone(f *Func, c *summary.Call) bool {
	return c.Start != nil && c.Room.Known() && p.givenOne(f, c.Room.Root(), maxTogether)
}

// givenOne reports whether each call of f gives it the number 1, or no list, for a parameter.
func (p *Package) givenOne(f *Func, param accesspath.Root, depth int) bool {
	if depth == 0 || param.Kind != accesspath.Param || param.Fn != f.Key || f.Ctx.Root || f.Ctx.Escaped {
		return false
	}
	sites := slices.Concat(p.outerSites(f), p.sites()[f])
	for _, s := range sites {
		if param.Index >= len(s.call.Args) || s.call.Args[param.Index].Depth() > 0 {
			return false
		}
		switch r := s.call.Args[param.Index].Root(); {
		case r == one, r == none:
		case r.Kind == accesspath.Param && s.caller.SSA != nil && p.givenOne(s.caller, r, depth-1):
		default:
			return false
		}
	}
	return len(sites) > 0
}
