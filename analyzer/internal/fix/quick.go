package fix

import (
	"go/ast"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// quick reports whether a call of a function value ends by itself, although the
// value is not known where it is called.
//
// It does where it is a parameter of a function that the package alone calls, and
// every call passes a function that ends by itself. So does a source of values:
// a function without parameters that cannot fail, kept in a field that is set
// only while the object is made. It was there before the object, of which it has
// no way to learn, and can neither call back nor wait for those who use it; one
// that asked something elsewhere could fail, or would take a context.
func (m *Maker) quick(f *infer.Func, s *summary.Stay) bool {
	if s.Kind != summary.Value || s.Sig == nil {
		return false
	}
	if s.Given {
		return m.passedQuick(f, s)
	}
	return s.Field != nil && s.Field.IsField() && source0(s.Sig) && m.setWhileMade(s.Field)
}

// source0 reports whether a function has no parameters, and results that are no
// errors.
func source0(sig *types.Signature) bool {
	if sig.Params().Len() > 0 || sig.Results().Len() == 0 {
		return false
	}
	for v := range sig.Results().Variables() {
		if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			return false
		}
	}
	return true
}

// setWhileMade reports whether a field is assigned only in objects that the
// assigning function holds in a variable of its own.
func (m *Maker) setWhileMade(field *types.Var) bool {
	if field.Exported() || field.Pkg() != m.pass.Pkg {
		return false
	}
	ok := true
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					sel, isSel := ast.Unparen(l).(*ast.SelectorExpr)
					if isSel && m.pass.TypesInfo.Uses[sel.Sel] == field && !m.localVar(sel.X) {
						ok = false
					}
				}
			case *ast.UnaryExpr:
				sel, isSel := ast.Unparen(n.X).(*ast.SelectorExpr)
				if isSel && n.Op.String() == "&" && m.pass.TypesInfo.Uses[sel.Sel] == field {
					ok = false
				}
			}
			return ok
		})
	}
	return ok
}

// localVar reports whether an expression is a variable that a function defines
// by making its value.
func (m *Maker) localVar(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := m.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == m.pass.Pkg.Scope() {
		return false
	}
	made := false
	for _, file := range m.pass.Files {
		if v.Pos() < file.FileStart || file.FileEnd <= v.Pos() {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, l := range a.Lhs {
				if def, ok := l.(*ast.Ident); ok && m.pass.TypesInfo.Defs[def] == v {
					made = isMade(a.Rhs[i])
				}
			}
			return true
		})
	}
	return made
}

func isMade(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		_, lit := x.X.(*ast.CompositeLit)
		return lit
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}

// passedQuick reports whether all calls of a function pass functions that end by
// themselves for its function parameters.
func (m *Maker) passedQuick(f *infer.Func, s *summary.Stay) bool {
	if f.Obj == nil || f.Is(role.Public) || f.Ctx.Escaped {
		return false
	}
	calls, uses := 0, 0
	ok := true
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if m.pass.TypesInfo.Uses[n] == types.Object(f.Obj) {
					uses++
				}
			case *ast.CallExpr:
				if m.calleeOf(n) == f.Obj {
					calls++
					ok = ok && m.argsQuick(n)
				}
			}
			return true
		})
	}
	return ok && calls > 0 && calls == uses
}

func (m *Maker) calleeOf(call *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, _ := m.pass.TypesInfo.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := m.pass.TypesInfo.Uses[fun.Sel].(*types.Func)
		return fn
	}
	return nil
}

func (m *Maker) argsQuick(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if _, fn := m.pass.TypesInfo.TypeOf(arg).Underlying().(*types.Signature); fn && !m.quickFunc(arg) {
			return false
		}
	}
	return true
}

// quickFunc reports whether an expression names a function that ends by itself.
func (m *Maker) quickFunc(arg ast.Expr) bool {
	var fn *types.Func
	switch x := ast.Unparen(arg).(type) {
	case *ast.Ident:
		fn, _ = m.pass.TypesInfo.Uses[x].(*types.Func)
	case *ast.SelectorExpr:
		fn, _ = m.pass.TypesInfo.Uses[x.Sel].(*types.Func)
	case *ast.FuncLit:
		for _, g := range m.in.Pkg.Funcs {
			if g.SSA.Syntax() == ast.Node(x) {
				return m.conduct.Calm(g)
			}
		}
	}
	if fn == nil {
		return false
	}
	if g := m.in.Pkg.Lookup(any(fn.Origin())); g != nil {
		return m.conduct.Calm(g)
	}
	if sum := m.in.Pkg.Summary(any(fn.Origin())); sum != nil {
		return sum.Calm
	}
	return model.Brief(fn)
}
