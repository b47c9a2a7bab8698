package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// cloneHanded fixes a guarded map that is passed to a function, or put into an
// object: a copy is in its place.
//
// It is safe for the reasons of cloneReturned: who gets the copy sees what was in
// the map at that time, and what it would have seen later, it would have seen in a
// race. Where the lock is not held, it is taken for the copy alone, if it can be
// taken there (see enterable); the copy is made in front of the statement, in which
// nothing is evaluated before that has an effect. A function that changes the map
// and then passes it on gives it away, and who gets it may go on to change it: there
// is no fix where the function, or what the package does with the field that it is
// put into, writes it.
func (m *Maker) cloneHanded(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.AccessVerdict)
	if !ok || f.Guard == nil || v.Site.Acc.Op != access.Leak {
		return nil, "the map does not leave by its name"
	}
	s := m.scene(f.Func, f.Guard.Lock)
	if s == nil {
		return nil, unread(f.Func)
	}
	if f.Guard.Lock.Exported() && f.Func.Is(role.Public) && !s.closed() {
		return nil, refusal(f.Guard.Lock.Name() + " is exported: callers elsewhere may use the map under it")
	}
	if m.writes(f.Func, f.Loc) {
		return nil, "the function changes the map that it passes on"
	}
	e, into, stmt := s.handed(f)
	if e == nil {
		return nil, "the source does not pass the map on by its name"
	}
	if into != nil && m.written(into) {
		return nil, refusal(into.Name() + ", which gets the map, is changed")
	}
	if s.holds(v.Site.Acc) {
		return m.withCopy(s, e, "pass on a copy")
	}
	return m.withCopyBy(s, e, "pass on a copy", func(clone string) ([]analysis.TextEdit, refusal) { return s.copyBefore(f, v, e, stmt, clone) })
}

// copyBefore makes the copy in front of the statement, under the lock.
func (s *scene) copyBefore(f check.Finding, v *witness.AccessVerdict, e ast.Expr, stmt ast.Stmt, clone string) ([]analysis.TextEdit, refusal) {
	if s.perhaps(v.Site.Acc) {
		return nil, refusal(s.lock.Name() + " is held on some paths only")
	}
	at := []token.Pos{f.Pos}
	if r := first(s.name(f.Loc.Var, at), s.enterable(at)); r != "" {
		return nil, r
	}
	if !s.inScope(stmt.Pos()) || s.heldAt(s.lock, at) {
		return nil, refusal(s.lock.Name() + " cannot be taken in front of the statement")
	}
	if s.body.calls(stmt, stmt.Pos(), e.Pos()) && s.mayChange(f.Loc, stmt.Pos(), e.Pos()) {
		return nil, "something is evaluated before the map that may change it"
	}
	name := s.fresh(others["map"]...)
	if name == "" {
		return nil, "no name is free for the copy"
	}
	take, release := s.opens(e.Pos(), e.End(), false)
	indent := s.src.indent(stmt.Pos())
	return []analysis.TextEdit{
		insert(stmt.Pos(), take+"\n"+indent+name+" := "+clone+"("+s.src.of(e)+")\n"+indent+release+"\n"+indent),
		replace(e, name),
	}, ""
}

// mayChange reports whether a stretch of the source may change a map.
func (s *scene) mayChange(loc accesspath.Location, from, to token.Pos) bool {
	e := s.m.conduct.Of(s.f, func(at conduct.Spot) bool { return from <= at.Pos && at.Pos < to }, nil)
	return e.Stay != nil || slices.ContainsFunc(slices.Collect(maps.Keys(e.Runs)), func(g *infer.Func) bool { return s.m.writes(g, loc) })
}

// handed finds the expression that passes the map on, as an argument, a part of a
// literal or what is assigned, with its statement, and the field that gets the map.
func (s *scene) handed(f check.Finding) (e ast.Expr, into *types.Var, stmt ast.Stmt) {
	levels := s.levels(f.Pos)
	if len(levels) == 0 {
		return nil, nil, nil
	}
	stmt = levels[len(levels)-1].stmt()
	switch stmt.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt:
	default:
		return nil, nil, nil
	}
	ast.Inspect(stmt, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		for x, field := range s.passedIn(n) {
			if s.isMapOf(x, f.Loc.Var) {
				if e != nil {
					stmt = nil // twice
				}
				e, into = x, field
			}
		}
		return true
	})
	if stmt == nil || e == nil || s.conditional(e, stmt) {
		return nil, nil, nil
	}
	return e, into, stmt
}

// passedIn returns the expressions that a node passes on, with the fields that get
// them.
func (s *scene) passedIn(n ast.Node) map[ast.Expr]*types.Var {
	out := make(map[ast.Expr]*types.Var)
	switch n := n.(type) {
	case *ast.CallExpr:
		for _, arg := range n.Args {
			out[arg] = nil
		}
	case *ast.KeyValueExpr:
		id, _ := n.Key.(*ast.Ident)
		field, _ := s.body.info.Uses[id].(*types.Var)
		out[n.Value] = field
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			switch l := ast.Unparen(n.Lhs[i]).(type) {
			case *ast.SelectorExpr:
				field, _ := s.body.info.Uses[l.Sel].(*types.Var)
				out[r] = field
			case *ast.IndexExpr:
				out[r] = nil
			}
		}
	}
	return out
}

// isMapOf reports whether an expression names a map by its field or variable.
func (s *scene) isMapOf(e ast.Expr, v *types.Var) bool {
	if !isMap(s.body.info.TypeOf(e)) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return s.body.info.Uses[e.Sel] == v
	case *ast.Ident:
		return s.body.info.Uses[e] == v
	}
	return false
}

// conditional reports whether an expression is evaluated under a condition of its
// statement.
func (s *scene) conditional(e ast.Expr, stmt ast.Stmt) bool {
	for _, n := range s.path(e.Pos()) {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			return true
		}
		if n == ast.Node(stmt) {
			return false
		}
	}
	return true
}

// writes reports whether a function itself changes a map.
func (m *Maker) writes(f *infer.Func, loc accesspath.Location) bool {
	return slices.ContainsFunc(f.Accesses, func(a access.Access) bool { return infer.Own(&a) && a.Op.Writes() && a.Path.Location().Var == loc.Var })
}

// written reports whether the package changes the map in a field.
func (m *Maker) written(field *types.Var) bool {
	return slices.ContainsFunc(m.in.Places, func(pl *infer.Place) bool {
		return pl.Loc.Var == field && slices.ContainsFunc(pl.Sites, func(site infer.Site) bool { return site.Acc.Op.ChangesEntries() })
	})
}
