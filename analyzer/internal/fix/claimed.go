package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// claim fixes a Store that marks a key as taken, right behind an if statement that leaves the function
// where it is taken already:
//
//	if _, ok := m.Load(k); ok {
//		return errTaken
//	}
//	m.Store(k, true)
//	…
//
// or first where it is not:
//
//	if _, ok := m.Load(k); !ok {
//		m.Store(k, true)
//		…
//	}
//
// where the definition may stand in front of the if statement as well.
// The Load becomes a LoadOrStore of the same value, and the Store goes. What is stored is there already, or is
// worked out without an effect: that it is made before the look shows nothing, and who loses is told so as before.
func (t *twoStep) claim() *analysis.SuggestedFix {
	list, i := t.siblings()
	claims := t.claimsBehind(list, i) || t.claimsFirst(list, i)
	if !t.has("LoadOrStore") {
		return nil
	}
	if !claims || t.own != nil || t.value != nil || t.body.jumps() || !t.ready(t.act.Args[1]) {
		return nil
	}
	gone, plain := t.src.without(t.stmt)
	if !plain {
		return nil
	}
	return &analysis.SuggestedFix{Message: "use LoadOrStore", TextEdits: []analysis.TextEdit{
		rename(t.load, "LoadOrStore"), insert(t.load.Args[0].End(), ", "+t.src.of(t.act.Args[1])), gone,
	}}
}

// claimsBehind reports whether the Store stands right behind the if statement that leaves the function.
func (t *twoStep) claimsBehind(list []ast.Stmt, i int) bool {
	if i < 1 {
		return false
	}
	is, ok := list[i-1].(*ast.IfStmt)
	if !ok || is.Else != nil || !t.isOk(is.Cond) || !t.body.leaves(is.Body) {
		return false
	}
	return is.Init == t.define || is.Init == nil && i > 1 && list[i-2] == t.define
}

// claimsFirst reports whether the Store stands first, before other statements, where the if statement has
// found nothing.
func (t *twoStep) claimsFirst(list []ast.Stmt, i int) bool {
	if i > 0 || len(list) < 2 || len(t.around) < 2 {
		return false
	}
	is, ok := t.around[1].(*ast.IfStmt)
	if !ok || is.Body != t.around[0] || !t.notOk(is.Cond) {
		return false
	}
	return is.Init == t.define || is.Init == nil && t.definedBefore(is)
}

// definedBefore reports whether the look defines its result right in front of an if statement.
func (t *twoStep) definedBefore(is *ast.IfStmt) bool {
	if len(t.around) < 3 {
		return false
	}
	list := statements(t.around[2])
	i := slices.Index(list, ast.Stmt(is))
	return i > 0 && list[i-1] == t.define
}

// ready reports whether a value can be worked out where it is not needed: that has no effect, cannot panic,
// and reads nothing that others can change. It is made of constants, and of the function's own variables.
func (t *twoStep) ready(value ast.Expr) bool {
	ok := t.pure(value)
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			ok = false
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.QUO && n.Op != token.REM && n.Op != token.SHL && n.Op != token.SHR
		case *ast.SelectorExpr:
			if sel := t.body.info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal {
				ok = ok && t.body.ownField(n)
			}
		case *ast.CallExpr:
			ok = ok && (!t.body.conversion(n) || basic(t.body.info.TypeOf(n)))
		case *ast.Ident:
			if v, isVar := t.body.info.Uses[n].(*types.Var); isVar && !v.IsField() {
				ok = ok && v.Parent() != t.m.pass.Pkg.Scope() && !slices.ContainsFunc(t.body.uses(v), t.captured)
			}
		}
		return ok
	})
	return ok
}
