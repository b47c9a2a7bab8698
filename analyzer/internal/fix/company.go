package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// company returns the statements right behind an insertion, in its section, that put the value which is inserted in another place as
// well, or under it: in a second map, say. They belong to the insertion: no one is to find a value that has lost, and the winner's is there.
// Each is a plain assignment that calls nothing, names the value, and defines nothing that is used later. What does not name the value, as
// to count, may concern the one who comes second as well.
func (a *again) company() (along []ast.Stmt) {
	if !a.actHeld {
		return nil // the section would be the insertion's alone
	}
	for _, st := range a.level.list[a.level.at+1:] {
		set, ok := st.(*ast.AssignStmt)
		if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 || !a.puts(set) {
			break
		}
		along = append(along, st)
	}
	return along
}

// puts reports whether an assignment to an entry or a field names the value, as what is put there or in the key, and calls nothing.
func (a *again) puts(set *ast.AssignStmt) bool {
	switch ast.Unparen(set.Lhs[0]).(type) {
	case *ast.IndexExpr, *ast.SelectorExpr:
	default:
		return false // a variable of the function
	}
	if counts(set) {
		return false
	}
	names := a.body.mentions(set, func(id *ast.Ident) bool { return a.body.info.Uses[id] == a.value })
	return names && !a.body.calls(set, set.Pos(), set.End())
}

// counts reports whether an assignment computes what it puts from what is there: as with an increment, both may have to do it.
func counts(set *ast.AssignStmt) (found bool) {
	place := types.ExprString(ast.Unparen(set.Lhs[0]))
	ast.Inspect(set.Rhs[0], func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && types.ExprString(e) == place
		return !found
	})
	return found
}

// last returns the last statement that only the one who inserts makes.
func (a *again) last() ast.Stmt {
	if len(a.along) > 0 {
		return a.along[len(a.along)-1]
	}
	return a.stmt
}

// deeper indents what goes into the branch of the insertion besides.
func (a *again) deeper() (edits []analysis.TextEdit) {
	for _, st := range a.along {
		edits = append(edits, insert(st.Pos(), "\t"))
	}
	return edits
}
