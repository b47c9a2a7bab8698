package fix

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// slowKey returns the key of the entry at some places, where that takes more than may run under the lock, and is
// evaluated in any case, and before anything else of its statement that has an effect; nil if there is none. So it can be
// evaluated in front of the statement, before the lock is taken: when it is, beside the reading of variables, the language leaves open.
func (s *scene) slowKey(n ast.Node, stmt ast.Stmt, points []point) ast.Expr {
	if len(points) == 0 || s.fresh(others["key"]...) == "" {
		return nil
	}
	s.given = s.given[:len(s.given)-1] // it is only asked for here
	for _, x := range s.path(points[0].pos) {
		var key ast.Expr
		switch x := x.(type) {
		case *ast.IndexExpr:
			if isMap(s.body.info.TypeOf(x.X)) && s.plain(x.X) {
				key = x.Index
			}
		case *ast.CallExpr:
			if s.body.builtin(x, "delete") && len(x.Args) == 2 && s.plain(x.Args[0]) {
				key = x.Args[1]
			}
		}
		if key == nil {
			continue
		}
		at := func(p point) bool { return within(key, p.pos) || !within(x, p.pos) }
		before := s.body.calls(n, n.Pos(), key.Pos()) || s.receives(n, key.Pos())
		if slices.ContainsFunc(points, at) || before || s.conditional(x.(ast.Expr), stmt) || s.inLiteralOf(key) {
			return nil
		}
		if s.holdable(key.Pos(), key.End(), nil) == "" {
			return nil
		}
		return key
	}
	return nil
}

// receives reports whether a channel is received from in front of a place.
func (s *scene) receives(n ast.Node, at token.Pos) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		found = found || ok && u.Op == token.ARROW && u.Pos() < at
		return !found
	})
	return found
}

// inLiteralOf reports whether an expression has a function literal in it.
func (s *scene) inLiteralOf(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		found = found || lit
		return !found
	})
	return found
}

// keyFirst evaluates the key of an entry in front of a plain statement, and takes the lock for the rest of that; nil where there
// is more in it that may not run under the lock.
func (s *scene) keyFirst(st ast.Stmt, points []point) []analysis.TextEdit {
	key := s.slowKey(st, st, points)
	if key == nil || s.holdable(st.Pos(), st.End(), inNode(key)) != "" {
		return nil
	}
	indent := s.src.indent(st.Pos())
	ahead, word := s.ahead(key, indent)
	take, release := s.opens(key.End(), st.End(), writes(points))
	return []analysis.TextEdit{
		insert(st.Pos(), ahead+take+"\n"+indent),
		replace(key, word),
		insert(s.src.after(st), "\n"+indent+release),
	}
}

// ahead defines a name for a key, in front of its statement; it gives nothing for none.
func (s *scene) ahead(key ast.Expr, indent string) (text, word string) {
	if key == nil {
		return "", ""
	}
	word = s.fresh(others["key"]...)
	return word + " := " + s.src.of(key) + "\n" + indent, word
}

// inNode reports of places whether they stand in an expression, if there is one.
func inNode(x ast.Expr) func(token.Pos) bool {
	return func(p token.Pos) bool { return x != nil && within(x, p) }
}

// with returns the source of a node, with a word in place of a part of it, if there is one.
func (s *source) with(n ast.Node, part ast.Expr, word string) string {
	if part == nil || part.Pos() < n.Pos() || n.End() < part.End() {
		return s.of(n)
	}
	return s.between(n.Pos(), part.Pos()) + word + s.between(part.End(), n.End())
}
