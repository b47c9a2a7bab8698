package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
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
		if a.Lifted || a.Spawned || !a.NewMap() {
			return false // it may be another map by now, which others have
		}
		made = made || s.Func.Flow.Dominates(a.Point, s.Acc.Point) && locks.SameSections(a.Held, s.Acc.Held)
	}
	return made
}

// givenOnce reports whether a place is given a map only where it has none.
func givenOnce(pl *infer.Place) bool {
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op == access.Assign && (!s.Acc.First || s.Acc.Stored == access.StoredNone)
	})
}

// afterMaking reports whether the function, or each that calls it, has been through a section
// of the guard that gives the place a map where it has none.
func (j *Judge) afterMaking(g *guard.Guard, s *infer.Site) bool {
	b := behind{Judge: j, guard: g, known: make(map[behindKey]bool)}
	return b.making(s.Func, s.Acc.Path, s.Acc.Point, maxBehind)
}

// maxBehind bounds the functions, one called by the other, from the section that makes a map to what reads it.
const maxBehind = 4

// behind is the state of one such question: what the callers of a function have been through is asked once.
type behind struct {
	*Judge
	guard *guard.Guard
	known map[behindKey]bool
}

type behindKey struct {
	fn    *infer.Func
	path  accesspath.Path
	depth int
}

// making is afterMaking for a place in a function where the map at a path is used.
func (b *behind) making(f *infer.Func, path accesspath.Path, at ssautil.Point, depth int) bool {
	return b.makesAhead(b.guard, f, path, at) || depth > 0 && b.called(f, path, depth-1)
}

// called reports whether all that call a function are known, and each has been through such a section with the object
// for which it calls, by a path that leads to no other one by then. What it starts comes behind it, too.
func (b *behind) called(f *infer.Func, path accesspath.Path, depth int) bool {
	sites := b.Pkg.CallersOf(f)
	if len(sites) == 0 || f.Ctx.Open() || f.Ctx.Escaped {
		return false
	}
	key := behindKey{f, path, depth}
	ok, known := b.known[key]
	if !known {
		ok = !slices.ContainsFunc(sites, func(s infer.CallSite) bool {
			if s.Call.Kind != summary.Goroutine && !s.Call.Kind.InPlace() {
				return true
			}
			up := b.inCaller(f, s, path)
			return !up.Known() || !b.leadsToOne(up.Parent()) || !b.making(s.Caller, up, s.Call.Point, depth)
		})
		b.known[key] = ok
	}
	return ok
}

// inCaller expresses a path of a function in terms of its caller, the unknown path if that has no name for it.
func (j *Judge) inCaller(f *infer.Func, s infer.CallSite, path accesspath.Path) accesspath.Path {
	switch r := path.Root(); {
	case r.Kind == accesspath.Global, r.Kind == accesspath.Param && r.Fn == s.Caller.Key && s.Caller != f:
		return path // a variable of the package, or one that a literal captures
	case r.Kind == accesspath.Param && r.Fn == f.Key && r.Index < len(s.Call.Args) && s.Call.Args[r.Index].Known():
		return j.Pkg.Paths.Rebase(path, j.Pkg.Paths.Root(r), s.Call.Args[r.Index])
	}
	return accesspath.Path{}
}

// leadsToOne reports whether a path leads to one object at all times.
func (j *Judge) leadsToOne(path accesspath.Path) bool {
	v, ok := path.Root().Obj.(*types.Var)
	return j.lasts(path) && (!ok || path.Root().Kind != accesspath.Global || !j.Pkg.Replaced(v))
}

// makesAhead reports whether the function has been through such a section, its own or a callee's, when it comes to a point.
func (j *Judge) makesAhead(g *guard.Guard, f *infer.Func, path accesspath.Path, at ssautil.Point) bool {
	return slices.ContainsFunc(f.Accesses, func(test access.Access) bool {
		if !asks(&test, path) || !f.Flow.Dominates(test.Point, at) {
			return false
		}
		if _, ok := j.Guards.Holds(g, f.Effective(&test), path); !ok {
			return false
		}
		if test.Lifted {
			return f.Succeeded(test.Point, at) && j.madeBy(g, f, test.Point, path, maxBehind)
		}
		return f.MadeAt(test.Point, givenAt(f, &test), at)
	})
}

// asks reports whether an access asks whether there is a map at a path.
func asks(test *access.Access, path accesspath.Path) bool {
	return test.Op == access.NilTest && test.Path == path && !test.Spawned
}

// givenAt returns where a function gives a place a map, in the section of a test which has found none.
func givenAt(f *infer.Func, test *access.Access) (at []ssautil.Point) {
	for i := range f.Accesses {
		if a := &f.Accesses[i]; a.Path == test.Path && a.First && a.Op == access.Assign && decidedBy(test, a) {
			at = append(at, a.Point)
		}
	}
	return at
}

// madeBy reports whether what a function calls at a point goes, unless it fails, through a section of the guard that makes
// the map at a path: each function that it may be, or one that it is given to run.
func (j *Judge) madeBy(g *guard.Guard, f *infer.Func, at ssautil.Point, path accesspath.Path, depth int) bool {
	makes := func(c summary.Call) bool {
		return c.Point == at && c.Kind.InPlace() && j.makesIn(g, infer.CallSite{Caller: f, Call: &c}, path, depth)
	}
	return !slices.ContainsFunc(f.Calls, func(c summary.Call) bool {
		h := j.Pkg.Lookup(c.Callee)
		other := h != nil && c.Point == at && c.Kind.InPlace() && !makes(c)
		return other && (!h.RunsGiven() || !slices.ContainsFunc(f.Calls, makes))
	})
}

// makesIn is madeBy for one call.
func (j *Judge) makesIn(g *guard.Guard, s infer.CallSite, path accesspath.Path, depth int) bool {
	h := j.Pkg.Lookup(s.Call.Callee)
	return h != nil && slices.ContainsFunc(h.Accesses, func(t access.Access) bool {
		if !asks(&t, t.Path) || j.inCaller(h, s, t.Path) != path {
			return false
		}
		if t.Lifted {
			return depth > 0 && h.Relies(t.Point) && j.madeBy(g, h, t.Point, t.Path, depth-1)
		}
		_, inside := j.Guards.Holds(g, h.Effective(&t), t.Path)
		_, around := j.Guards.Holds(g, s.Caller.EffectiveState(s.Call.Held), path)
		return (inside || around) && h.Makes(t.Point, givenAt(h, &t))
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
