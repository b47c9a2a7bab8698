package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// storeInFlight fixes a Load and a Store of what a function gave that ran for one caller
// at a time per key, where the value that loses would have to be ended: that function looks
// again, and stores what it makes.
//
// It is safe. No other call of the group is in the package, and its key is the map's: of
// the functions that make an entry, one runs at a time, and it makes nothing if there is an
// entry by then. All that wait for it get what is in the map, as each of them would have
// stored it. The errors are those of before; nothing is stored with one, then or now.
func (t *twoStep) storeInFlight() *analysis.SuggestedFix {
	list, i := t.siblings()
	v := t.variable(ast.Unparen(t.act.Args[1]))
	if v == nil || t.typed() || t.own != nil || i < 2 || !t.whenAbsent() {
		return nil
	}
	flown, ok := list[i-2].(*ast.AssignStmt)
	if !ok || flown.Tok != token.DEFINE || len(flown.Lhs) < 2 || len(flown.Rhs) != 1 || !t.defines(flown.Lhs[0], v) {
		return nil
	}
	call, ok := ast.Unparen(flown.Rhs[0]).(*ast.CallExpr)
	if !ok || !t.failsBetween(list[i-1], flown.Lhs[1]) {
		return nil
	}
	lit := t.m.flight(call)
	if lit == nil || !t.m.soleUse(receiver(call)) || !t.body.same(call.Args[0], t.act.Args[0]) {
		return nil
	}
	makes := t.onlyMakes(lit)
	without, ok := t.src.without(t.stmt)
	if makes == nil || !ok {
		return nil
	}
	text := t.lookAndStore(lit, makes)
	if text == "" {
		return nil
	}
	inner := analysis.TextEdit{Pos: lit.Body.Lbrace + 1, End: lit.Body.Rbrace, NewText: []byte(text)}
	return &analysis.SuggestedFix{Message: "look again and store in " + ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel.Name, TextEdits: []analysis.TextEdit{inner, without}}
}

// defines reports whether an expression on the left of a definition is a new variable.
func (t *twoStep) defines(l ast.Expr, v *types.Var) bool {
	id, ok := l.(*ast.Ident)
	return ok && t.body.info.Defs[id] == types.Object(v)
}

// failsBetween reports whether a statement leaves the function if an error is not nil, and
// does nothing else.
func (t *twoStep) failsBetween(st ast.Stmt, err ast.Expr) bool {
	i, ok := st.(*ast.IfStmt)
	if !ok || i.Init != nil || i.Else != nil || !t.body.leaves(i.Body) {
		return false
	}
	c, ok := ast.Unparen(i.Cond).(*ast.BinaryExpr)
	if !ok || c.Op != token.NEQ || !isNil(t.body.info, c.Y) {
		return false
	}
	x, ok := ast.Unparen(c.X).(*ast.Ident)
	id, isID := err.(*ast.Ident)
	return ok && isID && (t.body.info.Defs[id] != nil && t.body.info.Defs[id] == t.body.info.Uses[x] || t.body.info.Uses[id] != nil && t.body.info.Uses[id] == t.body.info.Uses[x])
}

// onlyMakes returns the call of which a literal returns the value and the error, if it
// does nothing else.
func (t *twoStep) onlyMakes(lit *ast.FuncLit) *ast.CallExpr {
	if len(lit.Body.List) != 1 || t.src.commented(lit.Body.Lbrace, lit.Body.Rbrace) {
		return nil
	}
	ret, ok := lit.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
	if !ok {
		return nil
	}
	res, ok := t.body.info.TypeOf(call).(*types.Tuple)
	if !ok || res.Len() != 2 || !ssautil.IsError(res.At(1).Type()) {
		return nil
	}
	return call
}

// lookAndStore writes the body of the literal: the second look, the call that makes the
// value, and the Store; "" if the names that it takes mean something in the call.
func (t *twoStep) lookAndStore(lit *ast.FuncLit, makes *ast.CallExpr) string {
	value, ok, made, err := t.unused(makes, "value", "known"), t.unused(makes, "ok", "found"), t.unused(makes, "made", "fresh"), t.unused(makes, "err", "failure")
	if value == "" || ok == "" || made == "" || err == "" {
		return ""
	}
	key := t.src.of(t.act.Args[0])
	base := "\n" + t.src.indent(lit.Pos())
	in := base + "\t"
	return in + "if " + value + ", " + ok + " := " + t.src.of(t.load) + "; " + ok + " {" +
		in + "\treturn " + value + ", nil" +
		in + "}" +
		in + made + ", " + err + " := " + t.src.of(makes) +
		in + "if " + err + " != nil {" +
		in + "\treturn nil, " + err +
		in + "}" +
		in + t.src.of(t.act.Fun) + "(" + key + ", " + made + ")" +
		in + "return " + made + ", nil" + base
}

// unused returns the first of some names that neither the call, the map nor the key uses,
// so that a variable of the literal can have it.
func (t *twoStep) unused(makes *ast.CallExpr, names ...string) string {
	for _, name := range names {
		used := false
		for _, x := range []ast.Node{makes, t.act} {
			ast.Inspect(x, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				used = used || ok && id.Name == name
				return !used
			})
		}
		if !used {
			return name
		}
	}
	return ""
}
