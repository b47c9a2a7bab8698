package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
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
//
// So does such a method of an interface (see quickMethod).
func (m *Maker) quick(f *infer.Func, s *summary.Stay) bool {
	if s.Kind == summary.Invokes {
		return m.quickMethod(f, s)
	}
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
		if ssautil.IsError(v.Type()) {
			return false
		}
	}
	return true
}

// quickMethod reports whether a method of an interface that is in a field ends by
// itself: it is a source of values, the interface is another module's, which knows
// nothing of this package, and the method of every value that the package puts into the
// field does. What a caller gave to the one who makes the object was there before it.
func (m *Maker) quickMethod(f *infer.Func, s *summary.Stay) bool {
	if s.Func == nil || !source0(s.Func.Signature()) || m.ofModule(s.Func.Pkg()) {
		return false
	}
	src := m.source(s.Pos)
	if src == nil {
		return false
	}
	var field *types.Var
	for _, n := range src.enclosing(s.Pos) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || m.pass.TypesInfo.Uses[method.Sel] != types.Object(s.Func) {
			continue
		}
		if sel, ok := ast.Unparen(method.X).(*ast.SelectorExpr); ok {
			field, _ = m.pass.TypesInfo.Uses[sel.Sel].(*types.Var)
		}
	}
	if field == nil || !field.IsField() || field.Pkg() != m.pass.Pkg {
		return false
	}
	values, ok := m.putInto(field)
	if !ok || len(values) == 0 {
		return false
	}
	for _, v := range values {
		t := m.pass.TypesInfo.TypeOf(v.x)
		if t == nil || types.IsInterface(t) && !v.made {
			return false
		}
		if types.IsInterface(t) {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, s.Func.Pkg(), s.Func.Name())
		fn, ok := obj.(*types.Func)
		if !ok || !m.calmFunc(fn) {
			return false
		}
	}
	return true
}

// ofModule reports whether a package belongs to the module that is analysed.
func (m *Maker) ofModule(pkg *types.Package) bool {
	if pkg == nil || pkg == m.pass.Pkg {
		return true
	}
	mod := m.pass.Module
	return mod != nil && (pkg.Path() == mod.Path || strings.HasPrefix(pkg.Path(), mod.Path+"/"))
}

// A fieldValue is what is put into a field, and whether that is while the object is made.
type fieldValue struct {
	x    ast.Expr
	made bool
}

// putInto returns what the package puts into a field; not ok if the field is set without
// its name, or its address is taken.
func (m *Maker) putInto(field *types.Var) (values []fieldValue, ok bool) {
	names := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && m.pass.TypesInfo.Uses[sel.Sel] == types.Object(field)
	}
	ok = true
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					switch {
					case !names(l):
					case len(n.Lhs) == len(n.Rhs):
						values = append(values, fieldValue{n.Rhs[i], false})
					default:
						ok = false
					}
				}
			case *ast.UnaryExpr:
				ok = ok && !(n.Op == token.AND && names(n.X))
			case *ast.CompositeLit:
				ok = ok && !m.unnamed(n, field)
			case *ast.KeyValueExpr:
				if id, isID := n.Key.(*ast.Ident); isID && m.pass.TypesInfo.Uses[id] == types.Object(field) {
					values = append(values, fieldValue{n.Value, true})
				}
			}
			return true
		})
	}
	return values, ok
}

// unnamed reports whether a composite literal sets a field without its name.
func (m *Maker) unnamed(lit *ast.CompositeLit, field *types.Var) bool {
	t := m.pass.TypesInfo.TypeOf(lit)
	if t == nil || len(lit.Elts) == 0 {
		return false
	}
	st, ok := t.Underlying().(*types.Struct)
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !ok || keyed {
		return false
	}
	for f := range st.Fields() {
		if f == field {
			return true
		}
	}
	return false
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
	return fn != nil && m.calmFunc(fn)
}

// calmFunc reports whether a function or method ends by itself.
func (m *Maker) calmFunc(fn *types.Func) bool {
	if g := m.in.Pkg.Lookup(any(fn.Origin())); g != nil {
		return m.conduct.Calm(g)
	}
	if sum := m.in.Pkg.Summary(any(fn.Origin())); sum != nil {
		return sum.Calm
	}
	return model.Brief(fn)
}
