package fix

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// store fixes a Load followed by a Store: LoadOrStore stores only what is still
// absent, and tells what the map holds.
//
// It is safe. The Store runs only when the Load found nothing. If that is still
// so, LoadOrStore does what Store did. If another goroutine has stored
// meanwhile, its value stays, and this goroutine goes on with that one: every
// later use of its own value becomes one of the map's. Its own is dropped, so
// it must be nothing that has to be ended, and no other goroutine may have it: between
// its making and the Store it is named only to set, read or compare its parts.
// What the map holds has its type: the function asserts that of the value that
// it loads. Nothing follows the Store in its branch but a return without calls,
// which does not say yes or no, so nothing that only the one who stored should do.
//
// The look before it stays where the new value takes a call to make, so that
// nothing is made when the entry is there.
func (t *twoStep) store() *analysis.SuggestedFix {
	list, i := t.siblings()
	if !t.has("LoadOrStore") || t.updatesFound() {
		return nil
	}
	if list == nil || !t.whenAbsent() || !t.lastBut(list[i+1:]) || t.toldApart(list[i+1:]) || !t.endsWithLiteral() {
		return nil
	}
	var edits []analysis.TextEdit
	value, in := ast.Unparen(t.act.Args[1]), t.inner()
	switch v := t.variable(value); {
	case v == nil || in.parameter(v):
		if t.m.droppable(t.body.info.TypeOf(value)) && !in.goesOnWith(value) {
			edits = in.storeExpr(value)
		}
	case in.confined(v):
		edits = in.storeVar(v, list[i+1:], t.asserted(v.Type()))
	}
	if edits == nil {
		return nil
	}
	return &analysis.SuggestedFix{Message: "use LoadOrStore", TextEdits: edits}
}

// lastBut reports whether nothing follows but a return without calls, a
// continue or a break.
func (t *twoStep) lastBut(rest []ast.Stmt) bool {
	if len(rest) != 1 {
		return len(rest) == 0
	}
	switch s := rest[0].(type) {
	case *ast.ReturnStmt:
		return !t.body.calls(s, s.Pos(), s.End())
	case *ast.BranchStmt:
		return true
	}
	return false
}

// toldApart reports whether the function tells its caller whether it has stored: by what it asks of the Load
// afterwards, by yes or no that it notes before the Store, or returns, or by results that differ from those
// where an entry is found. Who loses would be told that it has.
func (t *twoStep) toldApart(rest []ast.Stmt) bool {
	if ok, isVar := t.ok.(*types.Var); !isVar || len(t.after(ok)) > 0 || t.notesWhether() {
		return true
	}
	if len(rest) == 0 || t.body.typ.Results == nil {
		return false
	}
	ret, ok := rest[0].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	if t.own != nil { // the return is the literal's, which runs only where there is no entry
		return slices.ContainsFunc(ret.Results, t.saysWhether)
	}
	found := t.whereFound()
	if len(found) == 0 {
		return t.value == nil || slices.ContainsFunc(ret.Results, t.fixed)
	}
	if t.value == nil {
		return t.src.of(found[0]) != t.src.of(ret)
	}
	other, ok := found[len(found)-1].(*ast.ReturnStmt)
	return !ok || t.returnsApart(ret, other)
}

// notesWhether reports whether yes or no is assigned between the Load and the Store.
func (t *twoStep) notesWhether() bool {
	found := false
	ast.Inspect(t.body.block, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && t.define.End() <= a.Pos() && a.Pos() < t.act.Pos() {
			found = found || a.Tok == token.ASSIGN && slices.ContainsFunc(a.Rhs, t.saysWhether)
		}
		return !found
	})
	return found
}

// returnsApart reports whether a return behind the Store gives what one where an entry is found does not:
// constants, errors or nil that stand differently there.
func (t *twoStep) returnsApart(ret, other *ast.ReturnStmt) bool {
	if len(ret.Results) != len(other.Results) {
		return true
	}
	for i, e := range ret.Results {
		is := types.Identical(t.resultType(i), types.Universe.Lookup("error").Type()) || t.fixed(e) || t.fixed(other.Results[i])
		if is && t.src.of(e) != t.src.of(other.Results[i]) {
			return true
		}
	}
	return false
}

// fixed reports whether an expression is a constant or nil.
func (t *twoStep) fixed(e ast.Expr) bool {
	v, ok := t.body.info.Types[e]
	return ok && (v.Value != nil || v.IsNil())
}

// resultType returns the type of the function's i-th result.
func (t *twoStep) resultType(i int) types.Type {
	for _, f := range t.body.typ.Results.List {
		if n := max(len(f.Names), 1); i >= n {
			i -= n
			continue
		}
		return t.body.info.TypeOf(f.Type)
	}
	return types.Typ[types.Invalid]
}

// saysWhether reports whether a result is true or false.
func (t *twoStep) saysWhether(result ast.Expr) bool {
	v, ok := t.body.info.Types[result]
	return ok && v.Value != nil && v.Value.Kind() == constant.Bool
}

// whereFound returns what the function does where the Load has found an entry, as far as it is a stretch of
// its own: the body of "if ok { … }", or what follows "if !ok { … }".
func (t *twoStep) whereFound() []ast.Stmt {
	child := ast.Node(t.stmt)
	for at, n := range t.around {
		if i, ok := n.(*ast.IfStmt); ok && child == i.Body && t.notOk(i.Cond) && i.Else == nil && at+1 < len(t.around) {
			list := statements(t.around[at+1])
			for k, s := range list {
				if s == ast.Stmt(i) {
					return list[k+1:]
				}
			}
		}
		for _, s := range statements(n) {
			if i, ok := s.(*ast.IfStmt); ok && t.isOk(i.Cond) && t.body.leaves(i.Body) {
				return i.Body.List
			}
		}
		child = n
	}
	return nil
}

// variable returns the variable that an expression names, unless it is a
// package's.
func (t *twoStep) variable(e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := t.body.info.Uses[id].(*types.Var)
	if !ok || v.Parent() == t.m.pass.Pkg.Scope() {
		return nil
	}
	return v
}

func (t *twoStep) parameter(v *types.Var) bool {
	p := t.body.typ.Params
	return within(p, v.Pos())
}

// goesOnWith reports whether the function may use something with identity that
// an expression names after it is stored: in the source after it, in a loop,
// as a result, in a function literal.
func (t *twoStep) goesOnWith(value ast.Expr) bool {
	found := false
	ast.Inspect(value, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		v := t.variable(e)
		if v == nil || v.IsField() || basic(v.Type()) {
			return true
		}
		inside := within(t.body.block, v.Pos())
		found = !inside && !t.parameter(v) || t.lives(v) || len(t.after(v)) > 0
		return !found
	})
	return found
}

// lives reports whether a variable is used where order in the source tells
// nothing: in a literal, or in a loop that it outlives.
func (t *twoStep) lives(v *types.Var) bool {
	if slices.ContainsFunc(t.body.uses(v), t.captured) {
		return true
	}
	return slices.ContainsFunc(t.around, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return v.Pos() < n.Pos()
		}
		return false
	})
}

// after returns the uses of a variable that follow the act.
func (t *twoStep) after(v *types.Var) []*ast.Ident {
	return slices.DeleteFunc(t.body.uses(v), func(id *ast.Ident) bool { return id.Pos() < t.act.End() })
}

// captured reports whether a name stands in a function literal.
func (t *twoStep) captured(id *ast.Ident) bool { return t.body.inLiteral(id) }

// storeExpr replaces the Store of a value that the function does not use
// again. With no other use of what is found, a cheap value needs no look
// before.
func (t *twoStep) storeExpr(value ast.Expr) []analysis.TextEdit {
	call := rename(t.act, "LoadOrStore")
	if len(t.around) < 2 || !t.body.cheap(value) || t.value != nil {
		return []analysis.TextEdit{call}
	}
	is, ok := t.around[1].(*ast.IfStmt)
	if !ok || is.Init != t.define || !t.notOk(is.Cond) || is.Else != nil || len(is.Body.List) != 1 {
		return []analysis.TextEdit{call}
	}
	if bare := t.unwrap(is); bare != nil {
		return append(bare, call)
	}
	return []analysis.TextEdit{call}
}

// unwrap takes the if statement around the act away, which stands alone in it.
// A comment behind the act stays; with any other one there is no edit.
func (t *twoStep) unwrap(is *ast.IfStmt) []analysis.TextEdit {
	end := t.act.End()
	for _, g := range t.src.file.Comments {
		if g.Pos() > end && g.Pos() < is.End() && t.src.line(g.Pos()) == t.src.line(end) && t.src.line(g.End()) == t.src.line(end) {
			end = g.End()
		}
	}
	if t.elseIf(is) || t.src.commented(is.Pos(), t.act.Pos()) || t.src.commented(end, is.End()) {
		return nil
	}
	return []analysis.TextEdit{remove(is.Pos(), t.act.Pos()), remove(end, is.End())}
}

// elseIf reports whether an if statement stands behind another one's else.
func (t *twoStep) elseIf(is *ast.IfStmt) bool {
	i := slices.Index(t.around, ast.Node(is))
	if i+1 >= len(t.around) {
		return false
	}
	outer, ok := t.around[i+1].(*ast.IfStmt)
	return ok && outer.Else == is
}

// storeVar replaces the Store of a variable, and lets the function go on with
// what the map holds.
// asserted is how the function writes its type where it asserts it of the value that
// it loads.
func (t *twoStep) storeVar(v *types.Var, rest []ast.Stmt, asserted string) []analysis.TextEdit {
	call, after := rename(t.act, "LoadOrStore"), t.after(v)
	if len(after) == 0 {
		return []analysis.TextEdit{call}
	}
	if isAny(v.Type()) || t.typed() && types.Identical(v.Type(), t.calls().Signature().Params().At(1).Type()) {
		return []analysis.TextEdit{insert(t.stmt.Pos(), v.Name()+", _ = "), call}
	}
	actual := t.fresh("actual", "present", "existing")
	if asserted == "" || actual == "" {
		return nil
	}
	if returns(rest, after) {
		result := actual + ".(" + asserted + ")"
		if t.returnsAny(rest[0], after[0]) {
			result = actual
		}
		return []analysis.TextEdit{insert(t.stmt.Pos(), actual+", _ := "), call, replace(after[0], result)}
	}
	loaded := t.fresh("loaded", "found")
	if loaded == "" {
		return nil
	}
	indent := t.src.indent(t.stmt.Pos())
	return []analysis.TextEdit{
		insert(t.stmt.Pos(), "if "+actual+", "+loaded+" := "), call,
		insert(t.stmt.End(), "; "+loaded+" {\n"+indent+"\t"+v.Name()+" = "+actual+".("+asserted+")\n"+indent+"}"),
	}
}

// returns reports whether the one use is a result of a return at once.
func returns(rest []ast.Stmt, uses []*ast.Ident) bool {
	if len(rest) != 1 || len(uses) != 1 {
		return false
	}
	ret, ok := rest[0].(*ast.ReturnStmt)
	return ok && slices.Contains(ret.Results, ast.Expr(uses[0]))
}

// returnsAny reports whether what a return gives back of a value is declared to be
// anything: it needs no assertion.
func (t *twoStep) returnsAny(ret ast.Stmt, value ast.Expr) bool {
	at, n := slices.Index(ret.(*ast.ReturnStmt).Results, value), 0
	for _, field := range t.body.typ.Results.List {
		n += max(1, len(field.Names))
		if at < n {
			return isAny(t.body.info.TypeOf(field.Type))
		}
	}
	return false
}

func isAny(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("any").Type()) }

// asserted returns how the function writes the type want where it asserts it of
// the value that it loads; "" if it does not.
func (t *twoStep) asserted(want types.Type) string {
	text := ""
	ast.Inspect(t.body.block, func(n ast.Node) bool {
		a, ok := n.(*ast.TypeAssertExpr)
		if !ok || a.Type == nil || text != "" {
			return true
		}
		if t.loaded(a) && types.Identical(t.body.info.TypeOf(a.Type), want) {
			text = t.src.of(a.Type)
		}
		return true
	})
	return text
}

// loaded reports whether an expression is the value that the Load found, or
// asserts its type.
func (t *twoStep) loaded(e ast.Expr) bool {
	if a, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
		e = a.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && t.value != nil && t.body.info.Uses[id] == t.value
}
