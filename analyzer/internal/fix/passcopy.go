package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// passCopy passes a copy of the map, made under the lock, to a call that reads the map and is not brief.
// The callee sees what was in it at one time; what came in while it ran, it saw in a race.
func (s *scene) passCopy(r region, st ast.Stmt, points []point) []analysis.TextEdit {
	e := s.passedAt(st, points)
	if e == nil || !s.plain(e) || s.conditional(e, st) || s.body.calls(st, st.Pos(), e.Pos()) {
		return nil
	}
	name := s.fresh(others["map"]...)
	clone, imports := s.m.library(s, "maps", "Clone")
	if name == "" || clone == "" {
		return nil
	}
	take, release := s.verbs(false)
	indent := s.src.indent(r.pos())
	return append(imports,
		insert(r.pos(), take+"\n"+indent+name+" := "+clone+"("+s.src.of(e)+")\n"+indent+release+"\n"+indent),
		replace(e, name))
}

// passedAt returns the argument that is the map, where all that a statement does with the map is to pass
// it to one call, which only reads it and gives no map back: that could be this one. Nil if it is
// otherwise, or the map holds maps, which a copy shares.
func (s *scene) passedAt(st ast.Stmt, points []point) (arg ast.Expr) {
	if writes(points) || slices.ContainsFunc(points, func(p point) bool { return p.pos != points[0].pos }) {
		return nil
	}
	mapsAt := func(n ast.Node) (out []ast.Expr) {
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && slices.ContainsFunc(s.vars, func(v *types.Var) bool { return s.isMapOf(e, v) }) {
				out = append(out, e)
				return false
			}
			return true
		})
		return out
	}
	ast.Inspect(st, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && call.Lparen == points[0].pos && s.m.calleeOf(call) != nil && !isMap(s.body.info.TypeOf(call)) {
			if in := mapsAt(st); len(in) == 1 && slices.Contains(call.Args, in[0]) {
				arg = in[0]
			}
		}
		return arg == nil
	})
	if arg == nil || isMap(s.body.info.TypeOf(arg).Underlying().(*types.Map).Elem()) {
		return nil
	}
	return arg
}
