package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// afterAppended computes what is appended to an entry before the lock is taken,
// where it is not brief; nil if the statement is another one.
//
// The calls among what is appended move in front of the statement, all of them
// and in their order. The language leaves open whether the entry is read before
// or after them.
func (s *scene) afterAppended(st *ast.AssignStmt, points []point) []analysis.TextEdit {
	if len(st.Lhs) != 1 || len(st.Rhs) != 1 || st.Tok != token.ASSIGN || s.src.commented(st.Pos(), st.End()) {
		return nil
	}
	call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
	if !ok || !s.body.builtin(call, "append") || len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return nil
	}
	entry, values := call.Args[0], call.Args[1:]
	for _, x := range [...]ast.Expr{st.Lhs[0], entry} {
		if s.body.calls(x, x.Pos(), x.End()) || s.holdable(x.Pos(), x.End(), nil) != "" {
			return nil
		}
	}
	take, release := s.opens(st.Pos(), values[0].Pos(), true)
	indent := s.src.indent(st.Pos())
	head := ""
	var edits []analysis.TextEdit
	for _, x := range values {
		if slices.ContainsFunc(points, func(p point) bool { return within(x, p.pos) }) {
			return nil
		}
		if !s.body.calls(x, x.Pos(), x.End()) {
			if s.holdable(x.Pos(), x.End(), nil) != "" {
				return nil
			}
			continue
		}
		name := s.fresh("value", "made", "next")
		if t, basic := s.body.info.TypeOf(x).(*types.Basic); name == "" || basic && t.Info()&types.IsUntyped != 0 {
			return nil // a variable would have another type
		}
		head += name + " := " + s.src.of(x) + "\n" + indent
		edits = append(edits, replace(x, name))
	}
	if len(edits) == 0 {
		return nil
	}
	edits = append(edits, insert(st.Pos(), head+take+"\n"+indent))
	return append(edits, insert(s.src.after(st), "\n"+indent+release))
}
