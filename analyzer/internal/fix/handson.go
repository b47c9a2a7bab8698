package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// takeAtLook fixes a look without the lock, where the act holds it: it is taken around the look
// alone, for the reasons of takeGuard. Two sections are enough where what another goroutine does in
// between takes nothing from the outcome: the witness rests on the race, which a lock at the look ends.
func (m *Maker) takeAtLook(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || f.Guard == nil || v.Check.Lifted || len(v.CheckLocks) > 0 || len(v.ActLocks) == 0 {
		return nil, ""
	}
	apart := func(v *witness.Verdict) bool { return len(v.ActLocks) > 0 && m.in.Apart(v) <= sharing.Low }
	if s := m.scene(f.Func, f.Guard.Lock); !apart(v) || s == nil || s.handsOn(v.Check.Pos, v.Act.Pos) {
		return nil, ""
	}
	return m.takeIfApart(f, apart)
}

// takeAtAct fixes an act without the lock, where the look holds it, as takeAtLook does the other way round: also
// where the act stands in a literal of the function, which gets the section.
func (m *Maker) takeAtAct(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || f.Guard == nil || len(v.ActLocks) > 0 || len(v.CheckLocks) == 0 {
		return nil, ""
	}
	apart := func(v *witness.Verdict) bool { return len(v.CheckLocks) > 0 && m.in.Apart(v) <= sharing.Low }
	if !apart(v) {
		return nil, ""
	}
	if f.Func = m.literalOf(v); f.Func == nil {
		return nil, ""
	}
	f.Pos = v.Act.At()
	return m.takeIfApart(f, apart)
}

// literalOf returns the function in which the act of a pair stands, if that is the pair's or a literal in it.
func (m *Maker) literalOf(v *witness.Verdict) *infer.Func {
	if !v.Act.Lifted {
		return v.Func
	}
	for _, pl := range m.in.Places {
		for i := range pl.Sites {
			s := &pl.Sites[i]
			there := s.Func != nil && !s.Acc.Lifted && s.Acc.At() == v.Act.At()
			if there && s.Func.IsLiteral() && callback.Outermost(s.Func.SSA) == callback.Outermost(v.Func.SSA) {
				return s.Func
			}
		}
	}
	return nil
}

// handsOn reports whether the call that makes an act gets what the look has found in the map, or what was computed
// from it: more than the pair of the two may rest on it then. That a key is there, and the key itself, are no part of that.
func (s *scene) handsOn(look, act token.Pos) bool {
	found := s.setBy(look)
	if len(found) == 0 {
		return false
	}
	for n := -1; n < len(found); {
		n = len(found)
		ast.Inspect(s.body.block, func(node ast.Node) bool {
			if a, ok := node.(*ast.AssignStmt); ok && s.mentionsOne(a.Rhs, found) {
				for _, l := range a.Lhs {
					s.take(found, l)
				}
			}
			return true
		})
	}
	for _, n := range s.path(act) {
		if call, ok := n.(*ast.CallExpr); ok && s.mentionsOne(call.Args, found) {
			return true
		}
	}
	return false
}

// setBy returns the variables that a look sets to what it has found.
func (s *scene) setBy(look token.Pos) map[types.Object]bool {
	out := make(map[types.Object]bool)
	for _, n := range s.path(look) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			s.take(out, n.Lhs[0])
			return out
		case *ast.RangeStmt:
			if n.Value != nil {
				s.take(out, n.Value)
			}
			return out
		case ast.Stmt:
			return out
		}
	}
	return out
}

// take adds the variable that an expression names, or to a part of which it leads.
func (s *scene) take(to map[types.Object]bool, x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := s.body.info.Defs[id]
			if obj == nil {
				obj = s.body.info.Uses[id]
			}
			if v, ok := obj.(*types.Var); ok && !v.IsField() {
				to[v] = true
			}
			return false
		}
		return true
	})
}

// mentionsOne reports whether one of some expressions names one of some variables.
func (s *scene) mentionsOne(xs []ast.Expr, vars map[types.Object]bool) bool {
	for _, x := range xs {
		if s.body.mentions(x, func(id *ast.Ident) bool { return vars[s.body.info.Uses[id]] }) {
			return true
		}
	}
	return false
}
