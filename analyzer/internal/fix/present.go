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
	for _, n := range a.path(a.look.Pos) {
		def, ok := n.(*ast.AssignStmt)
		if !ok || len(def.Rhs) != 1 {
			continue
		}
		if id, ok := def.Lhs[0].(*ast.Ident); ok {
			value = a.object(id)
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

// object is what an identifier defines or uses.
func (a *again) object(id *ast.Ident) types.Object {
	if def := a.body.info.Defs[id]; def != nil {
		return def
	}
	return a.body.info.Uses[id]
}

// comparedWithNil reports whether the look, or the variable that keeps what it found, is compared with nil
// before the insertion.
func (a *again) comparedWithNil(value types.Object) bool {
	found := false
	ast.Inspect(a.body.block, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ || b.Pos() > a.act.Pos {
			return true
		}
		for x, y := range map[ast.Expr]ast.Expr{b.X: b.Y, b.Y: b.X} {
			id, named := ast.Unparen(x).(*ast.Ident)
			looks := x.Pos() <= a.look.Pos && a.look.Pos < x.End()
			if isNil(a.body.info, y) && (looks || named && value != nil && a.object(id) == value) {
				found = true
			}
		}
		return true
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
