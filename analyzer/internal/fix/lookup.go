package fix

import (
	"go/ast"
	"go/types"
)

// lookUp returns the index expression of a helper that looks an entry up, gives
// back what it found, and does nothing else; nil if it is no such helper.
func (h *helper) lookUp() *ast.IndexExpr {
	rest := h.body.block.List[len(h.head):]
	var plain []ast.Stmt
	for _, st := range rest {
		if h.opAt(st) == nil {
			plain = append(plain, st)
		}
	}
	if len(plain) == 0 || len(plain) > 2 {
		return nil
	}
	ret, ok := plain[len(plain)-1].(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	if len(plain) == 1 {
		if len(ret.Results) != 1 {
			return nil
		}
		index, _ := ast.Unparen(ret.Results[0]).(*ast.IndexExpr)
		return index
	}
	def, ok := plain[0].(*ast.AssignStmt)
	if !ok || len(def.Rhs) != 1 || !h.givesBack(def.Lhs, ret.Results) {
		return nil
	}
	index, _ := ast.Unparen(def.Rhs[0]).(*ast.IndexExpr)
	return index
}

// givesBack reports whether what is assigned is what a return returns.
func (h *helper) givesBack(assigned, results []ast.Expr) bool {
	var want []types.Object
	for _, x := range results {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return false
		}
		want = append(want, h.body.info.Uses[id])
	}
	if len(results) == 0 && h.decl.Type.Results != nil {
		for _, f := range h.decl.Type.Results.List {
			for _, id := range f.Names {
				want = append(want, h.body.info.Defs[id])
			}
		}
	}
	if len(want) != len(assigned) {
		return false
	}
	for i, x := range assigned {
		id, ok := x.(*ast.Ident)
		if !ok || want[i] == nil || h.body.info.Defs[id] != want[i] && h.body.info.Uses[id] != want[i] {
			return false
		}
	}
	return true
}

// inCaller writes an expression of the helper as its caller would: the receiver
// and the parameters are what the call passes. "" if it names anything else that
// the caller has not.
func (h *helper) inCaller(x ast.Expr, call *ast.CallExpr, src *source) string {
	with := h.passed(call)
	if with == nil {
		return ""
	}
	out, at, ok := "", x.Pos(), true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			ok = false
		case *ast.Ident:
			obj := h.body.info.Uses[n]
			v, _ := obj.(*types.Var)
			if arg := with[obj]; arg != nil {
				if h.boxesConst(x, arg) {
					ok = false // it would be a key of another type
					return false
				}
				out += h.src.between(at, n.Pos()) + src.operand(arg)
				at = n.End()
			} else if v == nil || !v.IsField() {
				ok = false
			}
		}
		return ok
	})
	if !ok {
		return ""
	}
	return out + h.src.between(at, x.End())
}

// boxesConst reports whether a constant would become a key of an interface's type by itself: what the
// helper puts there has the type of its parameter.
func (h *helper) boxesConst(x, arg ast.Expr) bool {
	index, ok := x.(*ast.IndexExpr)
	if !ok || h.m.pass.TypesInfo.Types[arg].Value == nil {
		return false
	}
	m, ok := h.body.info.TypeOf(index.X).Underlying().(*types.Map)
	return ok && types.IsInterface(m.Key())
}

// passed returns what a call passes for the helper's receiver and parameters; nil
// if that is not one plain expression each.
func (h *helper) passed(call *ast.CallExpr) map[types.Object]ast.Expr {
	with := make(map[types.Object]ast.Expr)
	if h.decl.Recv != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		with[h.body.info.Defs[h.decl.Recv.List[0].Names[0]]] = sel.X
	}
	i := 0
	for _, f := range h.decl.Type.Params.List {
		for _, id := range f.Names {
			if i >= len(call.Args) {
				return nil
			}
			with[h.body.info.Defs[id]] = call.Args[i]
			i++
		}
	}
	if i != len(call.Args) || call.Ellipsis.IsValid() || h.f.Obj.Signature().Variadic() {
		return nil
	}
	return with
}

// operand returns the source of an expression as a part of another one.
func (s *source) operand(x ast.Expr) string {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.BasicLit, *ast.ParenExpr, *ast.IndexExpr:
		return s.of(x)
	}
	return "(" + s.of(x) + ")"
}
