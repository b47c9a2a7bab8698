package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// isLock reports whether a lock that is held is the plan's.
func (p *turnPlan) isLock(h locks.Held) bool { return h.Lock.Location().Var == p.lock }

// lifted are the calls at which a function makes its steps in another one.
func (t *turn) lifted() (out []token.Pos) {
	for _, a := range t.at {
		if a.Lifted {
			out = append(out, a.Pos)
		}
	}
	for _, c := range t.calls {
		out = append(out, c.Pos)
	}
	return out
}

// calledName finds the words for the mutex at a call of a method that makes a step on the map of its
// receiver. A variable of the package has one name everywhere.
func (p *turnPlan) calledName(s *scene, pos token.Pos) refusal {
	if p.home.typ == nil {
		return s.newName(p.home, pos)
	}
	const none = "a step is made by a call, which does not name the object that has the map"
	call := s.callOf(pos)
	if call == nil {
		return none
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	callee := p.m.calleeOf(call)
	if !ok || callee == nil || !types.Identical(ssautil.Pointee(s.body.info.TypeOf(sel.X)), p.home.typ) || !s.plain(sel.X) {
		return none
	}
	g := p.m.in.Pkg.Lookup(any(callee.Origin()))
	if g == nil || !p.ofReceiver(g) {
		return none
	}
	text := s.src.of(sel.X) + "." + p.home.name
	if s.text != "" && s.text != text {
		return refusal("two objects take part in " + s.f.Name)
	}
	s.text, s.base = text, sel.X
	return ""
}

// ofReceiver reports whether a method uses the map of its own receiver, and of no other object.
func (p *turnPlan) ofReceiver(g *infer.Func) bool {
	found := false
	for i := range g.Accesses {
		a := &g.Accesses[i]
		if a.Path.Location().Var != p.entries {
			continue
		}
		r := a.Path.Root()
		if r.Kind != accesspath.Param || r.Index != 0 || a.Path.Depth() != 1 {
			return false
		}
		found = true
	}
	return found
}

// callOf returns the call that stands at a place.
func (s *scene) callOf(pos token.Pos) *ast.CallExpr {
	for _, n := range s.path(pos) {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			return call
		}
	}
	return nil
}

// captured reports what speaks against the words for the mutex in a literal: what they name of the
// function around it must be one object throughout.
func (s *scene) captured() refusal {
	if s.base == nil {
		return ""
	}
	why := refusal("")
	ast.Inspect(s.base, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.body.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Parent() == s.m.pass.Pkg.Scope() {
			return true
		}
		if outer := s.around(v); outer != nil && (!outer.plain(s.base) || outer.walks(s.base)) {
			why = "the object that has the map is another one in the function around a literal"
		}
		return true
	})
	return why
}

// take takes the mutex in a function. Where one step rests on another, one section covers all of them: with the function's end if
// it can. A release that is not deferred would not be made where a panic comes in between, and what is deferred then
// must not ask for the mutex.
func (p *turnPlan) take(s *scene) ([]analysis.TextEdit, refusal) {
	t := p.turns[s.f]
	points := t.points()
	if s.body.jumps() {
		return nil, refusal(s.f.Name + " has a goto")
	}
	if p.home.lock != nil || p.m.conduct.Makes(p.lock) {
		if s.text == "" || s.heldAt(p.lock, positions(points)) {
			return nil, refusal(p.home.name + " may be held in " + s.f.Name + " already")
		}
		if refused := s.enterable(positions(points)); refused != "" {
			return nil, refused
		}
	}
	if s.waitsFor(points) {
		return nil, "a step stands in the condition of a loop"
	}
	var edits []analysis.TextEdit
	refused := refusal("")
	for _, patient := range [...]bool{false, true} {
		s.patient = patient
		before := len(p.m.opened)
		if t.paired {
			edits, refused = p.section(s, points)
		} else {
			edits, refused = s.cover(points, false)
		}
		if edits != nil {
			return edits, ""
		}
		p.m.opened = p.m.opened[:before]
	}
	return nil, refused
}

// section covers all places of a function in one section.
func (p *turnPlan) section(s *scene, points []point) ([]analysis.TextEdit, refusal) {
	all := positions(points)
	r, ok := s.common(all)
	if !ok {
		return nil, "the steps stand in different functions"
	}
	if !s.inScope(r.pos()) {
		return nil, "the object that has the map is not named before the look"
	}
	_, loop := s.loop(r)
	if end, ok := s.toEnd(r); ok && !loop && p.holdable(s, end) == "" {
		return s.sectionToEnd(end, true), ""
	}
	if refused := p.holdable(s, r); refused != "" {
		return nil, refused
	}
	if g := p.deferred(s.f); g != nil {
		return nil, refusal(g.Name + ", which takes the mutex, is deferred, and a panic in the section would leave that held")
	}
	for _, st := range r.stmts() {
		if s.panics(st) {
			return nil, "a panic in the section would leave the mutex held"
		}
	}
	return s.sectionAround(r, true, all)
}

// panics reports whether a statement has a panic in it that the source writes out.
func (s *scene) panics(st ast.Stmt) bool {
	found := false
	ast.Inspect(st, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && s.body.builtin(call, "panic")
		return !found
	})
	return found
}

// holdable reports what speaks against holding the mutex over a region: beside what is asked of any section, a function that
// takes it may not be named there, since it could be called where it is passed to.
func (p *turnPlan) holdable(s *scene, r region) refusal {
	if refused := s.holdable(r.pos(), r.end(), nil); refused != "" {
		return refused
	}
	e := p.m.conduct.Of(s.f, func(at conduct.Spot) bool { return !at.Pos.IsValid() || r.has(at.Pos) }, func(*infer.Func, *summary.Stay) bool { return true })
	for _, l := range e.Takes {
		if l.Exported() || l.Pkg() != p.m.pass.Pkg || p.m.leavesHeld(l) != nil {
			return refusal(l.Name() + " would be taken under the mutex, and callers elsewhere may hold it where they call a function that takes that")
		}
	}
	for _, g := range p.m.in.Pkg.Funcs {
		root := g.SSA.Syntax()
		if g != s.f && !e.Runs[g] || root == nil {
			continue
		}
		if t := p.namedIn(root, func(at token.Pos) bool { return g != s.f || r.has(at) }); t != nil {
			return refusal(t.Name + ", which takes the mutex, is named under it")
		}
	}
	return p.literals(s)
}

// namedIn returns a function that takes the mutex and is named in some code, but where a goroutine is started; nil if there is none.
func (p *turnPlan) namedIn(root ast.Node, at func(token.Pos) bool) (found *infer.Func) {
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && at(id.Pos()) {
			if fn, ok := p.m.pass.TypesInfo.Uses[id].(*types.Func); ok {
				if g := p.m.in.Pkg.Lookup(any(fn.Origin())); g != nil && p.takers[g] {
					found = g
				}
			}
		}
		_, spawned := n.(*ast.GoStmt)
		return found == nil && !spawned
	})
	return found
}

// literals refuses a section in a function around or beside a literal that takes the mutex, but for the body of a
// goroutine: it may be called there by the name of a variable.
func (p *turnPlan) literals(s *scene) refusal {
	for _, g := range p.m.in.Pkg.Funcs {
		lit, ok := g.SSA.Syntax().(*ast.FuncLit)
		if !ok || !p.takers[g] || g == s.f {
			continue
		}
		path := s.src.enclosing(lit.Pos())
		if len(path) == 0 || !within(s.src.file, lit.Pos()) || topDecl(path) != topDecl(s.src.enclosing(s.root.Pos())) {
			continue
		}
		if !slices.ContainsFunc(path, func(n ast.Node) bool { st, ok := n.(*ast.GoStmt); return ok && st.Call.Fun == ast.Expr(lit) }) {
			return "a function literal beside the section takes the mutex"
		}
	}
	return ""
}

// topDecl is the declaration in a path from the innermost node to the file.
func topDecl(path []ast.Node) ast.Node {
	if len(path) < 2 {
		return nil
	}
	return path[len(path)-2]
}

// deferred returns a function that takes the mutex and runs by a defer statement of another one; nil if there is none.
func (p *turnPlan) deferred(f *infer.Func) *infer.Func {
	for i := range f.Calls {
		c := &f.Calls[i]
		g := p.m.in.Pkg.Lookup(c.Callee)
		if c.Kind != summary.Deferred || g == nil {
			continue
		}
		u := p.m.conduct.From(f, func(at token.Pos) bool { return at == c.Pos })
		for _, t := range p.m.in.Pkg.Funcs {
			if p.takers[t] && (t == g || u.Enters(t)) {
				return t
			}
		}
	}
	return nil
}
