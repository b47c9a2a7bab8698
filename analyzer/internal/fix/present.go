package fix

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A presence is how a look tells that an entry is there. A second look has to ask the same: an entry that is nil
// can be there and count as none.
type presence uint8

const (
	// byFlag: by the second value of the look.
	byFlag presence = iota
	// byNil: its value is compared with nil.
	byNil
)

// presence finds how the look of a pair tells that the entry is there, or why that is not known: the zero
// value of another type than pointers, say.
func (a *again) presence() (presence, refusal) {
	flag, value := false, types.Object(nil)
	if def := a.lookedUp(); def != nil && len(def.Rhs) == 1 {
		if id, ok := def.Lhs[0].(*ast.Ident); ok {
			value = a.body.info.ObjectOf(id)
		}
		if len(def.Lhs) == 2 {
			id, ok := def.Lhs[1].(*ast.Ident)
			flag = ok && id.Name != "_"
		}
	}
	switch {
	case a.comparedWithNil(value):
		return byNil, ""
	case !flag:
		return byFlag, "the look takes an entry of some values for none"
	}
	return byFlag, ""
}

// lookedUp returns the assignment that keeps what the look finds; nil if none does.
func (a *again) lookedUp() *ast.AssignStmt {
	for _, n := range a.path(a.look.Pos) {
		if def, ok := n.(*ast.AssignStmt); ok {
			return def
		}
	}
	return nil
}

// comparedWithNil reports whether the look, or the variable that keeps what it found, is compared with nil
// before the insertion.
func (a *again) comparedWithNil(value types.Object) bool {
	isFound := func(x ast.Expr) bool {
		if x.Pos() <= a.look.Pos && a.look.Pos < x.End() {
			return true
		}
		id, ok := ast.Unparen(x).(*ast.Ident)
		return ok && value != nil && a.body.info.ObjectOf(id) == value
	}
	found := false
	ast.Inspect(a.body.block, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if ok && (b.Op == token.EQL || b.Op == token.NEQ) && b.Pos() <= a.act.Pos {
			found = found || isNil(a.body.info, b.Y) && isFound(b.X) || isNil(a.body.info, b.X) && isFound(b.Y)
		}
		return !found
	})
	return found
}

// absent is the condition that an entry is not there.
func (a *again) absent(entry string) string {
	if a.sign == byNil {
		return entry + " == nil"
	}
	ok := a.fresh("present", "found", "exists")
	return "_, " + ok + " := " + entry + "; !" + ok
}

// there is the condition that an entry is there, which it names first.
func (a *again) there(first, entry string) string {
	if a.sign == byNil {
		return first + " := " + entry + "; " + first + " != nil"
	}
	ok := a.fresh("present", "found", "exists")
	return first + ", " + ok + " := " + entry + "; " + ok
}

// second are the statements that look once more: what is there, named first if that is not blank, and
// whether something is.
func (a *again) second(first, ok, entry, nl string) string {
	switch {
	case a.sign == byFlag:
		return first + ", " + ok + " := " + entry
	case first == "_":
		return ok + " := " + entry + " != nil"
	}
	return first + " := " + entry + nl + ok + " := " + first + " != nil"
}

// closing closes the loser. Where nil counts as none, what was made can be nil, too.
func (a *again) closing(nl string) string {
	if a.sign == byNil {
		return "if " + a.value.Name() + " != nil {" + nl + "\t" + a.close + nl + "}"
	}
	return a.close
}
