package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A body is one function's own code: a declaration's, or a literal's.
type body struct {
	info  *types.Info
	typ   *ast.FuncType
	block *ast.BlockStmt
}

// namesVar reports whether an expression is the name of a variable, where it is defined or used.
func namesVar(info *types.Info, e ast.Expr, v *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && (info.Uses[id] == types.Object(v) || info.Defs[id] == types.Object(v))
}

// same reports whether two expressions are the same words for the same things,
// without an effect: names, fields of names, constants, and what conversions
// and operators make of them.
func (b *body) same(x, y ast.Expr) bool {
	x, y = ast.Unparen(x), ast.Unparen(y)
	switch x := x.(type) {
	case *ast.Ident:
		y, ok := y.(*ast.Ident)
		return ok && b.info.Uses[x] != nil && b.info.Uses[x] == b.info.Uses[y]
	case *ast.BasicLit:
		y, ok := y.(*ast.BasicLit)
		return ok && x.Kind == y.Kind && x.Value == y.Value
	case *ast.SelectorExpr:
		y, ok := y.(*ast.SelectorExpr)
		return ok && b.info.Uses[x.Sel] != nil && b.info.Uses[x.Sel] == b.info.Uses[y.Sel] && b.same(x.X, y.X)
	case *ast.StarExpr:
		y, ok := y.(*ast.StarExpr)
		return ok && b.same(x.X, y.X)
	case *ast.UnaryExpr:
		y, ok := y.(*ast.UnaryExpr)
		return ok && x.Op == y.Op && x.Op != token.ARROW && b.same(x.X, y.X)
	case *ast.BinaryExpr:
		y, ok := y.(*ast.BinaryExpr)
		return ok && x.Op == y.Op && b.same(x.X, y.X) && b.same(x.Y, y.Y)
	case *ast.CallExpr:
		y, ok := y.(*ast.CallExpr)
		return ok && b.conversion(x) && b.conversion(y) &&
			types.Identical(b.info.TypeOf(x), b.info.TypeOf(y)) && b.same(x.Args[0], y.Args[0])
	}
	return false
}

func (b *body) conversion(call *ast.CallExpr) bool {
	return b.info.Types[call.Fun].IsType() && len(call.Args) == 1
}

// builtin reports whether a call is one of a builtin function of that name.
func (b *body) builtin(call *ast.CallExpr, names ...string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || !slices.Contains(names, id.Name) {
		return false
	}
	_, ok = b.info.Uses[id].(*types.Builtin)
	return ok
}

// calls reports whether a stretch of the body calls a function.
func (b *body) calls(n ast.Node, from, to token.Pos) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && from <= call.Pos() && call.End() <= to && !b.conversion(call) && !b.builtin(call, "new", "make", "len", "cap", "append") {
			found = true
		}
		return !found
	})
	return found
}

// cheap reports whether an expression can be evaluated once more for nothing:
// it has no effect and cannot fail.
func (b *body) cheap(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (b.conversion(n) && basic(b.info.TypeOf(n)) || b.builtin(n, "new", "len", "cap"))
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.QUO && n.Op != token.REM && n.Op != token.SHL && n.Op != token.SHR
		case *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr, *ast.FuncLit:
			ok = false
		case *ast.SelectorExpr:
			ok = ok && b.info.Selections[n] == nil // a field could be one of nil
		}
		return ok
	})
	return ok
}

func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// uses returns where a variable is named in the body, its definition left out.
func (b *body) uses(obj types.Object) []*ast.Ident {
	var out []*ast.Ident
	ast.Inspect(b.block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && obj != nil && b.info.Uses[id] == obj {
			out = append(out, id)
		}
		return true
	})
	return out
}

// variables matches the variables and fields that an expression names.
func (b *body) variables(e ast.Expr) func(types.Object) bool {
	objs := make(map[types.Object]bool)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := b.info.Uses[id].(*types.Var); ok {
				objs[v] = true
			}
		}
		return true
	})
	return func(obj types.Object) bool { return obj != nil && objs[obj] }
}

// changes reports whether the body may assign to a variable or field that match
// accepts in a stretch of it: it does there, or in a literal, or somewhere
// takes the address.
func (b *body) changes(match func(types.Object) bool, from, to token.Pos) bool {
	found := false
	target := func(e ast.Expr, always bool) {
		var id *ast.Ident
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			id = e
		case *ast.SelectorExpr:
			id = e.Sel
		}
		if id != nil && match(b.info.Uses[id]) {
			found = found || always || from <= id.Pos() && id.Pos() < to || b.inLiteral(id)
		}
	}
	ast.Inspect(b.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				target(lhs, false)
			}
		case *ast.IncDecStmt:
			target(n.X, false)
		case *ast.RangeStmt:
			if n.Key != nil {
				target(n.Key, false)
			}
			if n.Value != nil {
				target(n.Value, false)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				target(n.X, true)
			}
		}
		return !found
	})
	return found
}

// inLiteral reports whether a node stands in a function literal of the body.
func (b *body) inLiteral(n ast.Node) bool {
	return slices.ContainsFunc(b.parents(n), func(p ast.Node) bool {
		_, ok := p.(*ast.FuncLit)
		return ok
	})
}

// selects reports whether an expression goes through something that others
// can change: a field, a pointer, a slice. A field of a struct that the function has
// in a variable is none of these.
func (b *body) selects(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || b.info.Selections[n] != nil && !b.ownField(n)
		case *ast.StarExpr:
			found = true
		case *ast.CallExpr:
			found = found || len(n.Args) == 1 && !basic(b.info.TypeOf(n.Args[0]))
		}
		return !found
	})
	return found
}

// ownField reports whether an expression is a field of a struct that a variable of the
// function holds by value, and of which no method gets the address.
func (b *body) ownField(sel *ast.SelectorExpr) bool {
	x := ast.Expr(sel)
	for {
		part, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		s := b.info.Selections[part]
		if s == nil || s.Kind() != types.FieldVal || s.Indirect() {
			return false
		}
		x = ast.Unparen(part.X)
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := b.info.Uses[id].(*types.Var)
	own := ok && (within(b.typ, v.Pos()) || within(b.block, v.Pos()))
	return own && !b.lent(v)
}

// lent reports whether the address of a variable, or of a part of it, is taken, also
// without being written: for a method with a pointer receiver, or by slicing an array.
func (b *body) lent(v *types.Var) bool {
	found := false
	within := func(e ast.Expr) bool {
		return b.mentions(e, func(id *ast.Ident) bool { return b.info.Uses[id] == v })
	}
	ast.Inspect(b.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := b.info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				fn, ok := s.Obj().(*types.Func)
				found = found || within(n.X) && (!ok || pointerMethod(fn))
			}
		case *ast.SliceExpr:
			found = found || within(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && within(n.X)
		}
		return !found
	})
	return found
}

func pointerMethod(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	_, ok := recv.Type().Underlying().(*types.Pointer)
	return ok
}

// parents returns the nodes around n, the innermost first, up to the body.
func (b *body) parents(n ast.Node) []ast.Node {
	var stack, out []ast.Node
	ast.Inspect(b.block, func(m ast.Node) bool {
		if m == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if m == n {
			out = slices.Clone(stack)
		}
		stack = append(stack, m)
		return true
	})
	slices.Reverse(out)
	return out
}

// statements returns the list of statements that a node holds.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// leaves reports whether a block ends the function.
func (b *body) leaves(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch s := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && b.builtin(call, "panic")
	}
	return false
}
