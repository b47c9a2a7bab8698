package fix

import (
	"go/ast"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// droppable reports whether a value of type t can be made and dropped: nothing
// that it is or holds must be closed, and no goroutine can be waiting on it.
// What is in an interface of the package without a method that ends it cannot be ended
// by those who take it from the map: it is lost today, too, when it is overwritten.
// Of other interfaces that is not known.
func (m *Maker) droppable(t types.Type) bool { return m.dropDepth(t, 0) }

func (m *Maker) dropDepth(t types.Type, depth int) bool {
	if t == nil || m.ends(t) {
		return false
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Chan, *types.Signature, *types.Tuple:
		return false
	case *types.Interface:
		return depth > 0 || m.endless(t, u) // what a field holds was there before
	case *types.Struct:
		if depth > 2 {
			return true
		}
		for i := range u.NumFields() {
			ft := u.Field(i).Type()
			if _, channel := ft.Underlying().(*types.Chan); channel && depth == 0 && m.sealed(u.Field(i)) {
				continue // a goroutine that waits there could never be ended: the type has no method for it
			}
			if _, fn := ft.Underlying().(*types.Signature); fn && !cancels(ft) {
				continue
			}
			if !m.dropDepth(ft, depth+1) {
				return false
			}
		}
	}
	return true
}

// endless reports whether what is in an interface of the package cannot be ended: it
// has no method for it, and the package never asks for another type.
func (m *Maker) endless(t types.Type, u *types.Interface) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != m.pass.Pkg || u.NumMethods() == 0 {
		return false
	}
	asked := false
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			a, ok := node.(*ast.TypeAssertExpr)
			asked = asked || ok && types.Identical(m.pass.TypesInfo.TypeOf(a.X), t)
			return !asked
		})
	}
	return !asked
}

// sealed reports whether this package cannot reach a field.
func (m *Maker) sealed(f *types.Var) bool { return !f.Exported() && f.Pkg() != m.pass.Pkg }

// cancels reports whether t is context.CancelFunc or like it.
func cancels(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context"
}

// ends reports whether a value of type t has a method that ends it.
func (m *Maker) ends(t types.Type) bool {
	if isSync(t) {
		return false // a mutex in a value that does not exist is not held
	}
	return role.Ends(t, m.pass.Pkg)
}

func isSync(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic")
}
