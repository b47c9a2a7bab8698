package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// passedOut returns the places at which a function passes one of the maps to a
// function of another package, which reads it there: as an argument, also in an
// interface, or as a part of what that package declares. Those are accesses that need the new lock, too.
func (p *mutexPlan) passedOut(s *scene) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			out = append(out, p.putOut(s, lit)...)
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || s.body.conversion(call) || s.path(call.Pos()) == nil {
			return true
		}
		fn := p.m.calleeOf(call)
		if fn == nil && isBuiltin(s.body.info, call) || fn != nil && fn.Pkg() != nil && (fn.Pkg() == p.m.pass.Pkg || fn.Pkg().Path() == "maps") {
			return true
		}
		for _, arg := range call.Args {
			if slices.ContainsFunc(p.home.vars, func(v *types.Var) bool { return s.isMapOf(arg, v) }) {
				out = append(out, arg)
			}
		}
		return true
	})
	return out
}

// putOut returns the elements of a literal that are one of the maps, where another package declares its type.
func (p *mutexPlan) putOut(s *scene, lit *ast.CompositeLit) (out []ast.Expr) {
	named, ok := types.Unalias(s.body.info.TypeOf(lit)).(*types.Named)
	if !ok || named.Obj().Pkg() == p.m.pass.Pkg || s.path(lit.Pos()) == nil {
		return nil
	}
	for _, e := range lit.Elts {
		if kv, keyed := e.(*ast.KeyValueExpr); keyed {
			e = kv.Value
		}
		if slices.ContainsFunc(p.home.vars, func(v *types.Var) bool { return s.isMapOf(e, v) }) {
			out = append(out, e)
		}
	}
	return out
}

// passers returns the functions that only pass one of the maps on.
func (p *mutexPlan) passers() []*infer.Func {
	var out []*infer.Func
	for _, f := range p.m.in.Pkg.Funcs {
		if p.takers[f] || f.SSA.Syntax() == nil {
			continue
		}
		if s := p.m.scene(f, p.lock); s != nil && len(p.passedOut(s)) > 0 {
			p.takers[f] = true
			out = append(out, f)
		}
	}
	return out
}

func isBuiltin(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Builtin)
	return ok
}

// copies passes copies on in place of the maps, each made under the lock in front
// of its statement. Who gets it sees what was in the map then; what it saw later,
// it saw in a race.
func (p *mutexPlan) copies(s *scene) ([]analysis.TextEdit, refusal) {
	const gone = "the map is passed to a function of another package, which reads it"
	var edits []analysis.TextEdit
	passed := p.passedOut(s)
	for _, e := range passed {
		if refused := s.newName(p.home, e.Pos()); refused != "" {
			return nil, refused
		}
		ls := s.levels(e.Pos())
		st, ok := ls[len(ls)-1].stmt().(*ast.ExprStmt)
		alone := !slices.ContainsFunc(s.lacking(), func(a *access.Access) bool { return ok && within(st, a.Pos) })
		if !ok || !alone || s.conditional(e, st) || s.body.calls(st, st.Pos(), e.Pos()) || isMap(s.body.info.TypeOf(e).Underlying().(*types.Map).Elem()) {
			return nil, gone
		}
		clone, imports := p.m.library(s, "maps", "Clone")
		name := s.fresh(others["map"]...)
		if clone == "" || name == "" || !s.inScope(st.Pos()) {
			return nil, gone
		}
		take, release := s.opens(e.Pos(), e.End(), false)
		indent := s.src.indent(st.Pos())
		edits = append(edits, imports...)
		edits = append(edits, insert(st.Pos(), take+"\n"+indent+name+" := "+clone+"("+s.src.of(e)+")\n"+indent+release+"\n"+indent), replace(e, name))
	}
	for _, e := range passed {
		s.barred = append(s.barred, e.Pos())
	}
	return edits, ""
}
