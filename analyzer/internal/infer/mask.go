package infer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// masked are the calls by interfaces, and the accesses that callees make for their callers, that the
// module shows not to be: the interface holds no such value there. A call has lost its callee, and an
// access is one of an object that no one else knows.
type masked struct {
	calls    map[*summary.Call]any // with the callee
	accesses []*access.Access
}

// mask looks for them anew; what was masked for another solution comes back. Complexity: linear in the
// calls of the package, and for each function that makes accesses through callees, if there is a mask.
func (p *Package) mask() {
	for c, callee := range p.masked.calls {
		c.Callee = callee
	}
	for _, a := range p.masked.accesses {
		a.Fresh = false
	}
	p.masked = masked{calls: make(map[*summary.Call]any)}
	if p.threads == nil {
		return
	}
	for _, f := range p.Funcs {
		p.maskCalls(f)
	}
	if len(p.masked.calls) > 0 {
		in := make(map[token.Pos]*Func)
		for _, f := range p.Funcs {
			p.maskAccesses(f, in)
		}
	}
}

func (p *Package) maskCalls(f *Func) {
	from := outside.NodeOf(f.SSA)
	for i := range f.Calls {
		c := &f.Calls[i]
		g := p.byKey[c.Callee]
		if g == nil || g.Obj == nil {
			continue
		}
		instr, ok := c.Point.Instr(f.SSA).(ssa.CallInstruction)
		if ok && instr.Common().IsInvoke() && !p.threads.Calls(from, outside.NameOf(g.Obj)) {
			p.masked.calls[c], c.Callee = c.Callee, nil
		}
	}
}

// maskAccesses masks what stands in functions of the package to which f comes no more. in keeps where
// positions stand: many accesses come from one place.
func (p *Package) maskAccesses(f *Func, in map[token.Pos]*Func) {
	var comes map[*Func]bool
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if !a.Lifted || a.Fresh || !a.Site.IsValid() {
			continue
		}
		g, ok := in[a.Site]
		if !ok {
			g = p.standsIn(a.Site)
			in[a.Site] = g
		}
		if g == nil || g == f {
			continue
		}
		if comes == nil {
			comes = p.comesTo(f)
		}
		if !comes[g] {
			a.Fresh = true
			p.masked.accesses = append(p.masked.accesses, a)
		}
	}
}

// standsIn returns the innermost function in whose source a position is, nil if none is known.
func (p *Package) standsIn(pos token.Pos) (in *Func) {
	for _, f := range p.Funcs {
		n := f.SSA.Syntax()
		if n != nil && n.Pos() <= pos && pos < n.End() && (in == nil || in.SSA.Syntax().Pos() < n.Pos()) {
			in = f
		}
	}
	return in
}

// comesTo returns the functions of the package that one calls, starts or makes, directly or not.
func (p *Package) comesTo(f *Func) map[*Func]bool {
	out := map[*Func]bool{f: true}
	for work := []*Func{f}; len(work) > 0; {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		next := func(h *Func) {
			if h != nil && !out[h] {
				out[h] = true
				work = append(work, h)
			}
		}
		for i := range g.Calls {
			next(p.byKey[g.Calls[i].Callee])
		}
		for _, lit := range g.SSA.AnonFuncs {
			next(p.byKey[accesspath.FuncKey(lit)])
		}
	}
	return out
}
