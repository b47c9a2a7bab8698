package fix

import (
	"go/ast"
	"go/token"
	"go/types"
)

// updatesFound reports whether the function changes an entry that it has found, or calls its methods, where it would else have
// stored one: who loses would have to do the same to the winner's.
func (t *twoStep) updatesFound() bool {
	if t.value == nil {
		return false
	}
	for at, n := range t.around {
		is, ok := n.(*ast.IfStmt)
		switch {
		case !ok:
			for _, st := range statements(n) {
				if i, ok := st.(*ast.IfStmt); ok && i.End() <= t.act.Pos() && t.isOk(i.Cond) && t.updates(i.Body) {
					return true
				}
			}
		case at == 0:
		case t.around[at-1] == ast.Node(is.Body):
			if t.notOk(is.Cond) && is.Else != nil && t.updates(is.Else) {
				return true
			}
		case t.isOk(is.Cond) && t.updates(is.Body):
			return true
		}
	}
	return false
}

// updates reports whether a statement does something to the value that the Load found, or to what is defined as that.
func (t *twoStep) updates(in ast.Stmt) bool {
	of := map[types.Object]bool{t.value: true}
	names := func(n ast.Node) bool {
		return t.body.mentions(n, func(id *ast.Ident) bool { return of[t.body.info.Uses[id]] })
	}
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			found = found || names(n)
		case *ast.IncDecStmt:
			found = found || names(n)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				id, isID := l.(*ast.Ident)
				found = found || !isID && names(l)
				if isID && n.Tok == token.DEFINE && names(n.Rhs[min(i, len(n.Rhs)-1)]) {
					of[t.body.info.Defs[id]] = true
				}
			}
		}
		return !found
	})
	delete(of, nil)
	return found
}
