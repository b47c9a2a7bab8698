package fix

import (
	"go/ast"
	"go/types"
	"slices"
)

// copied reports what speaks against a mutex in a struct: it is copied by value,
// or made by listing its fields without their names.
func (m *Maker) copied(t *types.Named) refusal { return m.copiedBut(t, nil) }

// copiedBut is copied but for the receivers of some methods.
func (m *Maker) copiedBut(t *types.Named, methods map[*ast.FuncDecl]bool) refusal {
	isT := func(x types.Type) bool {
		switch u := types.Unalias(x).(type) {
		case *types.Slice:
			x = u.Elem()
		case *types.Array:
			x = u.Elem()
		case *types.Map:
			x = u.Elem()
		case *types.Chan:
			x = u.Elem()
		}
		return x != nil && types.Identical(types.Unalias(x), t)
	}
	why := m.copiedAround(t)
	for _, file := range m.pass.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
			if why != "" {
				return false
			}
			if x, ok := n.(ast.Expr); ok && m.copies(x, t, around) {
				why = refusal(t.Obj().Name() + " is copied by value, and a mutex must not be copied")
			}
			switch n := n.(type) {
			case *ast.FuncType:
				if m.passes(n, isT) {
					why = refusal(t.Obj().Name() + " is passed by value, and a mutex must not be copied")
				}
			case *ast.FuncDecl:
				if n.Recv != nil && len(n.Recv.List) == 1 && !methods[n] && isT(m.pass.TypesInfo.TypeOf(n.Recv.List[0].Type)) {
					why = refusal("methods of " + t.Obj().Name() + " get it by value, and a mutex must not be copied")
				}
			case *ast.StarExpr:
				if tv := m.pass.TypesInfo.Types[n]; tv.IsValue() && isT(tv.Type) {
					why = refusal(t.Obj().Name() + " is copied by value, and a mutex must not be copied")
				}
			case *ast.RangeStmt:
				if n.Value != nil && isT(m.pass.TypesInfo.TypeOf(n.Value)) {
					why = refusal(t.Obj().Name() + " is copied by value, and a mutex must not be copied")
				}
			case *ast.CompositeLit:
				if len(n.Elts) == 0 || !types.Identical(m.pass.TypesInfo.TypeOf(n), t) {
					break
				}
				if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
					why = refusal(t.Obj().Name() + " is made by listing its fields without their names")
				}
			}
			return why == ""
		})
	}
	return why
}

// passes reports whether a function has a parameter or result of some type.
func (m *Maker) passes(fn *ast.FuncType, some func(types.Type) bool) bool {
	for _, list := range [...]*ast.FieldList{fn.Params, fn.Results} {
		if list == nil {
			continue
		}
		if slices.ContainsFunc(list.List, func(f *ast.Field) bool { return some(m.pass.TypesInfo.TypeOf(f.Type)) }) {
			return true
		}
	}
	return false
}

// copiedAround is copied for the structs that have a value of the type as a field, or an array of such: it is copied with them.
func (m *Maker) copiedAround(t *types.Named) refusal {
	scope := m.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		around, ok := tn.Type().(*types.Named)
		if st, isStruct := tn.Type().Underlying().(*types.Struct); !ok || !isStruct || !holdsOf(st, t) {
			continue
		}
		if m.copied(around) != "" {
			return refusal(t.Obj().Name() + " is copied with " + name + ", and a mutex must not be copied")
		}
	}
	return ""
}

// holdsOf reports whether a struct has a value of a type as a field, or an array of such.
func holdsOf(st *types.Struct, t *types.Named) bool {
	for f := range st.Fields() {
		of := types.Unalias(f.Type())
		for {
			array, ok := of.(*types.Array)
			if !ok {
				break
			}
			of = types.Unalias(array.Elem())
		}
		if types.Identical(of, t) {
			return true
		}
	}
	return false
}

// copies reports whether an expression, with the nodes around it, the innermost last, copies a variable of a type, or several of a slice.
func (m *Maker) copies(x ast.Expr, t *types.Named, around []ast.Node) bool {
	info := m.pass.TypesInfo
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) > 1 && isBuiltin(info, call) {
		last, ok := info.TypeOf(call.Args[1]).Underlying().(*types.Slice)
		name := ast.Unparen(call.Fun).(*ast.Ident).Name
		return ok && (name == "copy" || call.Ellipsis.IsValid()) && types.Identical(types.Unalias(last.Elem()), t)
	}
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
	default:
		return false
	}
	tv := info.Types[x]
	if !tv.IsValue() || !types.Identical(types.Unalias(tv.Type), t) || isVariable(true, around) {
		return false
	}
	if p, ok := around[len(around)-1].(*ast.SelectorExpr); ok && p.Sel == x {
		return false // which is asked itself
	}
	as, ok := around[len(around)-1].(*ast.AssignStmt)
	return !ok || !slices.Contains(as.Lhs, x)
}
