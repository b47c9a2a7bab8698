package fix

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// claim fixes a Store that marks a key as taken, right behind an if statement that leaves the function
// where it is taken already:
//
//	if _, ok := m.Load(k); ok {
//		return errTaken
//	}
//	m.Store(k, true)
//	…
//
// The Load becomes a LoadOrStore of the same value, and the Store goes. What is stored is a constant, or has no
// content: that it is made before the look shows nothing, and who loses has nothing to drop.
func (t *twoStep) claim() *analysis.SuggestedFix {
	list, i := t.siblings()
	if i < 1 || t.own != nil || t.value != nil || t.jumps() {
		return nil
	}
	is, ok := list[i-1].(*ast.IfStmt)
	if !ok || is.Else != nil || !t.isOk(is.Cond) || !t.body.leaves(is.Body) || !t.marks(t.act.Args[1]) {
		return nil
	}
	defined := is.Init == t.define || is.Init == nil && i > 1 && list[i-2] == t.define
	gone, plain := t.src.without(t.stmt)
	if !defined || !plain {
		return nil
	}
	return &analysis.SuggestedFix{Message: "use LoadOrStore", TextEdits: []analysis.TextEdit{
		rename(t.load, "LoadOrStore"), insert(t.load.Args[0].End(), ", "+t.src.of(t.act.Args[1])), gone,
	}}
}

// marks reports whether a value is a constant, or one without content.
func (t *twoStep) marks(value ast.Expr) bool {
	v, ok := t.body.info.Types[value]
	if ok && v.Value != nil {
		return true
	}
	lit, ok := ast.Unparen(value).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return false
	}
	s, ok := v.Type.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}
