package records

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// changed notes the functions and methods that gave back a map which the package
// changes: it sets, deletes or clears entries of a call's result, or of a variable
// that has it.
func (g *gatherer) changed(files []*ast.File) {
	from := make(map[types.Object][]ast.Expr) // the calls that a variable's values come from
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				g.assigned(a, from)
			}
			return true
		})
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					g.changes(l, from)
				}
			case *ast.IncDecStmt:
				g.changes(n.X, from)
			case *ast.CallExpr:
				id, ok := ast.Unparen(n.Fun).(*ast.Ident)
				if ok && len(n.Args) > 0 && (id.Name == "delete" || id.Name == "clear") {
					g.ofResult(n.Args[0], from)
				}
				g.copied(n, from)
			}
			return true
		})
	}
}

// copied notes a map into which another one is copied.
func (g *gatherer) copied(call *ast.CallExpr, from map[types.Object][]ast.Expr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	fn, ok := g.info.Uses[sel.Sel].(*types.Func)
	if ok && fn.Pkg() != nil && fn.Pkg().Path() == "maps" && (fn.Name() == "Copy" || fn.Name() == "DeleteFunc" || fn.Name() == "Insert") {
		g.ofResult(call.Args[0], from)
	}
}

func (g *gatherer) assigned(a *ast.AssignStmt, from map[types.Object][]ast.Expr) {
	for i, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		obj := g.info.Defs[id]
		if obj == nil {
			obj = g.info.Uses[id]
		}
		r := a.Rhs[0]
		if len(a.Rhs) == len(a.Lhs) {
			r = a.Rhs[i]
		}
		if call, ok := ast.Unparen(r).(*ast.CallExpr); ok && obj != nil && a.Tok != token.ADD_ASSIGN {
			from[obj] = append(from[obj], call)
		}
	}
}

// changes notes whose result an assignment changes, if it is to an entry of a map.
func (g *gatherer) changes(l ast.Expr, from map[types.Object][]ast.Expr) {
	if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
		g.ofResult(x.X, from)
	}
}

// ofResult notes whose result a map is that is changed.
func (g *gatherer) ofResult(x ast.Expr, from map[types.Object][]ast.Expr) {
	x = ast.Unparen(x)
	t := g.info.TypeOf(x)
	if t == nil {
		return
	}
	if _, isMap := t.Underlying().(*types.Map); !isMap {
		return
	}
	calls := []ast.Expr{x}
	if id, ok := x.(*ast.Ident); ok {
		calls = from[g.info.Uses[id]]
	}
	for _, c := range calls {
		call, ok := c.(*ast.CallExpr)
		if !ok {
			continue
		}
		var id *ast.Ident
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			id = fun
		case *ast.SelectorExpr:
			id = fun.Sel
		}
		if fn, ok := g.info.Uses[id].(*types.Func); ok && id != nil {
			g.rec.Changed[outside.Gives(fn.Name(), t)] = true
		}
	}
}
