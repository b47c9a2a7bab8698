package witness

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// complete reports whether nothing changes the map of an access any more: what the
// package puts in, it puts in where it makes the map, in the section in which the
// place is given it, and here that section is over. A map that was fetched under the
// guard is such a one. So is what is in the place behind a section of the guard that
// fills it if there is none yet, where it is never given another. What another package does with its own maps
// is not in sight.
func (j *Judge) complete(pl *infer.Place, g *guard.Guard, s *infer.Site) bool {
	return j.unchanging(pl, g, s) && (j.fetchedUnder(g, s) || givenOnce(pl) && j.afterMaking(g, s))
}

// unchanging reports whether nothing changes the map of an access but what makes it.
func (j *Judge) unchanging(pl *infer.Place, g *guard.Guard, s *infer.Site) bool {
	if v := pl.Loc.Var; v == nil || v.Pkg() != j.Pkg.Types {
		return false
	}
	return !s.Acc.Op.Writes() && !j.making(g, s) && j.madeWhole(pl, g) && !j.innerChanged(pl)
}

// givesWhole reports whether a function returns a map that is made once, and never changed in
// place afterwards, before it would make it itself. Where it comes to a map in the making, that
// is the read's fault.
func (j *Judge) givesWhole(pl *infer.Place, g *guard.Guard, s *infer.Site) bool {
	return s.Acc.Op == access.Return && givenOnce(pl) && j.unchanging(pl, g, s) && !slices.ContainsFunc(s.Func.Accesses, func(a access.Access) bool {
		return a.Op == access.Assign && a.Path == s.Acc.Path && s.Func.Flow.MayPrecede(a.Point, s.Acc.Point)
	})
}

// FilledWhole reports whether the maps that a place is given are each filled in the section of the
// guard that makes them, and not changed any more.
func (j *Judge) FilledWhole(loc accesspath.Location) bool {
	g := j.Guards.Of(loc)
	return g != nil && loc.Var != nil && loc.Var.Pkg() == j.Pkg.Types && j.madeWhole(j.Place(loc), g) && !j.innerChanged(j.Place(loc))
}

// getsWhole reports whether an access reads a map of another package, which gives it away once it is complete, and nothing
// here changes its entries.
func (j *Judge) getsWhole(pl *infer.Place, g *guard.Guard, s *infer.Site) bool {
	if !g.Whole || s.Acc.Op.Writes() || pl.Loc.Elems > 0 {
		return false
	}
	return !slices.ContainsFunc(pl.Sites, func(b infer.Site) bool { return !b.Acc.Imported && b.Acc.Op.ChangesEntries() })
}

// madeWhole reports whether each change in place is a part of the making of the map.
func (j *Judge) madeWhole(pl *infer.Place, g *guard.Guard) bool {
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op.ChangesEntries() && !j.making(g, &s)
	})
}

// innerChanged reports whether something changes the maps in a map.
func (j *Judge) innerChanged(pl *infer.Place) bool {
	inner := pl.Loc
	inner.Elems++
	return slices.ContainsFunc(j.Place(inner).Sites, func(s infer.Site) bool { return !s.Exempt && s.Acc.Op.Writes() })
}

// making reports whether an access comes in a section of the guard in which the
// function has given the place a map of its own before.
func (j *Judge) making(g *guard.Guard, s *infer.Site) bool {
	if mode, ok := j.Guards.Holds(g, s.Held, s.Acc.Path); !ok || mode != locks.Write || s.Acc.Spawned {
		return false
	}
	made := false
	for i := range s.Func.Accesses {
		a := &s.Func.Accesses[i]
		if a.Op != access.Assign || a.Path != s.Acc.Path || !s.Func.Flow.MayPrecede(a.Point, s.Acc.Point) {
			continue
		}
		if a.Lifted || a.Spawned || !newMap(a) {
			return false // it may be another map by now, which others have
		}
		made = made || s.Func.Flow.Dominates(a.Point, s.Acc.Point) && locks.SameSections(a.Held, s.Acc.Held)
	}
	return made
}

// newMap reports whether an assignment gives a map that is made for it.
func newMap(a *access.Access) bool {
	_, made := a.Value.Root().Val.(*ssa.MakeMap)
	return a.Empty || made && a.Value.Depth() == 0
}

// givenOnce reports whether a place is given a map only where it has none.
func givenOnce(pl *infer.Place) bool {
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op == access.Assign && (!s.Acc.First || s.Acc.Stored == access.StoredNone)
	})
}

// afterMaking reports whether the function has been through a section of the guard,
// its own or a callee's, that gives the place a map where it has none.
func (j *Judge) afterMaking(g *guard.Guard, s *infer.Site) bool {
	f := s.Func
	return slices.ContainsFunc(f.Accesses, func(test access.Access) bool {
		if test.Op != access.NilTest || test.Path != s.Acc.Path || test.Spawned || !f.Flow.Dominates(test.Point, s.Acc.Point) {
			return false
		}
		if _, ok := j.Guards.Holds(g, f.Effective(&test), test.Path); !ok {
			return false
		}
		return slices.ContainsFunc(f.Accesses, func(a access.Access) bool { return a.Path == test.Path && a.First && decidedBy(&test, &a) })
	})
}

// decidedBy reports whether an assignment stands in the section of a test, or in the
// callee that makes it.
func decidedBy(test, a *access.Access) bool {
	if test.Lifted || a.Lifted {
		return test.Lifted && a.Lifted && test.Point == a.Point
	}
	return locks.SameSections(test.Held, a.Held)
}

// registered reports whether a variable is only read here, and changed by
// functions alone that by their names register something: they act on what they
// find under the key, and the package itself calls them while it is initialised,
// and then only. Code that registers later, while others read, is not in sight.
func (j *Judge) registered(pl *infer.Place, read *infer.Site) bool {
	if read.Acc.Op.Writes() {
		return false
	}
	changes := 0
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || !s.Acc.Op.Writes() {
			continue
		}
		if s.Acc.Path.Root().Kind != accesspath.Global || !s.Func.Is(role.Registration) || !j.atInit(s.Func) {
			return false
		}
		changes++
	}
	return changes > 0
}

// atInit reports whether the package calls f, and while it is initialised only.
func (j *Judge) atInit(f *infer.Func) bool {
	sites := j.Pkg.CallersOf(f)
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s infer.CallSite) bool {
		return !s.Caller.Ctx.InitOnly || s.Call.Kind != summary.Direct
	})
}
