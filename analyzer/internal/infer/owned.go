package infer

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// meetOwned intersects which inputs are owned at the calls, and reports
// whether the receiver is at this one.
func (p *Package) meetOwned(f *Func, s site, next *Context) bool {
	c := s.call
	literal := f.SSA.Parent() != nil
	params := len(f.SSA.Params)
	inputs := params
	if f.Own != nil {
		inputs = len(f.Own.Inputs)
	}
	receiver := false
	for i := range inputs {
		fate := ownership.Fate{Own: ownership.Shared}
		switch {
		case c.Option && i < params:
			fate.Own = ownership.Owned // applied to an object under construction
		case i < len(c.Owned) && i < params:
			fate = c.Owned[i]
		case i >= params && i-params < len(c.Captured):
			fate = c.Captured[i-params]
		}
		if i < params && i < len(c.Args) && s.caller.foreign(fate.Own, c.Args[i]) {
			fate.Own = ownership.Shared
		}
		if i < params && !s.caller.owns(fate.Own) {
			fate.Own = p.boundParam(f, s, i)
		}
		if s.caller.owns(fate.Own) {
			receiver = receiver || i == 0 && params > 0 && !literal && object(f)
			next.Foreign = next.Foreign.Union(fate.Foreign).Union(fate.At)
			if set, _ := fate.Own.If(); set != 0 {
				next.Foreign = next.Foreign.Union(s.caller.Ctx.Foreign)
			}
			continue
		}
		if in, ok := ownership.Input(i); ok {
			next.Owned &^= in
		}
	}
	return receiver
}

// foreign reports whether what lies at a path that begins with an input of f, of which the value is that of
// the input, is not a part of it: others have it, too.
func (f *Func) foreign(v ownership.Value, at accesspath.Path) bool {
	set, _ := v.If()
	return set != 0 && f.Ctx.Foreign.Leads(at)
}

// ownsArg reports whether only f knows what it gives as the i-th argument of a call.
func (f *Func) ownsArg(c *summary.Call, i int) bool {
	own := c.Owned[i].Own
	return f.owns(own) && !(i < len(c.Args) && f.foreign(own, c.Args[i]))
}

// Keeps reports whether the first argument of a call, its receiver say, is an object that only f knows, or one
// that only its callers know, if the package has some. What a literal captures is not asked.
func (f *Func) Keeps(c *summary.Call) bool {
	if len(c.Owned) == 0 || !c.Owned[0].At.None() {
		return false
	}
	return c.Owned[0].Own == ownership.Owned || f.Ctx.known && !f.IsLiteral() && f.ownsArg(c, 0)
}

// boundParam returns who can reach what the runner of the callee gives as its
// i-th parameter.
func (p *Package) boundParam(f *Func, s site, i int) ownership.Value {
	if s.call.Kind == summary.Goroutine || s.call.Kind == summary.Escaped {
		return ownership.Shared
	}
	param := p.Paths.ParamOf(f.Key, i)
	for _, b := range s.call.Bound {
		if b.Param == param && s.caller.owns(b.Own) {
			return b.Own
		}
	}
	return ownership.Shared
}

// owns resolves a value of the function by what its callers own.
func (f *Func) owns(v ownership.Value) bool { return v.Given(f.Ctx.Owned) }

// object reports whether the receiver of f, or else its first parameter, can be
// an object with a map: not a number, which every caller has for itself.
func object(f *Func) bool {
	if len(f.SSA.Params) == 0 {
		return false
	}
	_, basic := f.SSA.Params[0].Type().Underlying().(*types.Basic)
	return !basic
}

// ownedReceiver reports whether only the caller knows the receiver of a call of
// f, or its first argument where it has none.
func ownedReceiver(f *Func, s site) bool {
	return object(f) && len(s.call.Owned) > 0 && s.caller.ownsArg(s.call, 0)
}

// OwnUse reports whether f is called, as far as is known, and each time on an object that
// only the caller knows.
func (p *Package) OwnUse(f *Func) bool {
	outer := p.outerSites(f)
	sites := append(outer[:len(outer):len(outer)], p.sites()[f]...)
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s site) bool { return !s.call.Kind.InPlace() || !ownedReceiver(f, s) })
}

// Uses reports whether the package calls f, or passes it on as a value. It walks
// the package: ask last.
func (p *Package) Uses(f *Func) bool {
	return slices.ContainsFunc(p.Funcs, func(g *Func) bool { return g != f && slices.Contains(p.callees(g), f) })
}

// Exempt reports whether an access of f needs no lock: one thread owns the
// object, or nothing else runs yet.
func (p *Package) Exempt(f *Func, a *access.Access) bool {
	return f.Ctx.Dead || f.Ctx.InitOnly || f.Ctx.OnceOnly || f.Owns(a)
}

// Owns reports whether no other thread can reach the map of an access of f.
func (f *Func) Owns(a *access.Access) bool {
	if f.owns(a.Taken) || a.Own == ownership.Owned {
		return true
	}
	return f.owns(a.Own) && !f.Ctx.Foreign.Leads(a.Path)
}

// MadeFor reports whether the package shows that each object has a new one of
// its own in the field: it sets the field, and to nothing else.
func (p *Package) MadeFor(field *types.Var) bool {
	if p.fills == nil {
		p.fills = make(map[*types.Var]ownership.Value)
		for _, f := range p.Funcs {
			if f.Own == nil {
				continue
			}
			for v, own := range f.Own.Fills {
				p.fills[v] = ownership.Join(p.fills[v], own)
			}
		}
	}
	return p.fills[field] == ownership.Owned
}

// OwnParts reports whether an object belongs to the one that its path starts at: each
// pointer on the way is set to a new object only.
func (p *Package) OwnParts(object accesspath.Path) bool {
	for ; object.Depth() > 0; object = object.Parent() {
		field := object.LastField()
		if field == nil {
			return false
		}
		if _, inside := field.Type().Underlying().(*types.Struct); !inside && !p.MadeFor(field) {
			return false
		}
	}
	return true
}

// GivenTo reports whether the package stores in the field, somewhere, what
// others can reach.
func (p *Package) GivenTo(field *types.Var) bool {
	return slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		if f.Own == nil {
			return false
		}
		v, filled := f.Own.Fills[field]
		return filled && v != ownership.Unreached && !f.owns(v)
	})
}

// HoldsAlone reports whether f holds, at a place where it stays, one lock at most that it has taken itself, of an object that no
// other thread can reach there: none can be blocked on it.
func (f *Func) HoldsAlone(s *summary.Stay) bool {
	return f.owns(s.Alone) && !f.Ctx.Foreign.Leads(s.OwnLock())
}

// ExemptAt is Exempt for what lies at a path, wherever the function looks.
func (p *Package) ExemptAt(f *Func, path accesspath.Path) bool {
	if f.Ctx.Dead || f.Ctx.InitOnly || f.Ctx.OnceOnly {
		return true
	}
	return f.owns(f.Own.Start(path)) && !f.Ctx.Foreign.Leads(path)
}
