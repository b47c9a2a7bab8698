package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// tells reports whether a return behind the insertion gives another answer than the one
// that the entry's presence gets, as "added" and "there already": the loser would give
// the wrong one. What is made of the inserted value is the winner's by then.
func (a *again) tells() bool {
	var early, late []*ast.ReturnStmt
	end := a.endOfWay()
	ast.Inspect(a.body.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			switch {
			case n.Pos() >= end:
			case n.Pos() > a.stmt.End():
				late = append(late, n)
			case n.Pos() > a.look.Pos && a.answers(n):
				early = append(early, n)
			}
		}
		return true
	})
	made := func(id *ast.Ident) bool { return a.body.info.Uses[id] == a.value }
	for _, l := range late {
		for _, e := range early {
			for i := range min(len(l.Results), len(e.Results)) {
				x := l.Results[i]
				alike := a.body.mentions(x, made) || a.rereads(x) || a.src.of(x) == a.src.of(e.Results[i])
				if !alike && !(isNil(a.body.info, e.Results[i]) && a.settled(x)) {
					return true
				}
			}
		}
	}
	return false
}

// endOfWay returns the place that is not come to after the insertion, with all behind it: a list around
// the insertion goes on to a return, and nothing on the way to that leaves the list.
func (a *again) endOfWay() token.Pos {
	for _, l := range slices.Backward(a.levels(a.stmt.Pos())) {
		for _, st := range l.list[l.at+1:] {
			if ret, ok := st.(*ast.ReturnStmt); ok && !a.body.jumps() {
				return ret.End()
			}
			if leavesList(st) {
				return a.body.block.End()
			}
		}
	}
	return a.body.block.End()
}

// leavesList reports whether a statement may go on elsewhere than behind itself, but for returns.
func leavesList(st ast.Stmt) bool {
	found := false
	ast.Inspect(st, func(n ast.Node) bool {
		_, jump := n.(*ast.BranchStmt)
		found = found || jump
		return !found
	})
	return found
}

// settled reports whether a result is a variable with an error that was there before the
// insertion: it says how the value was made, not who inserts.
func (a *again) settled(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || !ssautil.IsError(a.body.info.TypeOf(id)) {
		return false
	}
	return !a.body.changes(a.body.variables(id), a.stmt.Pos(), x.Pos())
}

// answers reports whether a return is the answer to the look: it stands in the branch of
// an if statement that looks, or asks whether the look found something.
func (a *again) answers(ret *ast.ReturnStmt) bool {
	var found types.Object
	if def := a.lookedUp(); def != nil {
		if id, ok := def.Lhs[len(def.Lhs)-1].(*ast.Ident); ok {
			found = a.body.info.ObjectOf(id)
		}
	}
	for _, n := range a.path(ret.Pos()) {
		if st, ok := n.(*ast.IfStmt); ok {
			asks := func(id *ast.Ident) bool { return found != nil && a.body.info.Uses[id] == found }
			return st.Pos() <= a.look.Pos && a.look.Pos < st.Body.Pos() || a.body.mentions(st.Cond, asks)
		}
	}
	return false
}

// rereads reports whether an expression reads the entry once more.
func (a *again) rereads(x ast.Expr) bool {
	return slices.ContainsFunc(a.later, func(e ast.Expr) bool { return x.Pos() <= e.Pos() && e.End() <= x.End() })
}
