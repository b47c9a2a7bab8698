package records

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// kept notes the functions and methods of which a result that is a map goes somewhere: a
// call is neither a statement of its own, nor is the map assigned to the blank identifier, or
// only compared with nil.
func (g *gatherer) kept(files []*ast.File) {
	dropped := make(map[*ast.CallExpr]func(result int) bool)
	all := func(int) bool { return true }
	unread := g.unreadVars(files)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
					dropped[call] = all
				}
			case *ast.GoStmt:
				dropped[n.Call] = all
			case *ast.DeferStmt:
				dropped[n.Call] = all
			case *ast.AssignStmt:
				if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && len(n.Rhs) == 1 {
					dropped[call] = func(i int) bool { return i < len(n.Lhs) && (blank(n.Lhs[i]) || unread(n.Lhs[i])) }
				}
			case *ast.BinaryExpr:
				if call, ok := g.nilTested(n).(*ast.CallExpr); ok {
					dropped[call] = all
				}
			case *ast.CallExpr:
				g.keeps(n, dropped[n])
			}
			return true
		})
	}
}

// unreadVars returns a test for variables that are defined there and of which no use but a comparison
// with nil stands in some files.
func (g *gatherer) unreadVars(files []*ast.File) func(ast.Expr) bool {
	tested := make(map[*ast.Ident]bool)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if cmp, ok := n.(*ast.BinaryExpr); ok {
				if id, ok := g.nilTested(cmp).(*ast.Ident); ok {
					tested[id] = true
				}
			}
			return true
		})
	}
	read := make(map[types.Object]bool)
	for id, obj := range g.info.Uses {
		if _, local := obj.(*types.Var); local && !tested[id] {
			read[obj] = true
		}
	}
	return func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && g.info.Defs[id] != nil && !read[g.info.Defs[id]]
	}
}

// nilTested returns what an expression compares with nil, if it does.
func (g *gatherer) nilTested(cmp *ast.BinaryExpr) ast.Expr {
	x, y := ast.Unparen(cmp.X), ast.Unparen(cmp.Y)
	switch {
	case cmp.Op != token.EQL && cmp.Op != token.NEQ:
		return nil
	case g.info.Types[y].IsNil():
		return x
	case g.info.Types[x].IsNil():
		return y
	}
	return nil
}

func blank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// keeps notes the maps that a call gives and that are not dropped.
func (g *gatherer) keeps(call *ast.CallExpr, dropped func(result int) bool) {
	fn, ok := typeutil.Callee(g.info, call).(*types.Func)
	if !ok {
		return
	}
	name := string(outside.NameOf(fn))
	results := fn.Signature().Results()
	recv := fn.Signature().Recv()
	for i := range results.Len() {
		t := results.At(i).Type()
		if _, isMap := t.Underlying().(*types.Map); isMap && (dropped == nil || !dropped(i)) {
			if recv != nil && types.IsInterface(recv.Type()) {
				name = string(outside.Method("", fn.Name()))
			}
			g.rec.Kept[name] = true
		}
	}
}
