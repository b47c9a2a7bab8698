package prove

import (
	"go/ast"
	"go/token"
	"go/types"
)

// loops reports whether a function most likely runs until it is told to stop.
func (e *entry) loops() bool {
	found := false
	ast.Inspect(e.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if t := e.file.pkg.TypesInfo.TypeOf(n.X); t != nil {
				_, ok := t.Underlying().(*types.Chan)
				found = found || ok
			}
		case *ast.ForStmt:
			if n.Cond == nil && n.Init == nil {
				tries := left(n.Body)
				ast.Inspect(n.Body, func(in ast.Node) bool {
					switch in := in.(type) {
					case *ast.SelectStmt:
						found = found || !tries
						return false
					case *ast.UnaryExpr:
						found = found || in.Op == token.ARROW
					}
					return !found
				})
			}
		}
		return !found
	})
	return found
}

// left reports whether a loop has a break of its own: what goes on behind it
// tries until it succeeds, and does not wait to be told to stop.
func left(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK && n.Label == nil
		}
		return true
	})
	return found
}
