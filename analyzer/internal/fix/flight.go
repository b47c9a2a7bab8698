package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// A Store may stand in a literal that runs in place, and what is stored may come out of
// a function that runs another one for one caller at a time per key, and gives what came
// of it to all that wait meanwhile.
//
// The literal is called where it stands, or handed to such a function: it runs at most
// once after each look, before the statement ends. What it stores it alone has until
// then, and gives back what the map holds.
//
// A value that came out of such a function may be with several goroutines at once. If
// the package uses the group at this place alone, all of them are here, before the
// Store: each goes on with what the map holds, and none with the value that lost.

// loadOutside finds the Load in the function around the literal in which the act stands.
func (t *twoStep) loadOutside(path []ast.Node) bool {
	for i, n := range path {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			continue
		}
		outer := t.bodyAround(path[i+1:])
		if outer == nil || !t.m.runsHere(lit, path[i+1:]) {
			return false
		}
		t.own, t.body = t.body, outer
		return t.findLoad() && !outer.inLiteral(t.load)
	}
	return false
}

// inner returns the two steps as seen from the function in which the act stands.
func (t *twoStep) inner() *twoStep {
	if t.own == nil {
		return t
	}
	in := *t
	in.body, in.around = t.own, t.own.parents(t.stmt)
	return &in
}

// endsWithLiteral reports whether nothing but a return without calls follows the
// statement of the literal in which the act stands: nothing that only the one who stored
// should do.
func (t *twoStep) endsWithLiteral() bool {
	if t.own == nil {
		return true
	}
	for i, n := range t.around {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Body == t.own.block {
			return t.endsAround(t.around[i+1:])
		}
	}
	return false
}

// endsAround does that for what stands around the literal: it is part of a plain statement.
func (t *twoStep) endsAround(around []ast.Node) bool {
	for i, n := range around {
		switch st := n.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt:
			if i+1 == len(around) {
				return false
			}
			list := statements(around[i+1])
			at := slices.Index(list, st.(ast.Stmt))
			return at >= 0 && t.lastBut(list[at+1:])
		case ast.Stmt:
			return false
		}
	}
	return false
}

// runsHere reports whether a literal runs where it stands, once at most: it is called
// there, or handed to a function that runs it for one caller at a time per key.
func (m *Maker) runsHere(lit *ast.FuncLit, around []ast.Node) bool {
	for i, n := range around {
		switch n := n.(type) {
		case *ast.ParenExpr:
		case *ast.CallExpr:
			direct := ast.Unparen(n.Fun) == ast.Expr(lit)
			return (direct || m.flight(n) == lit) && i+1 < len(around) && !leftRunning(around[i+1])
		default:
			return false
		}
	}
	return false
}

// leftRunning reports whether a statement starts a call, or puts it off.
func leftRunning(n ast.Node) bool {
	switch n.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// flight returns the literal that a call hands to a function which runs it for one caller
// at a time per key; nil if there is none.
func (m *Maker) flight(call *ast.CallExpr) *ast.FuncLit {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn, ok := m.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok {
		return nil
	}
	does := m.in.Pkg.Does(fn)
	at := does.Arg
	if fn.Signature().Recv() != nil {
		at-- // the receiver counts there
	}
	if does.Kind != model.Flight || at < 0 || at >= len(call.Args) {
		return nil
	}
	lit, _ := ast.Unparen(call.Args[at]).(*ast.FuncLit)
	return lit
}

// flown returns the types of what an assignment can get out of a group that runs a
// literal for one caller at a time per key; nil if it is none, or if other goroutines
// may get such a value elsewhere.
func (t *twoStep) flown(a *ast.AssignStmt) (out []types.Type) {
	if len(a.Rhs) != 1 || len(a.Lhs) < 2 {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return nil
	}
	lit := t.m.flight(call)
	if lit == nil || !t.m.soleUse(receiver(call)) {
		return nil
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) < 2 {
				out = append(out, nil)
				return true
			}
			value := n.Results[0]
			if !isNil(t.body.info, value) {
				out = append(out, t.body.info.TypeOf(value))
			}
			if !t.madeByCall(value) {
				out = append(out, nil) // others may have it
			}
		}
		return true
	})
	return out
}

// madeByCall reports whether a value comes out of a call or a literal at once, or is
// none.
func (t *twoStep) madeByCall(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr, *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && lit
	}
	return isNil(t.body.info, x)
}

// soleUse reports whether the package names a field or variable at one place alone, but
// where it makes what is in it, and no other package can.
func (m *Maker) soleUse(x ast.Expr) bool {
	var id *ast.Ident
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return false
	}
	v, ok := m.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Exported() || v.Pkg() != m.pass.Pkg || !v.IsField() && v.Parent() != m.pass.Pkg.Scope() {
		return false
	}
	uses := 0
	for use, obj := range m.pass.TypesInfo.Uses {
		if obj == v && !m.setsMade(use) {
			uses++
		}
	}
	return uses == 1
}

// setsMade reports whether a name is a field of an object that is made there, which gets
// something that is made there, too.
func (m *Maker) setsMade(use *ast.Ident) bool {
	src := m.source(use.Pos())
	if src == nil {
		return false
	}
	for _, n := range src.enclosing(use.Pos()) {
		if kv, ok := n.(*ast.KeyValueExpr); ok && kv.Key == ast.Expr(use) {
			addr, ok := ast.Unparen(kv.Value).(*ast.UnaryExpr)
			if !ok || addr.Op != token.AND {
				return false
			}
			_, ok = ast.Unparen(addr.X).(*ast.CompositeLit)
			return ok
		}
	}
	return false
}
