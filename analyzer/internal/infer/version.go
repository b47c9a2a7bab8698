package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// OnlyCounted reports whether a counter, a field or a package-level variable, only ever goes up once its object is
// made: where it has the same value twice, nothing has counted it up in between.
func (p *Package) OnlyCounted(counter accesspath.Path) bool {
	all, known := p.allChanges(counter)
	return known && !slices.ContainsFunc(all, func(c change) bool { return !p.counts(c) && !p.inTheMaking(c) })
}

// allChanges returns the changes of a variable, false if other packages can make some, too.
func (p *Package) allChanges(variable accesspath.Path) (all []change, known bool) {
	v := variable.Location().Var
	if v == nil || v.Exported() || v.Pkg() != p.Types {
		return nil, false
	}
	return p.changes()[v.Origin()], true
}

// counts reports whether a change of a variable only counts it up, or is none. Code that gets the object leaves its
// parts alone, as is assumed of marks.
func (p *Package) counts(c change) bool {
	if call, ok := c.at.(*ssa.Call); ok {
		fn, _ := ssautil.Callee(&call.Call)
		if c.of != nil || model.ReadsFlag(fn) {
			return true
		}
	}
	return depend.CountsUp(p.Paths, c.at) != nil
}

// maxCounters bounds the callers of callers that are asked whether they count for a change that a function makes in their sections.
const maxCounters = 2

// Counts reports whether a change of a map counts a counter up in its section: by itself, or at each call of its
// function, which the package shows. The counter must suit, in the terms of the function where it is counted up.
func (p *Package) Counts(f *Func, a *access.Access, suits func(a *access.Access, counter accesspath.Path) bool) bool {
	return p.countsIn(f, a, suits, maxCounters)
}

func (p *Package) countsIn(f *Func, a *access.Access, suits func(*access.Access, accesspath.Path) bool, depth int) bool {
	if slices.ContainsFunc(a.Counts, func(c accesspath.Path) bool { return suits(a, c) }) {
		return true
	}
	calls := p.CallersOf(f)
	if depth == 0 || len(calls) == 0 || f.Ctx.Open() || f.Ctx.Escaped || len(a.Held.Held()) > 0 {
		return false
	}
	return !slices.ContainsFunc(calls, func(c CallSite) bool {
		lifted := liftedAt(c, a)
		return lifted == nil || !p.countsIn(c.Caller, lifted, suits, depth-1)
	})
}

// liftedAt returns what an access of a callee is at a call, nil if the caller does not tell.
func liftedAt(c CallSite, a *access.Access) *access.Access {
	if c.Call.Kind != summary.Direct {
		return nil
	}
	i := slices.IndexFunc(c.Caller.Accesses, func(b access.Access) bool {
		return b.Lifted && b.Point == c.Call.Point && b.At() == a.At() && b.Op == a.Op
	})
	if i < 0 {
		return nil
	}
	return &c.Caller.Accesses[i]
}
