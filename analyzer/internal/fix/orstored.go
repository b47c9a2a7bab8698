package fix

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A LoadOrStore can be the look: what it finds, or has just stored, is what the second step goes by. It can be asked again
// where the second step finds another value: it stores only what is absent, as it would if the function began there. So the
// loop of [twoStep.swap] may have it in place of a Load, whether or not its second result has a name.

// findLoadOrStore finds a LoadOrStore as the last use of the map before the act. Its results are kept in variables of the
// function that nothing else sets before the act, and what it stores can be made again.
func (t *twoStep) findLoadOrStore() bool {
	if !t.lastUse("LoadOrStore") || !t.pure(t.load.Args[1]) {
		return false
	}
	value, ok := t.keeps(t.define.Lhs[0])
	second, too := t.keeps(t.define.Lhs[1])
	if !ok || !too || value == nil {
		return false
	}
	t.orStored, t.value, t.ok = true, value, second
	return true
}

// keeps returns the variable that keeps a result of the look, nil if none does. Not ok: others may have it, or set it.
func (t *twoStep) keeps(result ast.Expr) (v types.Object, ok bool) {
	id, isID := result.(*ast.Ident)
	if !isID {
		return nil, false
	}
	if id.Name == "_" {
		return nil, true
	}
	v = t.body.info.Defs[id]
	if t.define.Tok == token.ASSIGN {
		v = t.body.info.Uses[id]
	}
	if v == nil || !within(t.body.block, v.Pos()) {
		return nil, false
	}
	return v, !t.body.changes(func(o types.Object) bool { return o == v }, t.define.End(), t.act.Pos())
}
