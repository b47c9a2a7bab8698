package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Retired reports whether an access is made by the one who has set a flag beside the map, for good, where all others that come
// to the map have found the flag unset in the section of the lock under which it is set: they are done with the map by
// then, or refuse. Complexity: for each flag beside the map, linear in the functions that use it.
func (p *Package) Retired(f *Func, a *access.Access) bool {
	if a.Spawned || !a.Op.Uses() || a.Path.Location().Elems > 0 {
		return false
	}
	return slices.ContainsFunc(p.retirements(a.Path.Location()), func(s *seal) bool { return s.closes(f, a) })
}

// retirements returns what leaves a map to one who sets a flag. The answer is kept for each place.
func (p *Package) retirements(loc accesspath.Location) []*seal {
	if out, ok := p.retiring[loc]; ok {
		return out
	}
	if p.retiring == nil {
		p.retiring = make(map[accesspath.Location][]*seal)
	}
	var out []*seal
	for _, s := range p.sealCandidates(loc) {
		suits := func(f *Func, a *access.Access) bool { return s.closes(f, a) || s.before(f, a) }
		if s.valid() && p.usesSuit(loc, suits) {
			out = append(out, s)
		}
	}
	p.retiring[loc] = out
	return out
}

// closes reports whether an access is made by who has set the flag of the map's object.
func (s *seal) closes(f *Func, a *access.Access) bool {
	return !a.Spawned && s.claimedBy(f, a.Path.Parent(), a.Claim, maxFilling)
}

// claimedBy reports whether a function that comes to an object with a claim, or all that call it, have set the object's flag.
func (s *seal) claimedBy(f *Func, object, claim accesspath.Path, depth int) bool {
	if claim.Known() && claim.Location().Var == s.flag && claim.Parent() == object {
		return true
	}
	return s.p.atAllCalls(f, object, depth, func(x site, given accesspath.Path) bool {
		return s.claimedBy(x.caller, given, x.call.Claim, depth-1)
	})
}

// A use is what a function holds where it comes to a map, or calls what does, and whether that only reads.
type use struct {
	held    []locks.Held
	reading bool
}

// foundUnset reports whether a function comes to a use of the map only where an object's flag was found unset in the same
// section. A helper that does nothing to the lock is in that of its callers.
func (s *seal) foundUnset(f *Func, object accesspath.Path, at ssa.Instruction, u *use, depth int) bool {
	for d := at.Block().Idom(); d != nil; d = d.Idom() {
		for i := range d.Succs {
			read, set, ok := s.tells(d, i, object)
			if ok && !set && ssautil.DominatesEdge(d, i, at.Block()) && s.sameSection(f, object, read, u) && s.quiet(f, object, read, at) {
				return true
			}
		}
	}
	locked := func(l summary.LockStep) bool { return l.Lock.Location().Var == s.lock }
	if slices.ContainsFunc(f.Locking, locked) {
		return false
	}
	return s.p.atAllCalls(f, object, depth, func(x site, given accesspath.Path) bool {
		call := x.call.Point.Instr(x.caller.SSA)
		return call != nil && !x.call.Point.Deferred && s.foundUnset(x.caller, given, call, &use{x.call.Held.Held(), u.reading}, depth-1)
	})
}

// atAllCalls reports whether all that call a function are known, run it in place, and suit, each with the name that it has for an
// object of the function.
func (p *Package) atAllCalls(f *Func, object accesspath.Path, depth int, suits func(site, accesspath.Path) bool) bool {
	sites := p.sites()[f]
	if depth == 0 || len(sites) == 0 || f.Ctx.Open() || f.Ctx.Escaped {
		return false
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		given := givenTo(f, s, object)
		return !s.call.Kind.InPlace() || object.Known() != given.Known() || !suits(s, given)
	})
}
