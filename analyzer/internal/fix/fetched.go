package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// fetches returns where the map of an access was read into a variable that the access uses, without
// the lock, although the place that it was read from is assigned: the read belongs into the section, too, since
// it races with the assignment, and may give a map that is no longer there.
func (s *scene) fetches(a *access.Access) (token.Pos, bool) {
	loc := a.Path.Location()
	locked := a.Fetched && s.among(s.f.EffectiveState(a.Fetch))
	if locked || !s.m.assigned(loc) {
		return token.NoPos, false
	}
	id, ok := pointee(s.operand(a.Pos, "len", "delete", "clear")).(*ast.Ident)
	if !ok {
		return token.NoPos, false
	}
	v := s.local(id)
	if v == nil {
		return token.NoPos, false
	}
	from := s.definedAs(v)
	if from == nil || s.path(from.Pos()) == nil || s.variable(from) != loc.Var {
		return token.NoPos, false
	}
	return from.Pos(), true
}

// assigned reports whether a map is assigned to a place once others can know it, or the pointer that leads
// to it.
func (m *Maker) assigned(loc accesspath.Location) bool {
	if _, pointer := loc.Var.Type().Underlying().(*types.Pointer); pointer && !m.setWhileMade(loc.Var) {
		return true
	}
	return slices.ContainsFunc(m.in.Places, func(pl *infer.Place) bool {
		return pl.Loc == loc && slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return !s.Exempt && s.Acc.Op == access.Assign })
	})
}

// variable returns the field or variable that an expression reads, or to whose value it points.
func (s *scene) variable(x ast.Expr) *types.Var {
	switch x := pointee(x).(type) {
	case *ast.SelectorExpr:
		v, _ := s.body.info.Uses[x.Sel].(*types.Var)
		return v
	case *ast.Ident:
		v, _ := s.body.info.Uses[x].(*types.Var)
		return v
	}
	return nil
}

// pointee strips parentheses and dereferences.
func pointee(x ast.Expr) ast.Expr {
	for {
		x = ast.Unparen(x)
		star, ok := x.(*ast.StarExpr)
		if !ok {
			return x
		}
		x = star.X
	}
}
