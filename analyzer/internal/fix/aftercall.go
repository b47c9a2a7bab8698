package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// afterCall makes the call whose results are stored before the lock is taken, where one of them goes into
// the map and the others into variables of the block: m[k], err = open(k). nil if the statement is another one.
//
// The names of the map and the key are without an effect, mean the same behind the call, and no other statement
// comes between the call and the store.
func (s *scene) afterCall(st *ast.AssignStmt, points []point) []analysis.TextEdit {
	if len(st.Lhs) < 2 || len(st.Rhs) != 1 || st.Tok != token.ASSIGN {
		return nil
	}
	call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
	name := s.fresh("value", "made", "next")
	if !ok || name == "" {
		return nil
	}
	var entry ast.Expr
	names := make([]string, len(st.Lhs))
	for i, l := range st.Lhs {
		switch l := ast.Unparen(l).(type) {
		case *ast.IndexExpr:
			if entry != nil || !inside(l, points) || !s.body.cheap(l.Index) || s.body.calls(l, l.Pos(), l.End()) || s.holdable(l.Pos(), l.End(), nil) != "" {
				return nil
			}
			entry, names[i] = l, name
		case *ast.Ident:
			if l.Name != "_" && !s.ofBlock(l, st) {
				return nil
			}
			names[i] = l.Name
		default:
			return nil
		}
	}
	if entry == nil || s.movesEntry(entry, st, call) {
		return nil
	}
	take, release := s.opens(entry.Pos(), entry.End(), true)
	indent := "\n" + s.src.indent(st.Pos())
	text := strings.Join(names, ", ") + " := " + s.src.of(call) + indent + take + indent + s.src.of(entry) + " = " + name
	return []analysis.TextEdit{replace(st, text), insert(s.src.after(st), indent+release)}
}

// movesEntry reports whether the words for an entry may mean another one once a call is made, or its other
// results are assigned.
func (s *scene) movesEntry(entry ast.Expr, st *ast.AssignStmt, call *ast.CallExpr) bool {
	named := s.body.variables(entry)
	lit := false
	ast.Inspect(call, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		lit = lit || is
		return !lit
	})
	return lit || s.body.changes(named, call.Pos(), call.End()) || slices.ContainsFunc(st.Lhs, func(l ast.Expr) bool {
		id, ok := ast.Unparen(l).(*ast.Ident)
		return ok && s.body.info.Uses[id] != nil && named(s.body.info.Uses[id])
	})
}

// ofBlock reports whether a name is that of a variable that is declared in the block of a statement, so
// that a definition there assigns it.
func (s *scene) ofBlock(id *ast.Ident, st ast.Stmt) bool {
	v, ok := s.body.info.Uses[id].(*types.Var)
	return ok && v.Parent() != nil && v.Parent() == s.m.pass.Pkg.Scope().Innermost(st.Pos())
}
