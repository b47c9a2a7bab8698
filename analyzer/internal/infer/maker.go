package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// ByMaker reports whether the goroutine that makes an access has made the object that the map is
// a part of: the function makes it, or gets it at every call from one that does, or that has it the
// same way, in its own goroutine. Others may well know the object: two accesses of this kind
// are never made by two goroutines, since an object is made once. Complexity: linear in the calls of
// the package, once.
func (p *Package) ByMaker(s *Site) bool {
	a := s.Acc
	if s.Func == nil || a.Spawned || s.Imported() || !p.OwnParts(a.Path.Base()) {
		return false
	}
	return p.ownMaking(s.Func, a.Path.Root())
}

// ownMaking reports whether what a path starts at was made by the goroutine that runs f.
func (p *Package) ownMaking(f *Func, r accesspath.Root) bool {
	switch r.Kind {
	case accesspath.Value:
		return p.inFrame(f, r.Val.Parent()) && p.Makes(r.Val)
	case accesspath.Param:
		outer := p.byKey[r.Fn]
		return outer != nil && p.makers()[outer].Has(r.Index) && p.inFrame(f, outer.SSA)
	}
	return false
}

// inFrame reports whether f is a function, or a literal in it that it calls itself, and nothing else does.
func (p *Package) inFrame(f *Func, outer *ssa.Function) bool {
	for f.SSA != outer {
		sites, up := p.sites()[f], f.SSA.Parent()
		own := func(s site) bool { return s.caller.SSA == up && s.call.Kind.InPlace() }
		if up == nil || len(sites) == 0 || slices.ContainsFunc(sites, func(s site) bool { return !own(s) }) {
			return false
		}
		f = sites[0].caller
	}
	return true
}

// makers returns, of each function, the inputs whose objects the goroutine that calls it has made
// at every call: the greatest solution, so that recursion takes nothing away.
func (p *Package) makers() map[*Func]ownership.Set {
	if p.made != nil {
		return p.made
	}
	p.made = make(map[*Func]ownership.Set)
	sites := p.sites()
	for _, f := range p.Funcs {
		if !f.Ctx.Open() && !f.Ctx.Escaped && !f.Ctx.Stored && !f.Ctx.ValueOnly && !f.IsLiteral() && len(sites[f]) > 0 {
			p.made[f] = ^ownership.Set(0)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			for _, s := range sites[f] {
				if left := p.made[f] & p.passed(s); left != p.made[f] {
					p.made[f], changed = left, true
				}
			}
		}
	}
	return p.made
}

// passed returns the arguments of a call whose objects its goroutine has made.
func (p *Package) passed(s site) (out ownership.Set) {
	if !s.call.Kind.InPlace() {
		return 0
	}
	for i, arg := range s.call.Args {
		if in, ok := ownership.Input(i); ok && arg.Known() && arg.Depth() == 0 && p.ownMaking(s.caller, arg.Root()) {
			out |= in
		}
	}
	return out
}
