package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ofHolder returns the words for the lock of the object from which that of an access was got, as by a method that
// looks it up: sa := js.assignment(name), and then sa.consumers, which js.mu protects.
//
// They denote the object for sure. The analysis names what the method gave by the way to it, js.streams[name], on which
// the object is the nearest one that has such a lock. What the source calls it is a name by which the function takes that lock itself, its
// parameter, or a package-level variable, and stands for one object throughout (see steady).
func (s *scene) ofHolder(v *types.Var, pos token.Pos) (string, ast.Expr) {
	a := s.accessAt(v, pos)
	if a == nil {
		return "", nil
	}
	holder := s.holderOf(a.Path)
	if !holder.Known() {
		return "", nil
	}
	for _, x := range s.namesOf(holder) {
		if text := s.in(x); text != "" && s.steady(x) {
			return text, x
		}
	}
	return "", nil
}

// accessAt returns the function's own access to a field or variable at a place.
func (s *scene) accessAt(v *types.Var, pos token.Pos) *access.Access {
	return s.ownAt(pos, func(a *access.Access) bool { return a.Path.Location().Var == v })
}

// ownAt returns the first access that suits of those that the function makes itself at a place; nil if there is none.
func (s *scene) ownAt(pos token.Pos, suits func(*access.Access) bool) *access.Access {
	for i := range s.f.Accesses {
		if a := &s.f.Accesses[i]; a.Pos == pos && infer.Own(a) && !a.Lifted && suits(a) {
			return a
		}
	}
	return nil
}

// holderOf returns the nearest object on a path that has the lock; unknown if that cannot be told.
func (s *scene) holderOf(p accesspath.Path) accesspath.Path {
	for p = p.Parent(); p.Known(); p = p.Parent() {
		t := s.typeAt(p)
		if t == nil {
			break
		}
		if obj, _, _ := types.LookupFieldOrMethod(t, true, s.m.pass.Pkg, s.lock.Name()); s.isLock(obj) {
			return p
		}
	}
	return accesspath.Path{}
}

// typeAt returns the type of what a path leads to, nil if it is not known.
func (s *scene) typeAt(p accesspath.Path) types.Type {
	if f := p.LastField(); f != nil {
		return f.Type()
	}
	if p.IsElem() {
		t := s.typeAt(p.Parent())
		if t == nil {
			return nil
		}
		if e, ok := ssautil.Pointee(t).Underlying().(interface{ Elem() types.Type }); ok {
			return e.Elem()
		}
		return nil
	}
	if p.Depth() > 0 {
		return nil
	}
	switch r := p.Root(); r.Kind {
	case accesspath.Global:
		return r.Obj.Type()
	case accesspath.Param:
		if v := s.paramOf(r); v != nil {
			return v.Type()
		}
	case accesspath.Value:
		return r.Val.Type()
	}
	return nil
}

// paramOf returns the function's parameter at which a path begins, nil if that is another function's.
func (s *scene) paramOf(r accesspath.Root) *ssa.Parameter {
	if r.Fn != accesspath.FuncKey(s.f.SSA) || r.Index >= len(s.f.SSA.Params) {
		return nil
	}
	return s.f.SSA.Params[r.Index]
}

// namesOf returns the expressions in the function that denote the object to which a path leads: those of which it takes
// the lock in plain statements, and the names of a parameter or a package-level variable.
func (s *scene) namesOf(holder accesspath.Path) (out []ast.Expr) {
	ops, _ := s.operations()
	for _, o := range ops {
		if o.step.Lock.Parent() != holder {
			continue
		}
		x := o.lockExpr()
		if s.in(x) == o.text {
			out = append(out, x)
		} else if sel, ok := x.(*ast.SelectorExpr); ok && s.in(sel.X) == o.text {
			out = append(out, sel.X)
		}
	}
	var named types.Object
	if r := holder.Root(); holder.Depth() == 0 {
		if p := s.paramOf(r); r.Kind == accesspath.Param && p != nil {
			named = p.Object()
		} else if r.Kind == accesspath.Global {
			named = r.Obj
		}
	}
	if named != nil {
		for _, id := range s.body.uses(named) {
			out = append(out, id)
		}
	}
	return out
}

// bearer returns the expression of a call that denotes the object whose lock the callee needs: that on which the method is
// called, or an argument, where the callee names the lock as that parameter's own; nil if there is none.
func (s *scene) bearer(call *ast.CallExpr, b *infer.Blame) ast.Expr {
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	method = method && s.body.info.Selections[sel] != nil
	at := 0
	for _, h := range b.Locks {
		if r := h.Lock.Root(); h.Lock.Location().Var == s.lock && r.Kind == accesspath.Param && h.Lock.Depth() == 1 {
			at = r.Index
		}
	}
	if b.Callee.Obj == nil || method != (b.Callee.Obj.Signature().Recv() != nil) {
		return nil
	}
	if method {
		if at--; at < 0 {
			return sel.X
		}
	}
	if params := b.Callee.Obj.Signature().Params().Len(); at >= len(call.Args) || len(call.Args) != params || b.Callee.Obj.Signature().Variadic() {
		return nil
	}
	return call.Args[at]
}

// lockExpr returns the expression on which an operation is called.
func (o *operation) lockExpr() ast.Expr {
	var call *ast.CallExpr
	switch st := o.level.stmt().(type) {
	case *ast.ExprStmt:
		call, _ = st.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = st.Call
	}
	if call == nil {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	return ast.Unparen(sel.X)
}

// steady reports whether an expression denotes one object from where the function begins, or the name in it is defined: a
// local variable that gets its value once, outside of loops, or a package-level one that gets it at one place in the module, and
// fields that are set while their object is made.
func (s *scene) steady(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		sel := s.body.info.Selections[x]
		if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
			return false
		}
		field, ok := sel.Obj().(*types.Var)
		return ok && s.m.setWhileMade(field) && s.steady(x.X)
	case *ast.Ident:
		v, ok := s.body.info.Uses[x].(*types.Var)
		switch {
		case !ok || s.body.jumps():
			return false
		case v.Parent() == s.m.pass.Pkg.Scope():
			return s.m.setOnce(v)
		case s.isParam(v):
			return !s.body.changes(func(o types.Object) bool { return o == v }, s.body.block.Pos(), s.body.block.End())
		}
		return s.once(v) && s.outOfLoops(v.Pos())
	}
	return false
}

// isParam reports whether a variable is a parameter of the function.
func (s *scene) isParam(v *types.Var) bool {
	return slices.ContainsFunc(s.f.SSA.Params, func(p *ssa.Parameter) bool { return p.Object() == types.Object(v) })
}

// outOfLoops reports whether a place stands in the function, and in no loop.
func (s *scene) outOfLoops(pos token.Pos) bool {
	path := s.path(pos)
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		}
	}
	return len(path) > 0
}

// setOnce reports whether a package-level variable gets a value at one place at most, and nothing else can set it.
func (m *Maker) setOnce(v *types.Var) bool {
	if path, module := m.pass.Pkg.Path(), m.in.Pkg.Module; m.elsewhere(v) {
		if module == nil || !module.Own(path) || module.Assigned(v) || module.Mentioned(path, v.Name()) {
			return false
		}
	}
	is := func(e ast.Expr) bool { return namesVar(m.pass.TypesInfo, e, v) }
	places := 0
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if is(id) && i < len(n.Values) {
						places++
					}
				}
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if is(l) {
						places++
					}
				}
			case *ast.RangeStmt:
				if n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value) {
					places = 2
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && is(n.X) {
					places = 2 // who has the address can store there
				}
			}
			return true
		})
	}
	return places <= 1
}
