package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// copyTaken fixes the use of a guarded map behind the section in which the function has read it into a variable: that
// section copies the map.
//
// It is safe. No lock is taken, and none is held while anything runs that did not run under it before, but the copy,
// which waits for nothing. The function only looks at what it has read, and puts it nowhere, so no one misses a change
// that is made there. What others change meanwhile it saw only in a race. What this goroutine changes itself it would
// see today: so nothing that it runs from the read on writes the map.
func (m *Maker) copyTaken(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.AccessVerdict)
	if !ok || f.Guard == nil || v.Site.Acc.Op.Writes() {
		return nil, ""
	}
	s := m.scene(f.Func, f.Guard.Lock)
	if s == nil {
		return nil, ""
	}
	id, ok := ast.Unparen(s.operand(f.Pos, "len")).(*ast.Ident)
	if !ok {
		return nil, ""
	}
	local := s.local(id)
	if local == nil {
		return nil, ""
	}
	read := s.definedAs(local)
	if read == nil || !s.isMapOf(read, f.Loc.Var) || !s.inPlainSection(read, f.Loc.Var) {
		return nil, ""
	}
	if !s.onlyLooks(local) {
		return nil, refusal(local.Name() + " is changed, passed on, or used in a function literal")
	}
	if g := s.writerBehind(read.End(), f); g != nil {
		return nil, refusal(g.Name + " may change the map while " + local.Name() + " is in use")
	}
	return m.withCopy(s, read, "copy the map under "+f.Guard.Lock.Name())
}

// copyOfSlow is copyTaken for a walk whose body must not run under the lock: so that no second section is opened for
// the copy, right behind the one that is there.
func (m *Maker) copyOfSlow(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.AccessVerdict)
	if !ok || f.Guard == nil || v.Site.Acc.Op != access.Range {
		return nil, ""
	}
	s := m.scene(f.Func, f.Guard.Lock)
	if s == nil {
		return nil, ""
	}
	for _, n := range s.path(f.Pos) {
		if st, ok := n.(*ast.RangeStmt); ok && f.Pos < st.Body.Pos() {
			if s.holdable(st.Body.Pos(), st.Body.End(), func(token.Pos) bool { return false }) == "" {
				return nil, ""
			}
			return m.copyTaken(f)
		}
	}
	return nil, ""
}

// onlyLooks reports whether a local map is only walked, measured, compared and looked into, by the function itself.
func (s *scene) onlyLooks(local *types.Var) bool {
	return !slices.ContainsFunc(s.body.uses(local), func(id *ast.Ident) bool {
		around := s.body.parents(id)
		if len(around) < 2 || s.literalAround(around) != s.root {
			return true
		}
		switch p := around[0].(type) {
		case *ast.RangeStmt:
			return p.X != ast.Expr(id)
		case *ast.CallExpr:
			return !s.body.builtin(p, "len")
		case *ast.BinaryExpr:
			return false
		case *ast.IndexExpr:
			return p.X != ast.Expr(id) || assigned(around[1], p)
		}
		return true
	})
}

// assigned reports whether a statement stores in an expression.
func assigned(st ast.Node, x ast.Expr) bool {
	switch st := st.(type) {
	case *ast.AssignStmt:
		return slices.Contains(st.Lhs, x)
	case *ast.IncDecStmt:
		return st.X == x
	case *ast.RangeStmt:
		return st.Key == x || st.Value == x
	case *ast.ParenExpr, *ast.UnaryExpr:
		return true // what is done with it stands further out
	}
	return false
}

// writerBehind returns a function that may change the map of a finding, and that the goroutine runs between a place
// of the function and its end; nil if there is none.
func (s *scene) writerBehind(from token.Pos, f check.Finding) *infer.Func {
	if s.m.writes(f.Func, f.Loc) {
		return f.Func
	}
	runs := s.m.conduct.From(s.f, func(p token.Pos) bool { return from <= p })
	for _, g := range s.m.in.Pkg.Funcs {
		if s.m.writes(g, f.Loc) && (runs.Enters(g) || runs.Back(g) != nil) {
			return g
		}
	}
	return nil
}

// inPlainSection reports whether the lock of a map is plainly held where an expression reads that: one statement of
// the list takes it by the words for this very object, a later one releases it, and in between nothing touches it.
func (s *scene) inPlainSection(read ast.Expr, v *types.Var) bool {
	levels := s.levels(read.Pos())
	ops, plain := s.operations()
	if len(levels) == 0 || !plain || s.name(v, []token.Pos{read.Pos()}) != "" {
		return false
	}
	around := s.body.parents(levels[len(levels)-1].stmt())
	if len(around) == 0 {
		return false
	}
	var before, after *operation
	for _, o := range ops {
		switch at := o.level.stmt(); {
		case at.End() <= read.Pos() && (before == nil || before.step.Pos < o.step.Pos):
			before = o
		case at.Pos() >= read.End() && (after == nil || o.step.Pos < after.step.Pos):
			after = o
		}
	}
	if before == nil || after == nil {
		return false
	}
	section, late := before.takes && !after.takes, before.deferred || after.deferred
	if !section || late {
		return false
	}
	list := statements(around[0])
	from, to := slices.Index(list, before.level.stmt()), slices.Index(list, after.level.stmt())
	if from < 0 || to < 0 || before.text != s.text || after.text != s.text {
		return false
	}
	return !slices.ContainsFunc(list[from:to], func(st ast.Stmt) bool {
		_, labeled := st.(*ast.LabeledStmt)
		return labeled
	})
}
