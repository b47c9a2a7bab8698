package fix

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// goesBack fixes a Store of the very object that was found in a sync.Map: it is put
// back only where it is there still.
//
// It is safe. What is stored is the pointer that the entry held, so where the map
// holds it the swap changes nothing, as the Store did not; where another goroutine
// has deleted the entry, or put in another object, that stays. Pointers can be compared,
// and the name of a local variable is read twice, with nothing in between.
func (m *Maker) goesBack(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || v.Grade != witness.Revived || v.Pair.Polarity == depend.Any {
		return nil, ""
	}
	src := m.source(f.Pos)
	path := src.enclosing(f.Pos)
	if len(path) < 2 {
		return nil, ""
	}
	call, ok := path[0].(*ast.CallExpr)
	if !ok || method(m.pass.TypesInfo, call) != "Store" {
		return nil, ""
	}
	_, alone := path[1].(*ast.ExprStmt)
	found, named := ast.Unparen(call.Args[1]).(*ast.Ident)
	if !alone || !named || !m.localPointer(found) {
		return nil, "the object that goes back is not a local variable"
	}
	return &analysis.SuggestedFix{Message: "use CompareAndSwap", TextEdits: []analysis.TextEdit{
		rename(call, "CompareAndSwap"), insert(call.Args[1].Pos(), src.of(found)+", "),
	}}, ""
}

// localPointer reports whether a name is that of a local variable which holds a pointer.
func (m *Maker) localPointer(name *ast.Ident) bool {
	v, ok := m.pass.TypesInfo.Uses[name].(*types.Var)
	if !ok || v.IsField() || v.Parent() == m.pass.Pkg.Scope() {
		return false
	}
	_, pointer := v.Type().Underlying().(*types.Pointer)
	return pointer
}
