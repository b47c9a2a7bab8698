package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// cloneSource fixes the use of a guarded map that a function of the package has
// given back: that function copies the map where it reads it, under the lock.
//
// It is safe for the reasons of cloneReturned. The function reads the map into a
// variable that it only returns, in a section of the guard, and there the copy is
// made. No caller in the package changes what it gets, but to put it back (see putsBack).
func (m *Maker) cloneSource(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.AccessVerdict)
	if !ok || f.Guard == nil || v.Site.Acc.Op.Writes() {
		return nil, ""
	}
	return m.copySource(f, v)
}

// maxHandovers bounds the functions through which a map is followed to the one that reads it.
const maxHandovers = 4

// copySource puts the copy in the function that has given back the map of an access. Where that only gives on what
// another one gives, it is that one.
func (m *Maker) copySource(f check.Finding, v *witness.AccessVerdict) (*analysis.SuggestedFix, refusal) {
	s := m.scene(f.Func, f.Guard.Lock)
	if s == nil {
		return nil, ""
	}
	call := s.sourceOf(f.Pos)
	for hop := 0; call != nil; hop++ {
		g := m.declared(call)
		if g == nil {
			return nil, ""
		}
		src, refused := m.mayCopy(g, f, v)
		if refused != "" {
			return nil, refused
		}
		if read := src.readToReturn(f.Loc.Var); read != nil {
			return m.withCopy(src, read, "return a copy from "+g.Name)
		}
		if call = src.givesOn(); call == nil || hop == maxHandovers {
			return nil, refusal(g.Name + " does not just give back the map")
		}
	}
	return nil, ""
}

// declared returns the function of the package that a call names, nil if it is another one's.
func (m *Maker) declared(call *ast.CallExpr) *infer.Func {
	fn := m.calleeOf(call)
	if fn == nil {
		return nil
	}
	return m.in.Pkg.Lookup(any(fn.Origin()))
}

// mayCopy returns the scene of a function of which the callers may get a copy of the map, or says what speaks against it.
func (m *Maker) mayCopy(g *infer.Func, f check.Finding, v *witness.AccessVerdict) (*scene, refusal) {
	src := m.scene(g, f.Guard.Lock)
	if src == nil {
		return nil, refusal("the source of " + g.Name + " is generated, or not at hand")
	}
	if f.Guard.Lock.Exported() && g.Is(role.Public) && !src.closed() {
		return nil, refusal(f.Guard.Lock.Name() + " is exported: callers elsewhere may use the map under it")
	}
	if by := m.changer(g, v.Place); by != nil {
		return nil, refusal(by.Name + " changes the map that it gets")
	}
	if m.changedElsewhere(g, f.Loc.Var.Type()) {
		return nil, refusal("the module changes a map that a function called " + g.Name + " gave back")
	}
	return src, ""
}

// givesOn returns the call of which a function gives back the result, and does nothing else; nil if there is none.
func (s *scene) givesOn() *ast.CallExpr {
	ret := s.onlyReturn()
	if ret == nil || len(ret.Results) != 1 {
		return nil
	}
	return asCall(ast.Unparen(ret.Results[0]))
}

// sourceOf returns the call whose result is walked, measured or looked into at a
// place; nil if there is none.
func (s *scene) sourceOf(pos token.Pos) *ast.CallExpr {
	switch x := ast.Unparen(s.operand(pos, "len")).(type) {
	case *ast.CallExpr:
		return x
	case *ast.Ident:
		return s.definedByCall(x)
	}
	return nil
}

// operand returns what is walked or looked into at a place, or given there to one of some built-in functions; nil
// if nothing is.
func (s *scene) operand(pos token.Pos, builtins ...string) ast.Expr {
	for _, n := range s.path(pos) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			return n.X
		case *ast.IndexExpr:
			return n.X
		case *ast.CallExpr:
			if s.body.builtin(n, builtins...) && len(n.Args) > 0 {
				return n.Args[0]
			}
		}
	}
	return nil
}

// local returns the local variable that a name stands for, if that is set once; nil if it is not.
func (s *scene) local(id *ast.Ident) *types.Var {
	v, ok := s.body.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == s.m.pass.Pkg.Scope() || !s.once(v) {
		return nil
	}
	return v
}

// definedByCall returns the call of which a variable has the result, and nothing
// else.
func (s *scene) definedByCall(id *ast.Ident) *ast.CallExpr {
	if v := s.local(id); v != nil {
		return asCall(s.definedAs(v))
	}
	return nil
}

func asCall(x ast.Expr) *ast.CallExpr {
	call, _ := x.(*ast.CallExpr)
	return call
}

// definedAs returns what a variable is defined as, where that is one value for one
// name.
func (s *scene) definedAs(v *types.Var) (out ast.Expr) {
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			if def, ok := l.(*ast.Ident); ok && s.body.info.Defs[def] == v {
				out = ast.Unparen(a.Rhs[i])
			}
		}
		return true
	})
	return out
}

// readToReturn returns the expression that reads a map, or a map out of it, under the
// lock, for its value to be returned and for nothing else.
func (s *scene) readToReturn(v *types.Var) ast.Expr {
	var out ast.Expr
	var last *ast.ReturnStmt
	returns := 0
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			_, lit := n.(*ast.FuncLit)
			return !lit
		}
		returns, last = returns+1, ret
		if len(ret.Results) == 1 {
			out = s.mapBehind(ret.Results[0], v)
		}
		return true
	})
	if returns != 1 || out == nil || !s.heldIn(out) && !(within(last, out.Pos()) && s.unlocksLater(last)) {
		return nil
	}
	return out
}

// mapBehind returns the expression that reads the map which an expression is.
func (s *scene) mapBehind(x ast.Expr, v *types.Var) ast.Expr {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		local, isVar := s.body.info.Uses[id].(*types.Var)
		if isVar && local != v && s.once(local) && len(s.body.uses(local)) == 1 {
			if def := s.definedAs(local); def != nil {
				x = def
			}
		}
	}
	if isMap(s.body.info.TypeOf(x)) && (s.isMapOf(x, v) || s.inMapOf(x, v)) {
		return x
	}
	return nil
}

// heldIn reports whether all that an expression does is done under the lock.
func (s *scene) heldIn(x ast.Expr) bool {
	found := false
	for i := range s.f.Accesses {
		a := &s.f.Accesses[i]
		if within(x, a.Pos) && infer.Own(a) && a.Op != access.Return {
			if !s.holds(a) {
				return false
			}
			found = true
		}
	}
	return found
}
