package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A literal with a section of its own is a helper, too, where the function calls it at one
// place and does nothing else with it: then no other caller needs the section, and it
// goes. The body does what it did, under a lock that protects no less, and that is held
// for longer; for that the same is asked as of a helper's variant.

// calledOnce returns the literal in which a place stands, and the one call of it; nil if
// the function does anything else with it.
func (s *scene) calledOnce(pos token.Pos) (*ast.FuncLit, *ast.CallExpr) {
	for _, n := range s.src.enclosing(pos) {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			if n == s.root {
				return nil, nil
			}
			continue
		}
		for _, call := range s.callsOf(lit) {
			if s.path(call.Lparen) != nil {
				return lit, call
			}
		}
		return nil, nil // a literal in it is called in another one
	}
	return nil, nil
}

// callsOf returns the call of a literal, where that is all that the function does with it.
func (s *scene) callsOf(lit *ast.FuncLit) []*ast.CallExpr {
	around := s.body.parents(lit)
	if len(around) < 2 {
		return nil
	}
	fun, parents := ast.Expr(lit), around
	if def, ok := around[0].(*ast.AssignStmt); ok {
		if len(def.Lhs) != 1 || def.Tok != token.DEFINE {
			return nil
		}
		id, ok := def.Lhs[0].(*ast.Ident)
		if !ok {
			return nil
		}
		v := s.body.info.Defs[id]
		uses := s.body.uses(v)
		if v == nil || len(uses) != 1 {
			return nil
		}
		fun, parents = uses[0], s.body.parents(uses[0])
	}
	call, ok := parents[0].(*ast.CallExpr)
	if !ok || call.Fun != fun || leftRunning(parents[1]) {
		return nil
	}
	return []*ast.CallExpr{call}
}

// nameIn finds the words for the lock in a literal, which must be those around it.
func (s *scene) nameIn(lit *ast.FuncLit, v *types.Var, pos token.Pos) refusal {
	g := s.m.literal(lit)
	if g == nil {
		return "a function literal is not known"
	}
	in := s.m.scene(g, s.lock)
	if in == nil {
		return "the source of a function literal is not at hand"
	}
	if r := in.name(v, []token.Pos{pos}); r != "" {
		return r
	}
	if !in.inScope(lit.Pos()) || s.text != "" && s.text != in.text {
		return refusal("the literal has another name for " + s.lock.Name())
	}
	s.text, s.base, s.read = in.text, in.base, in.read
	return ""
}

// literal returns the literal that a call calls as a helper, if it takes the lock itself
// and is called here alone.
func (p *pair) literal(call *ast.CallExpr) (*helper, refusal) {
	var lit *ast.FuncLit
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		lit = fun
	case *ast.Ident:
		if v, ok := p.body.info.Uses[fun].(*types.Var); ok && !v.IsField() {
			lit, _ = p.definedAs(v).(*ast.FuncLit)
		}
	}
	if lit == nil {
		return nil, ""
	}
	g := p.m.literal(lit)
	if g == nil || !slices.ContainsFunc(g.Locking, func(l summary.LockStep) bool { return l.Acquire && l.Lock.Location().Var == p.lock }) {
		return nil, ""
	}
	h := &helper{scene: p.m.scene(g, p.lock), block: lit.Body}
	calls := p.callsOf(lit)
	if h.scene == nil || len(calls) != 1 || calls[0] != call {
		return nil, "a literal with a section of its own is called at other places, too"
	}
	h.text = p.text
	if !h.section() || !p.inScope(h.head[0].Pos()) {
		return nil, "a literal has a section of its own, which is not its whole body"
	}
	return h, h.lasting()
}

// bare takes the section of a literal away.
func (h *helper) bare() []analysis.TextEdit {
	var edits []analysis.TextEdit
	for _, o := range h.ops {
		edits = append(edits, h.without(o))
	}
	return edits
}
