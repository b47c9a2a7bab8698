package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// name finds how the function's source writes the lock of a map at some places:
// beside the map in the object that the source names, or in the receiver. It
// must be the same words at all of them.
func (s *scene) name(v *types.Var, points []token.Pos) refusal {
	for _, p := range points {
		text, base := s.written(v, p)
		if text == "" {
			return refusal("the source has no plain name for the object whose " + s.lock.Name() + " it is")
		}
		if s.text != "" && s.text != text {
			return refusal("two objects take part, each with a " + s.lock.Name() + " of its own")
		}
		s.text, s.base = text, base
	}
	if s.text == "" {
		return "the source has no plain name for the lock"
	}
	s.read = hasMethod(s.lock.Type(), s.m.pass.Pkg, "RLock") && hasMethod(s.lock.Type(), s.m.pass.Pkg, "RUnlock")
	if !hasMethod(s.lock.Type(), s.m.pass.Pkg, "Lock") || !hasMethod(s.lock.Type(), s.m.pass.Pkg, "Unlock") {
		return refusal(s.lock.Name() + " has no methods Lock and Unlock")
	}
	return ""
}

func hasMethod(t types.Type, pkg *types.Package, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	fn, ok := obj.(*types.Func)
	return ok && model.Lookup(fn).Kind != model.None
}

// written returns the words for the lock at a place, and of a field the object
// that has it.
func (s *scene) written(v *types.Var, pos token.Pos) (string, ast.Expr) {
	if !s.lock.IsField() {
		return s.packageLevel(pos), nil
	}
	if len(s.path(pos)) == 0 {
		return "", nil
	}
	aliased := false
	sel := s.naming(pos, func(n ast.Node) *ast.SelectorExpr {
		switch n := n.(type) {
		case *ast.Ident:
			sel := s.alias(n, v)
			aliased = sel != nil
			return sel
		case *ast.SelectorExpr:
			if s.body.info.Uses[n.Sel] == v {
				return n
			}
		}
		return nil
	})
	if sel != nil {
		text, base := s.beside(sel.X)
		if text == "" && !aliased {
			text, base = s.inAnother(sel.X, v)
		}
		s.moved = s.moved || text == "" && s.bears(sel.X)
		if text != "" {
			return text, base
		}
	}
	if s.moved {
		return "", nil
	}
	if text, base := s.ofReceiver(); text != "" {
		return text, base
	}
	return s.ofHolder(v, pos)
}

// naming returns what names a field at a place, as which tells of each node: in the innermost expression that does so,
// else in its statement, the first one. What else stands there may be a part of another object.
func (s *scene) naming(pos token.Pos, which func(ast.Node) *ast.SelectorExpr) (sel *ast.SelectorExpr) {
	for _, n := range s.path(pos) {
		ast.Inspect(n, func(n ast.Node) bool {
			if n != nil && sel == nil && !s.moved {
				sel = which(n)
			}
			return sel == nil && !s.moved
		})
		if _, stmt := n.(ast.Stmt); stmt || sel != nil {
			break
		}
	}
	return sel
}

// bears reports whether an object, or one that it is a part of, has the lock, however the source names it: then it is
// no other object's.
func (s *scene) bears(x ast.Expr) bool {
	obj, _, _ := types.LookupFieldOrMethod(s.body.info.TypeOf(x), true, s.m.pass.Pkg, s.lock.Name())
	sel, part := ast.Unparen(x).(*ast.SelectorExpr)
	return s.isLock(obj) || part && s.body.info.Selections[sel] != nil && s.bears(sel.X)
}

// alias returns the words for a field of which a local variable has the value, and
// no other one.
func (s *scene) alias(id *ast.Ident, field *types.Var) *ast.SelectorExpr {
	v := s.local(id)
	if v == nil {
		return nil
	}
	if outer := s.around(v); outer != nil {
		sel := outer.alias(id, field)
		if sel == nil || !outer.plain(sel.X) || outer.walks(sel.X) {
			return nil
		}
		stays := func(named func(types.Object) bool) bool {
			return !outer.body.changes(named, outer.body.block.Pos(), outer.body.block.End())
		}
		if !stays(outer.body.variables(sel.X)) || !stays(func(o types.Object) bool { return o == v }) {
			return nil
		}
		return sel
	}
	var out *ast.SelectorExpr
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return out == nil
		}
		for i, l := range a.Lhs {
			def, isID := l.(*ast.Ident)
			sel, isSel := ast.Unparen(a.Rhs[i]).(*ast.SelectorExpr)
			if isID && isSel && s.body.info.Defs[def] == v && s.body.info.Uses[sel.Sel] == field {
				out = sel
			}
		}
		return out == nil
	})
	if out != nil && s.moves(out, id.Pos()) {
		s.moved = true
		return nil
	}
	return out
}

// moves reports whether the words for an object may mean another one at a later place: what they name is
// assigned in between, or in a loop around that place alone.
func (s *scene) moves(sel *ast.SelectorExpr, at token.Pos) bool {
	from, to := sel.End(), at
	for _, n := range s.path(at) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !within(n, sel.Pos()) {
				from, to = min(from, n.Pos()), max(to, n.End())
			}
		}
	}
	return s.body.changes(s.body.variables(sel.X), from, to)
}

// around returns the scene of the declaration around a literal, where a variable that
// the literal uses is defined in that and outside of the literal; else nil.
func (s *scene) around(v *types.Var) *scene {
	if _, ok := s.root.(*ast.FuncLit); !ok || within(s.root, v.Pos()) {
		return nil
	}
	for _, n := range s.src.enclosing(s.root.Pos()) {
		if d, ok := n.(*ast.FuncDecl); ok && d.Body != nil {
			outer := *s
			outer.root, outer.body = d, &body{info: s.body.info, typ: d.Type, block: d.Body}
			return &outer
		}
	}
	return nil
}

// walks reports whether an expression begins with the variable of a loop over something,
// which in older versions of the language is one for all rounds.
func (s *scene) walks(x ast.Expr) bool {
	found := false
	uses := s.body.variables(x)
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok {
			for _, e := range []ast.Expr{r.Key, r.Value} {
				if id, ok := e.(*ast.Ident); ok && uses(s.body.info.Defs[id]) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// beside returns the lock in the object that an expression denotes, or in one
// that this is a part of.
func (s *scene) beside(x ast.Expr) (string, ast.Expr) {
	for {
		x = ast.Unparen(x)
		if text := s.in(x); text != "" {
			return text, x
		}
		sel, ok := x.(*ast.SelectorExpr)
		if !ok {
			return "", nil
		}
		x = sel.X
	}
}

// in returns the words for the lock as a field of an expression's value.
func (s *scene) in(x ast.Expr) string {
	t := s.body.info.TypeOf(x)
	if t == nil || !s.plain(x) {
		return ""
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, s.m.pass.Pkg, s.lock.Name())
	if !s.isLock(obj) {
		return ""
	}
	if s.lock.Embedded() && len(index) == 1 {
		if m, _, _ := types.LookupFieldOrMethod(t, true, s.m.pass.Pkg, "Lock"); m != nil && m.Pkg() != nil && m.Pkg() == s.lockPackage() {
			return s.src.of(x)
		}
	}
	return s.src.of(x) + "." + s.lock.Name()
}

// isLock reports whether a field is the lock, perhaps of an instance of a generic type.
func (s *scene) isLock(obj types.Object) bool { return obj == s.lock || origin(obj) == s.lock }

func origin(obj types.Object) types.Object {
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return obj
}

// lockPackage is where the lock's Lock is declared.
func (s *scene) lockPackage() *types.Package {
	obj, _, _ := types.LookupFieldOrMethod(s.lock.Type(), true, s.m.pass.Pkg, "Lock")
	if obj == nil {
		return nil
	}
	return obj.Pkg()
}

// plain reports whether an expression is names and fields alone, which denote
// the same object throughout the function.
func (s *scene) plain(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, ok := s.body.info.Uses[x].(*types.Var)
		return ok && (v.Parent() == s.m.pass.Pkg.Scope() || !s.body.changes(func(o types.Object) bool { return o == v }, s.body.block.Pos(), s.body.block.End()) || s.once(v))
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if _, pkg := s.body.info.Uses[id].(*types.PkgName); pkg {
				return true
			}
		}
		sel := s.body.info.Selections[x]
		return sel != nil && sel.Kind() == types.FieldVal && s.plain(x.X) && !s.assigned(sel.Obj())
	case *ast.StarExpr:
		return s.plain(x.X)
	}
	return false
}

// once reports whether a local variable gets its value where it is defined, and
// never again, also not by its address.
func (s *scene) once(v *types.Var) bool {
	n := 0
	target := func(e ast.Expr) {
		if namesVar(s.body.info, e, v) {
			n++
		}
	}
	ast.Inspect(s.body.block, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, l := range node.Lhs {
				target(l)
			}
		case *ast.RangeStmt:
			if node.Key != nil {
				target(node.Key)
			}
			if node.Value != nil {
				target(node.Value)
			}
		case *ast.IncDecStmt:
			target(node.X)
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(node.X).(*ast.Ident); ok && node.Op == token.AND && s.body.info.Uses[id] == v {
				n = 2 // who has the address can store there
			}
		}
		return true
	})
	if !within(s.body.block, v.Pos()) {
		return n == 0 // a parameter, or a variable of the function around, has a value already
	}
	return n <= 1
}

// assigned reports whether the function assigns to a field.
func (s *scene) assigned(field types.Object) bool {
	found := false
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return !found
		}
		for _, l := range a.Lhs {
			if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && s.body.info.Uses[sel.Sel] == field {
				found = true
			}
		}
		return !found
	})
	return found
}

// ofReceiver returns the lock of the function's receiver.
func (s *scene) ofReceiver() (string, ast.Expr) {
	d, ok := s.root.(*ast.FuncDecl)
	if !ok || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return "", nil
	}
	id := d.Recv.List[0].Names[0]
	v, ok := s.body.info.Defs[id].(*types.Var)
	if !ok || id.Name == "_" || s.body.changes(func(o types.Object) bool { return o == v }, s.body.block.Pos(), s.body.block.End()) {
		return "", nil
	}
	obj, index, _ := types.LookupFieldOrMethod(v.Type(), true, s.m.pass.Pkg, s.lock.Name())
	if origin(obj) != s.lock {
		return "", nil
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); !pointer {
		return "", nil // a copy
	}
	if s.lock.Embedded() && len(index) == 1 {
		if m, _, _ := types.LookupFieldOrMethod(v.Type(), true, s.m.pass.Pkg, "Lock"); m != nil && m.Pkg() == s.lockPackage() {
			return id.Name, id
		}
	}
	return id.Name + "." + s.lock.Name(), id
}

// packageLevel returns the words for a package-level lock at a place; "" where
// its name means something else, or its package is not imported.
func (s *scene) packageLevel(pos token.Pos) string {
	name := s.lock.Name()
	scope := s.m.pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return ""
	}
	if s.lock.Pkg() == s.m.pass.Pkg {
		if _, obj := scope.LookupParent(name, pos); obj == s.lock {
			return name
		}
		return ""
	}
	for id, obj := range s.body.info.Uses {
		p, ok := obj.(*types.PkgName)
		if ok && p.Imported() == s.lock.Pkg() && s.src.file.FileStart <= id.Pos() && id.Pos() < s.src.file.FileEnd {
			if _, here := scope.LookupParent(p.Name(), pos); here == types.Object(p) {
				return p.Name() + "." + name
			}
			return ""
		}
	}
	return ""
}
