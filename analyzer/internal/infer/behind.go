package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// earlier returns the methods that f has called on the object of a call of another package's method, in any case, before
// it comes there: what these have waited for is over then.
func (p *Package) earlier(f *Func, c *summary.Call, callee *types.Func) (out []outside.Earlier) {
	object, ok := calledOn(c, callee)
	if !ok || c.Point.Deferred || !c.Kind.InPlace() {
		return nil
	}
	for i := range f.Elsewhere {
		d := &f.Elsewhere[i]
		fn, method := d.Callee.(*types.Func)
		if !method || fn.Pkg() != callee.Pkg() || d.Kind != summary.Direct || !f.Flow.Dominates(d.Point, c.Point) {
			continue
		}
		if on, ok := calledOn(d, fn); !ok || on != object {
			continue
		}
		if since, ok := p.since(f, d.Point, c.Point, object, callee.Pkg()); ok {
			out = append(out, outside.Earlier{Func: outside.NameOf(fn), Since: since})
		}
	}
	return out
}

// calledOn returns the object on which a call runs a method.
func calledOn(c *summary.Call, fn *types.Func) (accesspath.Path, bool) {
	if fn.Signature().Recv() == nil || len(c.Args) == 0 || !c.Args[0].Known() {
		return accesspath.Path{}, false
	}
	return c.Args[0], true
}

// since returns the functions of a package that get an object between two calls, in the same round of a loop; false if
// another object may have its name by the second one, or code that has it may do anything with it.
func (p *Package) since(f *Func, from, to ssautil.Point, object accesspath.Path, pkg *types.Package) (fns []outside.Name, ok bool) {
	start := f.SSA.Blocks[from.Block]
	between := func(at ssautil.Point) bool {
		before := at.Block == from.Block && at.Index <= from.Index
		return at != to && !at.Deferred && !before && f.Flow.ReachesPast(start, at, to)
	}
	if p.setBetween(f.SSA, object, between) {
		return nil, false
	}
	for _, calls := range [...][]summary.Call{f.Elsewhere, f.Calls} {
		for i := range calls {
			e := &calls[i]
			gets := slices.ContainsFunc(e.Args, func(arg accesspath.Path) bool { return arg.Known() && object.HasPrefix(arg) })
			if !gets || !between(e.Point) {
				continue
			}
			fn, ok := e.Callee.(*types.Func)
			if !ok || fn.Pkg() != pkg {
				return nil, false
			}
			fns = append(fns, outside.NameOf(fn))
		}
	}
	return fns, true
}

// setBetween reports whether a function sets a variable or field by which a path leads to its object.
func (p *Package) setBetween(fn *ssa.Function, object accesspath.Path, between func(ssautil.Point) bool) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if ok && object.HasPrefix(p.Paths.Of(st.Addr)) && between(ssautil.PointOf(st)) {
				return true
			}
		}
	}
	return false
}

// CalledBehind reports whether other packages call f, and only behind calls of methods on its object that suit; what they have
// called on it since must suit as well.
func (p *Package) CalledBehind(f *Func, suits func(earlier *Func) bool, since func(*Func) bool) bool {
	ctx := p.outer[f]
	if ctx == nil || len(ctx.Calls) == 0 {
		return false
	}
	return !slices.ContainsFunc(ctx.Calls, func(c *outside.Call) bool {
		return !slices.ContainsFunc(c.Behind, func(e outside.Earlier) bool {
			g := p.declared(e.Func)
			return g != nil && suits(g) && !slices.ContainsFunc(e.Since, func(name outside.Name) bool {
				h := p.declared(name)
				return h == nil || !since(h)
			})
		})
	})
}

// CalledAhead reports whether other packages alone call f, on an object that only the caller knows, or once in the caller, and
// ahead of a method on the same object that suits; some are of the second kind. Complexity: linear in the calls of the methods that suit.
func (p *Package) CalledAhead(f *Func, suits func(later *Func) bool) bool {
	ctx := p.outer[f]
	if ctx == nil || f.Obj == nil || len(ctx.Calls) == 0 || len(p.sites()[f]) > 0 {
		return false
	}
	name, ahead := outside.NameOf(f.Obj), make(map[outside.Name]bool)
	for _, g := range p.Funcs {
		later := p.outer[g]
		if later == nil || g == f || !suits(g) {
			continue
		}
		for _, c := range later.Calls {
			if slices.ContainsFunc(c.Behind, func(e outside.Earlier) bool { return e.Func == name }) {
				ahead[c.Caller] = true
			}
		}
	}
	some := false
	for i, s := range p.outerSites(f) {
		caller := ctx.Calls[i].Caller
		switch {
		case !s.call.Kind.InPlace():
			return false
		case ownedReceiver(f, s):
		case !ahead[caller]:
			return false
		default:
			ahead[caller], some = false, true // a second call of the same caller may come later
		}
	}
	return some
}

// BringsUp reports whether a method brings into service the object that has the map of a field: by its name, and by giving it
// that map, or by starting goroutines, where none is started by what makes the object.
func (p *Package) BringsUp(g *Func, field *types.Var) bool {
	if !g.StartUp || field == nil || !field.IsField() {
		return false
	}
	makers := p.makersOf(field)
	if slices.ContainsFunc(p.Funcs, func(f *Func) bool { return f.starts(nil) && slices.Contains(makers, outside.NodeOf(f.SSA)) }) {
		return false
	}
	return g.starts(nil) || slices.ContainsFunc(g.Accesses, func(a access.Access) bool {
		return a.Op == access.Assign && a.Path.Location().Var == field && g.WorksOn(a.Path) && !a.Spawned
	})
}

// declared returns the declared function of a name, nil if the package has none.
func (p *Package) declared(name outside.Name) *Func {
	i := slices.IndexFunc(p.Funcs, func(f *Func) bool { return f.Obj != nil && outside.NameOf(f.Obj) == name })
	if i < 0 {
		return nil
	}
	return p.Funcs[i]
}
