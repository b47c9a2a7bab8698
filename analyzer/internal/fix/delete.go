package fix

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// remove fixes a Load followed by a Delete: LoadAndDelete does both, so that of
// two goroutines only one gets the value.
//
// It is safe. The Delete follows the Load at once, with nothing in between but
// the question whether the entry was there, and runs whenever it was: the
// change moves it to the Load, where it deletes the same entry. Where there is
// no entry, LoadAndDelete deletes nothing.
func (t *twoStep) remove() *analysis.SuggestedFix {
	list, i := t.siblings()
	if list == nil || !t.has("LoadAndDelete") || t.body.jumps() {
		return nil
	}
	var edits []analysis.TextEdit
	if is, ok := t.under(); ok && i == 0 {
		if t.value == nil && len(list) == 1 && is.Else == nil && is.Init == t.define {
			edits = t.unwrap(is) // a Delete needs no look before
		} else if len(list) > 1 {
			edits = t.moved()
		}
	} else if i >= 2 && list[i-2] == t.define {
		is, ok := list[i-1].(*ast.IfStmt)
		if ok && is.Init == nil && t.notOk(is.Cond) && is.Else == nil && t.body.leaves(is.Body) {
			edits = t.moved()
		}
	}
	if edits == nil {
		return nil
	}
	return &analysis.SuggestedFix{Message: "use LoadAndDelete", TextEdits: edits}
}

// under returns the if statement with condition ok in whose body the act
// stands, when the Load stands in front of that condition or right before it.
func (t *twoStep) under() (*ast.IfStmt, bool) {
	if len(t.around) < 2 {
		return nil, false
	}
	is, ok := t.around[1].(*ast.IfStmt)
	if !ok || is.Body != t.around[0] || !t.isOk(is.Cond) {
		return nil, false
	}
	if is.Init != nil || len(t.around) < 3 {
		return is, is.Init == t.define
	}
	list := statements(t.around[2])
	for i, s := range list {
		if s == is {
			return is, i > 0 && list[i-1] == t.define
		}
	}
	return nil, false
}

// moved makes the Load delete, and takes the Delete away.
func (t *twoStep) moved() []analysis.TextEdit {
	line, ok := t.src.without(t.stmt)
	if !ok {
		return nil
	}
	return []analysis.TextEdit{rename(t.load, "LoadAndDelete"), line}
}

// without removes a statement that stands alone on its line, and the line with
// it, unless a comment behind it stays there.
func (s *source) without(stmt ast.Stmt) (analysis.TextEdit, bool) {
	line := s.line(stmt.Pos())
	if line != s.line(stmt.End()) || line >= s.tok.LineCount() || s.commented(stmt.Pos(), stmt.End()) {
		return analysis.TextEdit{}, false
	}
	from, to := s.tok.LineStart(line), s.tok.LineStart(line+1)
	behind := strings.TrimSpace(s.between(stmt.End(), to))
	switch {
	case strings.TrimSpace(s.between(from, stmt.Pos())) != "":
		return analysis.TextEdit{}, false
	case behind == "":
		return remove(from, to), true
	case strings.HasPrefix(behind, "//"):
		return remove(stmt.Pos(), stmt.End()+token.Pos(strings.Index(s.between(stmt.End(), to), "//"))), true
	}
	return analysis.TextEdit{}, false
}
