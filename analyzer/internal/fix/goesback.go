package fix

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// goesBack fixes a Store of the very object that was found in a sync.Map: it is put
// back only where it is there still.
//
// It is safe. The object is that of a Load of the same function, for the same key, which found it in any
// case where it goes back; nothing in between calls a function, which could take it out itself. What is stored is
// the pointer that the entry held, so where the map holds it the swap changes nothing, as the Store did not; where
// another goroutine has deleted the entry, or put in another object, that stays. Pointers of types without
// a name can be compared and are what the entry held, and the name of a local variable is read twice, with nothing in between.
func (m *Maker) goesBack(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || v.Grade != witness.Revived || v.Check.Lifted || v.Act.Lifted {
		return nil, ""
	}
	t := m.twoStep(f, m.source(f.Pos))
	if t == nil || t.orStored || method(t.body.info, t.act) != "Store" || !t.has("CompareAndSwap") {
		return nil, ""
	}
	if !t.whenPresent() || t.body.calls(t.body.block, t.load.End(), t.act.Pos()) {
		return nil, ""
	}
	found, named := ast.Unparen(t.act.Args[1]).(*ast.Ident)
	if !named || !m.localPointer(found) {
		return nil, "the object that goes back is not a local variable"
	}
	return &analysis.SuggestedFix{Message: "use CompareAndSwap", TextEdits: []analysis.TextEdit{
		rename(t.act, "CompareAndSwap"), insert(t.act.Args[1].Pos(), t.src.of(found)+", "),
	}}, ""
}

// whenPresent reports whether the act runs only where the Load found something: it stands under ok, or
// after "if !ok { return }".
func (t *twoStep) whenPresent() bool {
	child := ast.Node(t.stmt)
	for _, n := range t.around {
		if is, ok := n.(*ast.IfStmt); ok && (child == is.Body && t.isOk(is.Cond) || child == is.Else && t.notOk(is.Cond)) {
			return !t.body.jumps()
		}
		for _, s := range statements(n) {
			if s == child {
				break
			}
			if is, ok := s.(*ast.IfStmt); ok && t.notOk(is.Cond) && is.Else == nil && t.body.leaves(is.Body) {
				return !t.body.jumps()
			}
		}
		child = n
	}
	return false
}

// localPointer reports whether a name is that of a local variable which holds a pointer, of a type without a name.
func (m *Maker) localPointer(name *ast.Ident) bool {
	v, ok := m.pass.TypesInfo.Uses[name].(*types.Var)
	if !ok || v.IsField() || v.Parent() == m.pass.Pkg.Scope() {
		return false
	}
	_, pointer := types.Unalias(v.Type()).(*types.Pointer)
	return pointer
}
