package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// The lock of a wrapper guards what the wrapper leads to. Whether it guards all objects of that type depends on whose they
// are: those that the wrapper makes are its own, and who has one of them has it from there. Where the wrapper is put around
// an object that its maker's caller has already, the type is plain data, which others use without a wrapper, copies and
// states of one operation: its methods need the lock where the wrapper calls them.

// comesFrom reports whether the map of an access is one of those that the guard
// protects, as far as something shows it: a caller may hand the function an object
// that it has from the lock's.
func (j *Judge) comesFrom(g *guard.Guard, s *infer.Site) bool {
	loc := s.Acc.Path.Location()
	wraps := j.wrapsGiven(g, j.Place(loc))
	leads := func(p accesspath.Path) bool {
		return j.Guards.Leads(g, p) && !wraps || j.Guards.Through(g, p)
	}
	if leads(s.Acc.Path) {
		return true
	}
	for _, f := range j.Pkg.Funcs {
		if slices.ContainsFunc(f.Accesses, func(a access.Access) bool {
			if !a.Lifted || a.At() != s.Acc.At() || a.Path.Location() != loc || !leads(a.Path) {
				return false
			}
			_, held := j.Guards.Holds(g, f.Effective(&a), a.Path)
			return !wraps || !held
		}) {
			return true
		}
	}
	return false
}

// wrapsGiven reports whether a guard that is known from use is the lock of a wrapper: where it is held, the way from its
// object to the map leads through a pointer, or an interface, that the package sets to what others have.
func (j *Judge) wrapsGiven(g *guard.Guard, pl *infer.Place) bool {
	return g.How == guard.Used && g.Lock.IsField() && slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		for _, h := range s.Held {
			if base := h.Lock.Base(); h.Lock.Location().Var == g.Lock && base.Known() && j.givenBetween(base, s.Acc.Path.Base()) {
				return true
			}
		}
		return false
	})
}

// givenBetween reports whether an object is a part of another one by a field that is set to what others have.
func (j *Judge) givenBetween(whole, part accesspath.Path) bool {
	for p := part; p.Known() && p != whole && p.HasPrefix(whole); p = p.Parent() {
		if f := p.LastField(); f != nil && refers(f.Type()) && j.Pkg.GivenTo(f) {
			return true
		}
	}
	return false
}

// refers reports whether a variable of a type tells where an object is, rather than being it.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}
