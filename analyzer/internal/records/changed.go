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
	var assigns []*ast.AssignStmt
	var maps []ast.Expr // those that are changed
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				assigns = append(assigns, n)
				for _, l := range n.Lhs {
					maps = g.entryOf(maps, l)
				}
			case *ast.IncDecStmt:
				maps = g.entryOf(maps, n.X)
			case *ast.CallExpr:
				if g.changes(n) {
					maps = append(maps, n.Args[0])
				}
			}
			return true
		})
	}
	if len(maps) == 0 {
		return
	}
	from := make(map[types.Object][]ast.Expr) // the calls that a variable's values come from
	for _, a := range assigns {
		g.assigned(a, from)
	}
	for _, x := range maps {
		g.ofResult(x, from)
	}
}

// changes reports whether a call changes the map that is its first argument: it
// deletes entries, or copies others there.
func (g *gatherer) changes(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name == "delete" || fun.Name == "clear"
	case *ast.SelectorExpr:
		switch fun.Sel.Name {
		case "Copy", "DeleteFunc", "Insert":
			fn, ok := g.info.Uses[fun.Sel].(*types.Func)
			return ok && fn.Pkg() != nil && fn.Pkg().Path() == "maps"
		}
	}
	return false
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

// entryOf adds the map of which an assignment changes an entry, if it does.
func (g *gatherer) entryOf(maps []ast.Expr, l ast.Expr) []ast.Expr {
	if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
		if t := g.info.TypeOf(x.X); t != nil {
			if _, isMap := t.Underlying().(*types.Map); isMap {
				return append(maps, x.X)
			}
		}
	}
	return maps
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
