package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
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
	path := s.path(pos)
	if len(path) == 0 {
		return "", nil
	}
	var text string
	var base ast.Expr
	for _, n := range path {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && text == "" {
				if sel := s.alias(id, v); sel != nil {
					text, base = s.beside(sel.X)
				}
			}
			sel, ok := n.(*ast.SelectorExpr)
			if ok && text == "" && s.body.info.Uses[sel.Sel] == v {
				if text, base = s.beside(sel.X); text == "" {
					text, base = s.inAnother(sel.X, v)
				}
			}
			return text == ""
		})
		if _, stmt := n.(ast.Stmt); stmt || text != "" {
			break
		}
	}
	if text != "" || s.moved {
		return text, base
	}
	return s.ofReceiver()
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
	if obj != s.lock && origin(obj) != s.lock {
		return ""
	}
	if s.lock.Embedded() && len(index) == 1 {
		if m, _, _ := types.LookupFieldOrMethod(t, true, s.m.pass.Pkg, "Lock"); m != nil && m.Pkg() != nil && m.Pkg() == s.lockPackage() {
			return s.src.of(x)
		}
	}
	return s.src.of(x) + "." + s.lock.Name()
}

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
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && (s.body.info.Uses[id] == v || s.body.info.Defs[id] == v) {
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
