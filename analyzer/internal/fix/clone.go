package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// cloneReturned fixes a guarded map that is returned itself: a copy is returned
// in its place.
//
// It is safe. The copy is made where the map was named, in its critical section,
// and reading a map waits for nothing. There is no fix where no lock is held: who gets the map
// may hold it, and a copy without it would race. Callers see what was in the map at that
// time; what they saw later, they saw in a race. Callers that change what they
// get would no longer change the guarded map: in the package there are none, nor in
// the module, where it is known as a whole; packages elsewhere could only have done
// it without the lock, which they cannot name. A nil map stays nil. Maps in the map would still be shared, so there is
// no fix for a map of maps.
func (m *Maker) cloneReturned(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.AccessVerdict)
	if !ok || v.Site.Acc.Op != access.Return || f.Guard == nil {
		return nil, ""
	}
	s := m.scene(f.Func, f.Guard.Lock)
	if s == nil {
		return nil, unread(f.Func)
	}
	if f.Guard.Lock.Exported() && f.Func.Is(role.Public) && !s.closed() {
		return nil, refusal(f.Guard.Lock.Name() + " is exported: callers elsewhere may use the map under it")
	}
	if g := m.changer(f.Func, v.Place); g != nil {
		return nil, refusal(g.Name + " changes the map that it gets")
	}
	ret, stmt := s.returns(f)
	if ret == nil {
		return nil, "the source does not return the map by its name"
	}
	if m.changedElsewhere(f.Func, s.body.info.TypeOf(ret)) {
		return nil, "the module changes a map that a function of this name gave back: it may be this one"
	}
	if !s.holds(v.Site.Acc) && !s.unlocksLater(stmt) {
		return nil, refusal(s.lock.Name() + " is not held where the map is returned")
	}
	if clone, _ := m.library(s, "maps", "Clone"); clone == "" && s.plain(ret) && !isMap(s.body.info.TypeOf(ret).Underlying().(*types.Map).Elem()) {
		if edits := s.copyBack(stmt, ""); edits != nil {
			return &analysis.SuggestedFix{Message: "return a copy", TextEdits: edits}, ""
		}
	}
	return m.withCopy(s, ret, "return a copy")
}

// unlocksLater reports whether the function releases the lock in a deferred call, which stands on every
// way to a statement: the lock is held there.
func (s *scene) unlocksLater(stmt ast.Stmt) bool {
	ops, plain := s.operations()
	return plain && slices.ContainsFunc(ops, func(o *operation) bool {
		return o.deferred && o.level.stmt().End() <= stmt.Pos() && len(s.levels(o.step.Pos)) == 1
	})
}

// withCopyBy makes a copy of an expression that is a map by some edits, with the name of the
// function that copies.
func (m *Maker) withCopyBy(s *scene, x ast.Expr, message string, by func(clone string) ([]analysis.TextEdit, refusal)) (*analysis.SuggestedFix, refusal) {
	if isMap(s.body.info.TypeOf(x).Underlying().(*types.Map).Elem()) {
		return nil, "the map holds maps, which a copy shares"
	}
	clone, imports := m.library(s, "maps", "Clone")
	if clone == "" {
		return nil, "the package maps is not to be had"
	}
	edits, refused := by(clone)
	if edits == nil {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: message, TextEdits: append(imports, edits...)}, ""
}

// withCopy puts a copy in the place of an expression that is a map.
func (m *Maker) withCopy(s *scene, x ast.Expr, message string) (*analysis.SuggestedFix, refusal) {
	return m.withCopyBy(s, x, message, func(clone string) ([]analysis.TextEdit, refusal) {
		return []analysis.TextEdit{insert(x.Pos(), clone+"("), insert(x.End(), ")")}, ""
	})
}

// returns finds the result that is the map, and its statement.
func (s *scene) returns(f check.Finding) (out ast.Expr, stmt *ast.ReturnStmt) {
	for _, n := range s.path(f.Pos) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for _, e := range ret.Results {
			if !isMap(s.body.info.TypeOf(e)) || !s.isMapOf(e, f.Loc.Var) && !s.inMapOf(e, f.Loc.Var) {
				continue
			}
			if out != nil {
				return nil, nil
			}
			out, stmt = e, ret
		}
	}
	return out, stmt
}

// inMapOf reports whether an expression is an element of a map that it names, or a local
// variable into which the function has put one, or the map.
func (s *scene) inMapOf(e ast.Expr, v *types.Var) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return s.isMapOf(x.X, v)
	case *ast.Ident:
		local, _ := s.body.info.Uses[x].(*types.Var)
		return local != nil && !local.IsField() && s.givenTo(local, v)
	}
	return false
}

// givenTo reports whether the function assigns a map, or an element of it, to a local variable.
func (s *scene) givenTo(local, v *types.Var) (given bool) {
	ast.Inspect(s.root, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Rhs) != 1 || !namesVar(s.body.info, as.Lhs[0], local) {
			return true
		}
		x, entry := ast.Unparen(as.Rhs[0]).(*ast.IndexExpr)
		given = given || s.isMapOf(as.Rhs[0], v) || entry && s.isMapOf(x.X, v)
		return true
	})
	return given
}

// changer returns a caller of fn in the package that may change the map that it gets, and does
// not put it back: it writes the place, and does not name the field there.
func (m *Maker) changer(fn *infer.Func, pl *infer.Place) *infer.Func {
	for i := range pl.Sites {
		site := &pl.Sites[i]
		if site.Acc.Op.Writes() && site.Func != fn && m.callsIt(site.Func, fn) && !m.putsBack(site) {
			return site.Func
		}
	}
	return nil
}

// changedElsewhere reports whether another package may change the map that a function
// gives back: then a copy would not get what it puts in. It cannot name one that is not exported.
func (m *Maker) changedElsewhere(f *infer.Func, t types.Type) bool {
	module := m.in.Pkg.Module
	return module != nil && f.Obj != nil && f.Obj.Exported() && t != nil && module.Changed(f.Obj.Name(), t)
}

func (m *Maker) callsIt(g, callee *infer.Func) bool {
	for i := range g.Calls {
		if m.in.Pkg.Lookup(g.Calls[i].Callee) == callee {
			return true
		}
	}
	return false
}
