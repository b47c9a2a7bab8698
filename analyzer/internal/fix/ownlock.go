package fix

import (
	"go/ast"
	"go/types"
)

// ownLock reports whether only this package can take a lock, although its field is exported: it is one of a struct without a
// name, which is the type of variables that are not exported, and with these nothing is done but to use their fields and to call
// the lock's methods. So no value of that type, and no address in one, gets anywhere else.
func (m *Maker) ownLock(lock *types.Var) bool {
	if lock.Pkg() != m.pass.Pkg || !lock.IsField() {
		return false
	}
	holders := make(map[types.Object]bool)
	scope := m.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && hasField(v.Type(), lock) {
			if v.Exported() {
				return false
			}
			holders[v] = true
		}
	}
	if len(holders) == 0 {
		return false
	}
	for _, file := range m.pass.Files {
		kept := true
		ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && holders[m.pass.TypesInfo.Uses[id]] && !m.usesPart(around, lock) {
				kept = false
			}
			return kept
		})
		if !kept {
			return false
		}
	}
	return true
}

// hasField reports whether a type is a struct without a name, or points to one, that has a field.
func hasField(t types.Type, field *types.Var) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f == field {
			return true
		}
	}
	return false
}

// usesPart reports whether a name with some nodes around it, the innermost last, stands for one of the fields of what it names that is not
// the lock, or for a method that is called.
func (m *Maker) usesPart(around []ast.Node, lock *types.Var) bool {
	last := len(around) - 1
	for ; last >= 0; last-- {
		sel, ok := around[last].(*ast.SelectorExpr)
		if !ok {
			return false
		}
		s := m.pass.TypesInfo.Selections[sel]
		switch {
		case s == nil:
			return false
		case s.Kind() == types.FieldVal && s.Obj() == types.Object(lock):
			continue // a method of it is to be called
		case s.Kind() == types.FieldVal:
			return true
		}
		call, ok := around[last-1].(*ast.CallExpr)
		return ok && call.Fun == ast.Expr(sel)
	}
	return false
}
