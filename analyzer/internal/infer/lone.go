package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// one is the number 1, and none a list that is left out.
var (
	one  = accesspath.Root{Kind: accesspath.Const, Const: "1"}
	none = accesspath.Root{Kind: accesspath.Const, Const: "nil"}
)

// Lone reports whether a call of f starts one goroutine at a time only, though it could start several: how many there are,
// each call of f says, and says that it is one. Calls in other packages count as soon as all of them are known. Nor is it called
// a second time on its object, unless it has waited for the goroutine by then.
func (p *Package) Lone(f *Func, c *summary.Call) bool {
	if c.Start == nil || !c.Room.Known() || !p.givenOne(f, c.Room.Root(), maxTogether) {
		return false
	}
	return len(p.sites()[f]) == 0 || p.calledOnce(f, !c.Leaves, maxTogether) // other packages make an object for each call
}

// CalledAgain reports whether the package calls f, and does not show that it does so once for an object.
func (p *Package) CalledAgain(f *Func) bool {
	return len(p.sites()[f]) > 0 && !p.calledOnce(f, false, maxTogether)
}

// givenOne reports whether each call of f gives it the number 1, or no list, for a parameter.
func (p *Package) givenOne(f *Func, param accesspath.Root, depth int) bool {
	if depth == 0 || param.Kind != accesspath.Param || param.Fn != f.Key || f.Ctx.Root || f.Ctx.Escaped {
		return false
	}
	outer, inner := p.outerSites(f), p.sites()[f]
	if len(outer) > 0 && len(inner) > 0 {
		return false // one may have been called when its object is given to the other
	}
	sites := slices.Concat(outer, inner)
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

// calledOnce reports whether f is called once on an object, by what the package shows: each caller makes the object for the
// call, or there is one caller, of which the same can be said. If it waits for what it starts, one thread may call it again.
func (p *Package) calledOnce(f *Func, waits bool, depth int) bool {
	if depth == 0 {
		return false
	}
	sites := p.sites()[f]
	if len(sites) == 0 {
		return waits || p.initial(f) // how often others call it, on one object, they do not tell
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		switch {
		case waits && s.call.Kind.SameThread():
			return s.caller == f
		case p.madeFor(f, s):
			return false
		}
		onPart := !slices.ContainsFunc(s.call.Args, func(arg accesspath.Path) bool {
			k := arg.Root().Kind
			return k != accesspath.Param && k != accesspath.Const
		})
		return len(sites) > 1 || s.call.Looped || !onPart && !p.initial(s.caller) || !p.calledOnce(s.caller, false, depth-1)
	})
}

// madeFor reports whether the caller makes an object for a call of f, which works on that: it makes no second call on it. What has
// no receiver works on all that it gets.
func (p *Package) madeFor(f *Func, s site) bool {
	objects := s.call.Args
	if f.SSA.Signature.Recv() != nil {
		objects = objects[:min(1, len(objects))]
	}
	at := s.call.Point.Instr(s.caller.SSA)
	some := slices.ContainsFunc(objects, func(o accesspath.Path) bool { return o.Root().Kind != accesspath.Const })
	return at != nil && some && !slices.ContainsFunc(objects, func(o accesspath.Path) bool {
		return o.Root().Kind != accesspath.Const && !p.madeAt(f, s, o, at.Block())
	})
}

// madeAt reports whether one of the objects for a call is made for it: no way leads back to the call, which stands in that block, but by
// the place where it is made, and no other call of f in the package gets it.
func (p *Package) madeAt(f *Func, s site, object accesspath.Path, at *ssa.BasicBlock) bool {
	made, ok := object.Root().Val.(ssa.Instruction)
	if !ok || object.Depth() > 0 || made.Parent() != s.caller.SSA || !p.Makes(object.Root().Val) {
		return false
	}
	if ssautil.Again(at, map[*ssa.BasicBlock]bool{made.Block(): true}) {
		return false
	}
	return !slices.ContainsFunc(p.sites()[f], func(o site) bool {
		return o.call != s.call && slices.ContainsFunc(o.call.Args, func(arg accesspath.Path) bool { return arg.Root() == object.Root() })
	})
}

// initial reports whether f is the program's start, or runs only while the package is initialised.
func (p *Package) initial(f *Func) bool {
	return f.Ctx.InitOnly || ssautil.IsMain(f.SSA)
}
