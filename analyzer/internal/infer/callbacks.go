package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// called returns the functions behind the values that a call uses without
// naming them: implementers of an interface's method, methods that a library
// function calls on its argument, and literals in variables.
func (p *Package) called(c *ssa.CallCommon) []any {
	var out []any
	if c.IsInvoke() {
		for _, impl := range p.implementers(c.Method) {
			out = append(out, accesspath.FuncKey(impl))
		}
	}
	if fn, _, _, _ := p.served(c); fn != nil {
		out = append(out, accesspath.FuncKey(fn))
	}
	if fn, args := ssautil.Callee(c); fn != nil {
		for _, m := range transfer.MethodsRun(fn, args) {
			out = append(out, any(m))
		}
	}
	use := func(v ssa.Value) {
		switch v.(type) {
		case *ssa.Function, *ssa.MakeClosure, *ssa.Const, *ssa.Builtin, *ssa.Global:
			return // it names what it is
		}
		if !callback.Carries(v.Type()) {
			return
		}
		in, ok := v.(interface{ Parent() *ssa.Function })
		if !ok || in.Parent() == nil {
			return
		}
		for _, src := range p.env.Flow(in.Parent()).Reaching(v) {
			switch src := src.(type) {
			case *ssa.Function:
				out = append(out, accesspath.FuncKey(src))
			case *ssa.MakeClosure:
				if fn, ok := src.Fn.(*ssa.Function); ok {
					out = append(out, accesspath.FuncKey(fn))
				}
			}
		}
	}
	if !c.IsInvoke() {
		use(c.Value)
	}
	for _, arg := range c.Args {
		use(arg)
	}
	return out
}

// escapes finds the declared functions whose values are kept or returned: they
// may be called at any time.
func (p *Package) escapes() map[*Func]bool {
	out := make(map[*Func]bool)
	var ops []*ssa.Value
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr.(type) {
				case ssa.CallInstruction, *ssa.MakeClosure:
					continue
				}
				ops = instr.Operands(ops[:0])
				for _, op := range ops {
					fn, ok := (*op).(*ssa.Function)
					if ok && fn.Object() != nil && p.env.Flow(f.SSA).Fate(fn).Leaves() {
						out[p.byKey[accesspath.FuncKey(fn)]] = true
					}
				}
			}
		}
	}
	delete(out, nil)
	return out
}

// roots marks the functions that can be called by code that the package does
// not show. Whether a literal is one depends on the functions that return it.
func (p *Package) roots(sites map[*Func][]site) {
	escaped := p.escapes()
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			if !f.Ctx.Root && p.isRoot(f, sites[f], escaped[f]) {
				f.Ctx.Root, changed = true, true
			}
		}
	}
	for f, ctx := range p.outer {
		f.Ctx.Outer = !f.Ctx.Root && len(ctx.Calls) > 0
	}
	for _, f := range p.Funcs {
		f.Ctx.Escaped = f.Ctx.Root && !f.Is(role.Public) && (escaped[f] || f.SSA.Parent() != nil)
		f.Ctx.Stored = slices.ContainsFunc(sites[f], func(s site) bool {
			return s.call.Kind == summary.Escaped && s.call.Fate.Has(callback.Kept)
		})
		f.Ctx.ValueOnly = (escaped[f] || f.Ctx.Stored) && !slices.ContainsFunc(sites[f], func(s site) bool {
			return s.call.Kind != summary.Escaped && !s.caller.Is(role.TestSupport)
		})
		// What a function returns runs where its callers run it.
		sites[f] = slices.DeleteFunc(sites[f], func(s site) bool { return s.passesOn() && !s.caller.Ctx.Open() && len(sites[f]) > 1 })
	}
}

// isRoot reports whether f can be called by code that the package does not
// show: it is exported, its value escapes, or nothing here calls it.
func (p *Package) isRoot(f *Func, sites []site, escaped bool) bool {
	if f.SSA.Parent() != nil {
		return len(sites) == 0 || slices.ContainsFunc(sites, site.anywhere)
	}
	if p.outer[f] != nil && !escaped {
		return false // all that call it are known
	}
	if escaped || len(sites) == 0 {
		return !isInit(f.SSA)
	}
	return f.Obj != nil && f.Is(role.Public) || f.SSA.Name() == "main"
}

// anywhere reports whether the function value goes where it may be called at
// any time, and no lock is taken around the call.
func (s site) anywhere() bool {
	c := s.call
	return c.Kind == summary.Escaped && !c.Option && len(c.Held.Held()) == 0 && !(s.passesOn() && !s.caller.Ctx.Open())
}

// passesOn reports whether the caller only returns the function value.
func (s site) passesOn() bool {
	return s.call.Kind == summary.Escaped && s.call.Fate == callback.Returned
}

// names returns the names that a lock of the caller has in the callee, which
// knows it through the parameters that it gets. A literal of the caller's nest
// also knows it by the caller's name.
func (p *Package) names(f *Func, s site, lock accesspath.Path) []accesspath.Path {
	var out []accesspath.Path
	add := func(l accesspath.Path) {
		if l.Known() && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	if lock.OfEach() {
		for _, arg := range s.call.Args {
			if one := p.Paths.At(lock, arg); one.Known() {
				out = p.names(f, s, one)
			}
		}
	}
	literal := f.SSA.Parent() != nil
	if literal {
		if l := p.Paths.Rename(lock, s.call.Args, func(i int) accesspath.Path { return p.Paths.ParamOf(f.Key, i) }); l != lock {
			add(l)
		}
	}
	for _, b := range s.call.Bound {
		if b.Arg.Known() && lock.HasPrefix(b.Arg) {
			add(p.Paths.Rebase(lock, b.Arg, b.Param))
		}
	}
	if literal && callback.Outermost(f.SSA) != callback.Outermost(s.caller.SSA) {
		if len(out) == 0 {
			add(placeOf(p.Paths.Table, lock))
		}
		return out
	}
	if !literal && lock.Root().Kind == accesspath.Global { // both names are good there
		add(p.express(f, s, lock))
	}
	if l := p.translate(f, s, lock); len(out) == 0 || l == lock {
		add(l)
	}
	return out
}

// express names a lock of the caller by the parameters of the callee, if one leads to it.
func (p *Package) express(f *Func, s site, lock accesspath.Path) accesspath.Path {
	return p.Paths.Express(lock, s.call.Args, func(i int) accesspath.Path { return p.Paths.ParamOf(f.Key, i) })
}

// placeOf is what a function knows of a lock that it cannot name.
func placeOf(paths *accesspath.Table, lock accesspath.Path) accesspath.Path {
	if k := lock.Root().Kind; k == accesspath.Global || k == accesspath.Place {
		return lock
	}
	loc := lock.Location()
	if !loc.Valid() {
		return accesspath.Path{}
	}
	return paths.Root(accesspath.Root{Kind: accesspath.Place, Obj: loc.Var})
}

// callerLocks reports whether f's documentation, or that of the function whose
// literal it is and which runs it, asks the caller for a lock.
func (p *Package) callerLocks(f *Func) bool {
	if f.SSA == nil {
		return false // of another package
	}
	if outer := p.byKey[accesspath.FuncKey(callback.Outermost(f.SSA))]; outer != nil && !f.Ctx.Open() {
		return outer.Is(role.CallerLocks)
	}
	return f.Is(role.CallerLocks)
}
