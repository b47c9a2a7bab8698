package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// findGivers finds the functions that give one of the maps back to others of the package, which use it without
// naming it: with a new mutex they give a copy. It says what speaks against that.
//
// It is safe for the reasons of cloneReturned: callers see the map as it was then, and none in the module changes what
// it gets. What a caller does with the copy decides nothing about the map itself.
func (p *mutexPlan) findGivers() refusal {
	p.given = make(map[token.Pos]bool)
	for _, s := range slices.Clone(p.list) {
		for _, a := range s.lacking() {
			g := p.giver(s, a)
			if g == nil {
				continue
			}
			if s.f.Ctx.Dead { // nothing calls it: no copy is made for it
				p.given[a.Pos] = true
				continue
			}
			if refused := p.gives(g, a); refused != "" {
				return refused
			}
			if by := p.changedSince(s, a); by != nil {
				return refusal(by.Name + " changes the map before " + s.f.Name + " has done with what it was given")
			}
			if p.decides(s, a) {
				return refusal("what " + s.f.Name + " finds in a copy of the map would decide what it does with the map")
			}
			p.given[a.Pos] = true
		}
	}
	p.list = slices.DeleteFunc(p.list, func(s *scene) bool { return len(p.points(s)) == 0 && len(s.lacking()) > 0 && len(p.passedOut(s)) == 0 })
	p.takers = make(map[*infer.Func]bool)
	for _, s := range p.list {
		p.takers[s.f] = true
	}
	for _, s := range p.list {
		s.takers = p.takers
	}
	return ""
}

// points returns the accesses of a function that are to hold the mutex.
func (p *mutexPlan) points(s *scene) []*access.Access {
	return slices.DeleteFunc(s.lacking(), func(a *access.Access) bool { return p.given[a.Pos] })
}

// giver returns the function of the package of which a read uses the result; nil if it names the map, or several functions
// can be what is called.
func (p *mutexPlan) giver(s *scene, a *access.Access) (g *infer.Func) {
	if a.Op.Writes() || s.path(a.Pos) == nil {
		return nil
	}
	call := s.callFor(a.Pos)
	if call == nil {
		return nil
	}
	for _, c := range s.f.Calls {
		if c.Pos != call.Lparen {
			continue
		}
		f := p.m.in.Pkg.Lookup(c.Callee)
		if f == nil || g != nil && f != g {
			return nil
		}
		g = f
	}
	return g
}

// callFor returns the call that gives what is walked, measured or looked into at a place; nil if there is none.
func (s *scene) callFor(pos token.Pos) *ast.CallExpr {
	if call := s.sourceOf(pos); call != nil {
		return call
	}
	return s.amongResults(pos)
}

// changedSince returns a function that changes the map, and that another one runs between where it is given the map and where it has
// looked at it: in a copy it would not meet that change; nil if there is none.
func (p *mutexPlan) changedSince(s *scene, a *access.Access) *infer.Func {
	from, to := s.callFor(a.Pos).End(), a.Pos
	for _, n := range s.path(a.Pos) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			to = max(to, n.End())
		}
	}
	runs := p.m.conduct.From(s.f, func(pos token.Pos) bool { return from <= pos && pos < to })
	for _, f := range p.m.in.Pkg.Funcs {
		if f != s.f && p.m.writes(f, a.Path.Location()) && runs.Enters(f) {
			return f
		}
	}
	return nil
}

// amongResults returns the call of which a variable that is walked, measured or looked into at a place has one of several results, and
// nothing else; nil if there is none.
func (s *scene) amongResults(pos token.Pos) (call *ast.CallExpr) {
	id, ok := ast.Unparen(s.operand(pos, "len")).(*ast.Ident)
	if !ok {
		return nil
	}
	v := s.local(id)
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || v == nil || len(a.Lhs) == len(a.Rhs) {
			return v != nil
		}
		if slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool { return namesVar(s.body.info, l, v) }) {
			call = asCall(a.Rhs[0])
		}
		return true
	})
	return call
}

// gives puts a function into the plan that is to give a copy, or says what speaks against it.
func (p *mutexPlan) gives(g *infer.Func, a *access.Access) refusal {
	i := slices.IndexFunc(p.list, func(s *scene) bool { return s.f == g })
	if i >= 0 && (p.list[i].gives != nil || p.list[i].givesToo != nil) {
		return ""
	}
	s := p.m.scene(g, p.lock)
	if i >= 0 {
		s = p.list[i]
	}
	if s == nil {
		return refusal(g.Name + " does not just give back the map")
	}
	s.vars = p.home.vars
	ret, x := s.onlyReturn(), ast.Expr(nil)
	if i >= 0 {
		x = s.lastResult(a.Path.Location().Var)
	} else if ret != nil && len(ret.Results) == 1 {
		x = ast.Unparen(ret.Results[0])
	}
	if x == nil || !isMap(s.body.info.TypeOf(x)) || !s.isMapOf(x, a.Path.Location().Var) {
		return refusal(g.Name + " does not just give back the map")
	}
	for _, pl := range p.m.in.Places {
		if pl.Loc != a.Path.Location() {
			continue
		}
		if by := p.changer(g, pl); by != nil {
			return refusal(by.Name + " changes the map that it gets")
		}
	}
	if p.m.changedElsewhere(g, s.body.info.TypeOf(x)) {
		return refusal("the module changes a map that a function called " + g.Name + " gave back")
	}
	if m, ok := s.body.info.TypeOf(x).Underlying().(*types.Map); ok && isMap(m.Elem()) {
		return "the map holds maps, which a copy shares"
	}
	if refused := s.newName(p.home, x.Pos()); refused != "" {
		return refused
	}
	if i >= 0 {
		s.givesToo = x
		return ""
	}
	s.gives = ret
	p.list = append(p.list, s)
	return ""
}

// lastResult returns the result that is a map at the end of a function that also uses it in another way, where all other returns give
// nil in its place; nil if there is no such result. What is deferred could change the map once it is copied.
func (s *scene) lastResult(v *types.Var) (x ast.Expr) {
	list := s.body.block.List
	last, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(last.Results, func(x ast.Expr) bool { return s.isMapOf(x, v) })
	if clone, _ := s.m.library(s, "maps", "Clone"); at < 0 || clone == "" {
		return nil
	}
	plain := true
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			plain = false
		case *ast.ReturnStmt:
			plain = plain && (n == last || len(n.Results) == len(last.Results) && isNil(s.body.info, n.Results[at]))
		}
		return plain
	})
	if !plain {
		return nil
	}
	return last.Results[at]
}

// changer is that of the maker for a function that will give a copy, but for functions that change the map by its own name, and
// use what they get where they call for it: they do not look at what they got once they have changed the map.
func (p *mutexPlan) changer(g *infer.Func, pl *infer.Place) *infer.Func {
	for i := range pl.Sites {
		site := &pl.Sites[i]
		if !site.Acc.Op.Writes() || site.Func == g || !p.m.callsIt(site.Func, g) || p.m.putsBack(site) {
			continue
		}
		if s := p.m.scene(site.Func, nil); s == nil || !s.apartFrom(g, site.Acc.Pos, pl.Loc.Var) {
			return site.Func
		}
	}
	return nil
}

// apartFrom reports whether a change names its map, and what another function gives is walked, looked into or measured where that is
// called, not in a walk around the change.
func (s *scene) apartFrom(g *infer.Func, pos token.Pos, v *types.Var) bool {
	x := s.operand(pos, "delete")
	if x == nil || !s.isMapOf(x, v) {
		return false
	}
	return !slices.ContainsFunc(s.f.Calls, func(c summary.Call) bool {
		return s.m.in.Pkg.Lookup(c.Callee) == g && !s.usedAt(c.Pos, pos)
	})
}

// usedAt reports whether the result of a call at a place is walked, looked into or measured there, but not in a walk around another place.
func (s *scene) usedAt(call, pos token.Pos) bool {
	for _, n := range s.path(call) {
		c, ok := n.(*ast.CallExpr)
		if !ok || c.Lparen != call {
			continue
		}
		around := s.body.parents(c)
		if len(around) == 0 {
			return false
		}
		switch n := around[0].(type) {
		case *ast.RangeStmt:
			return !within(n, pos)
		case *ast.IndexExpr:
			return n.X == ast.Expr(c)
		case *ast.CallExpr:
			return s.body.builtin(n, "len")
		}
		return false
	}
	return false
}

// onlyReturn returns the statement that is all of a function, if that is a return.
func (s *scene) onlyReturn() *ast.ReturnStmt {
	if len(s.body.block.List) != 1 {
		return nil
	}
	ret, _ := s.body.block.List[0].(*ast.ReturnStmt)
	return ret
}

// decides reports whether what a function finds in what it was given decides on a step on one of the maps that it makes itself.
func (p *mutexPlan) decides(s *scene, a *access.Access) bool {
	return slices.ContainsFunc(s.f.Pairs, func(pair summary.Pair) bool {
		act := &s.f.Accesses[pair.Act]
		return s.f.Accesses[pair.Check].Pos == a.Pos && infer.Own(act) && s.guards(act.Path.Location())
	})
}

// giveCopy lets a function that gives the map back give a copy, made under the mutex.
func (p *mutexPlan) giveCopy(s *scene) ([]analysis.TextEdit, refusal) {
	ret := s.gives
	x := ret.Results[0]
	if refused := s.newName(p.home, x.Pos()); refused != "" {
		return nil, refused
	}
	take, release := s.opens(ret.Pos(), ret.End(), false)
	indent := s.src.indent(ret.Pos())
	head := take + "\n" + indent + "defer " + release + "\n" + indent
	if clone, imports := p.m.library(s, "maps", "Clone"); clone != "" {
		return append(imports, insert(ret.Pos(), head), insert(x.Pos(), clone+"("), insert(x.End(), ")")), ""
	}
	edits := s.copyBack(ret, head)
	if edits == nil {
		return nil, "no copy of the map can be made"
	}
	return edits, ""
}
