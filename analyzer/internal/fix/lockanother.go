package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// inAnother returns the lock in another object, to which a field beside the map leads: as the functions
// write it that hold it.
func (s *scene) inAnother(x ast.Expr, v *types.Var) (string, ast.Expr) {
	fields := s.fieldsTo(v)
	if len(fields) == 0 || !s.plain(x) || s.m.maybeNil(fields) || s.handsMethods() {
		return "", nil
	}
	text := s.src.of(x)
	for _, f := range fields {
		if s.assigned(f) || !f.Exported() && f.Pkg() != s.m.pass.Pkg {
			return "", nil
		}
		text += "." + f.Name()
	}
	if s.lock.Embedded() {
		last := fields[len(fields)-1].Type()
		if m, index, _ := types.LookupFieldOrMethod(last, true, s.m.pass.Pkg, "Lock"); m != nil && len(index) == 2 && m.Pkg() == s.lockPackage() {
			return text, x
		}
	}
	if !s.lock.Exported() && s.lock.Pkg() != s.m.pass.Pkg {
		return "", nil
	}
	return text + "." + s.lock.Name(), x
}

// maybeNil reports whether one of some fields may hold nil: the package compares it with nil, or makes an object
// without it.
func (m *Maker) maybeNil(fields []*types.Var) bool {
	found := false
	is := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && slices.ContainsFunc(fields, func(f *types.Var) bool { return m.pass.TypesInfo.Uses[sel.Sel] == types.Object(f) })
	}
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				found = found || (is(n.X) || is(n.Y)) && (isNil(m.pass.TypesInfo, n.X) || isNil(m.pass.TypesInfo, n.Y))
			case *ast.CompositeLit:
				found = found || m.leavesOut(n, fields)
			}
			return !found
		})
	}
	return found
}

// leavesOut reports whether a literal makes an object without one of some fields that hold pointers.
func (m *Maker) leavesOut(lit *ast.CompositeLit, fields []*types.Var) bool {
	st, ok := m.pass.TypesInfo.TypeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	set := make(map[types.Object]bool)
	for _, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if !keyed {
			return false // all are there
		}
		if id, ok := kv.Key.(*ast.Ident); ok {
			set[m.pass.TypesInfo.Uses[id]] = true
		}
	}
	for f := range st.Fields() {
		_, pointer := f.Type().Underlying().(*types.Pointer)
		if pointer && slices.Contains(fields, f) && !set[f] {
			return true
		}
	}
	return false
}

// handsMethods reports whether the function takes the value of a method of the package that declares the lock:
// who gets it may call it under the lock.
func (s *scene) handsMethods() bool {
	if s.lock.Pkg() == s.m.pass.Pkg {
		return false
	}
	called, found := make(map[ast.Expr]bool), false
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			sel := s.body.info.Selections[n]
			found = found || sel != nil && sel.Kind() == types.MethodVal && !called[n] && sel.Obj().Pkg() == s.lock.Pkg()
		}
		return !found
	})
	return found
}

// fieldsTo returns the fields that lead from the object which has a map to the one that has the lock, as
// all show that hold the lock at the map; nil if they differ.
func (s *scene) fieldsTo(v *types.Var) (fields []*types.Var) {
	for _, pl := range s.m.in.Places {
		if pl.Loc.Var != v || pl.Loc.Elems != 0 {
			continue
		}
		for i := range pl.Sites {
			site := &pl.Sites[i]
			for _, h := range site.Held {
				if h.Lock.Location().Var != s.lock {
					continue
				}
				way := between(site.Acc.Path.Parent(), h.Lock.Parent())
				if len(way) == 0 || fields != nil && !slices.Equal(way, fields) {
					return nil
				}
				fields = way
			}
		}
	}
	return fields
}

// between returns the fields that lead from one object to another; nil if something else does.
func between(from, to accesspath.Path) (fields []*types.Var) {
	for ; to.Known() && to != from; to = to.Parent() {
		f := to.LastField()
		if f == nil {
			return nil
		}
		fields = append(fields, f)
	}
	if to != from {
		return nil
	}
	slices.Reverse(fields)
	return fields
}
