package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// createInTurn fixes a cache on a concurrent map that its users fill: those who find no
// entry make one in turn. Behind the look that returns what it finds, the function takes a
// new mutex until it returns, and looks again.
//
// It is safe. What runs under the mutex is what the function does from the look on, as if it had been
// called when it got the mutex: the second look is the words of the first one, in the same
// scope, and nothing runs between the two. So whatever is made, stored, ended or returned is as before,
// but that no entry is made where there is one by then; those who find one take no mutex.
// Nothing else takes the mutex but the other functions that fill the map in the same way. That
// each of them returns, and so gives it free, is what [creation.passable] asks.
func (m *Maker) createInTurn(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok {
		return nil, ""
	}
	c, refused := m.creation(v)
	if c == nil {
		return nil, refused
	}
	if refused := c.house(); refused != "" {
		return nil, refused
	}
	if refused := c.passable(); refused != "" {
		return nil, refused
	}
	edits, refused := c.edits()
	if edits == nil {
		return nil, refused
	}
	m.opened = append(m.opened, conduct.Section{In: c.f, Lock: c.held(), From: c.is.End(), To: c.decl.End()})
	return &analysis.SuggestedFix{Message: "make entries in turn, under a mutex " + c.mutex, TextEdits: edits}, ""
}

// A creation is a look that returns what it finds, and what follows it up to the end of the
// function, which stores a new entry.
type creation struct {
	*scene
	v    *witness.Verdict
	decl *ast.FuncDecl
	// is is the if statement on the look, define the definition that looks: its own, or the
	// statement in front of it.
	is     *ast.IfStmt
	define *ast.AssignStmt
	end    token.Pos // of the list in which they stand
	// entries is the field or variable that holds the map, and owner the object that has the
	// field.
	entries *types.Var
	owner   ast.Expr
	// mutex is the name of the new mutex, text how the function writes it, and declare the edits
	// that declare it.
	mutex, text string
	declare     []analysis.TextEdit
}

// creation reads the function of a look and a Store; nil if it has not the shape.
func (m *Maker) creation(v *witness.Verdict) (*creation, refusal) {
	fills := v.Concurrent() && !v.Local && v.Check.Op == access.Load && v.Act.Op == access.Store && v.Pair.Polarity == depend.Absent
	if !fills || v.Act.Spawned {
		return nil, ""
	}
	decl, ok := v.Func.SSA.Syntax().(*ast.FuncDecl)
	s := m.scene(v.Func, nil)
	if !ok || s == nil {
		return nil, ""
	}
	c := &creation{scene: s, v: v, decl: decl}
	if !c.looks() || !c.returns() || !c.storesAfter() {
		return nil, ""
	}
	if !c.again() {
		return nil, "the look cannot be repeated as it stands"
	}
	return c, ""
}

// looks finds the look: "v, ok := m.Load(k)", in the head of an if statement or in front of
// it, outside of loops.
func (c *creation) looks() bool {
	ls := c.levels(c.v.Check.Pos)
	if len(ls) == 0 {
		return false
	}
	for _, n := range c.path(c.v.Check.Pos) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt, *ast.SelectStmt:
			return false
		}
	}
	l := ls[len(ls)-1]
	c.end = l.list[len(l.list)-1].End()
	is, inHead := l.stmt().(*ast.IfStmt)
	if inHead {
		c.is = is
		c.define, _ = is.Init.(*ast.AssignStmt)
	} else if l.at+1 < len(l.list) {
		c.define, _ = l.stmt().(*ast.AssignStmt)
		c.is, _ = l.list[l.at+1].(*ast.IfStmt)
		if c.is != nil && c.is.Init != nil {
			return false
		}
	}
	return c.is != nil && c.define != nil && c.is.Else == nil && len(c.define.Lhs) == 2 && len(c.define.Rhs) == 1
}

// returns reports whether the if statement asks for presence, and its body returns. A goto
// could come to the mutex twice.
func (c *creation) returns() bool {
	ok, isID := c.define.Lhs[1].(*ast.Ident)
	if !isID || ok.Name == "_" || len(c.is.Body.List) == 0 {
		return false
	}
	if _, ret := c.is.Body.List[len(c.is.Body.List)-1].(*ast.ReturnStmt); !ret {
		return false
	}
	plain := true
	ast.Inspect(c.body.block, func(n ast.Node) bool {
		b, jump := n.(*ast.BranchStmt)
		plain = plain && !(jump && b.Tok == token.GOTO)
		return plain
	})
	ast.Inspect(c.is.Body, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		plain = plain && !lit
		return plain
	})
	return plain && c.asks(c.is.Cond, c.object(ok))
}

// asks reports whether a condition holds only where the look has found an entry.
func (c *creation) asks(cond ast.Expr, ok types.Object) bool {
	switch x := ast.Unparen(cond).(type) {
	case *ast.Ident:
		return ok != nil && c.body.info.Uses[x] == ok
	case *ast.BinaryExpr:
		return x.Op == token.LAND && (c.asks(x.X, ok) || c.asks(x.Y, ok)) && !c.body.calls(x, x.Pos(), x.End())
	}
	return false
}

func (c *creation) object(id *ast.Ident) types.Object {
	if obj := c.body.info.Defs[id]; obj != nil {
		return obj
	}
	return c.body.info.Uses[id]
}

// storesAfter reports whether the Store is made behind the look in the function's own course:
// by itself, by a call, or in a literal that is called at once or deferred there. What is
// deferred behind the mutex's release runs before it. Behind the list of statements in which the look
// stands, the mutex may not be held.
func (c *creation) storesAfter() bool {
	act := c.v.Act
	for _, p := range [...]token.Pos{act.Pos, c.m.in.At(act)} {
		if p < c.is.End() || c.end <= p {
			return false
		}
	}
	path := c.src.enclosing(c.m.in.At(act))
	for i, n := range path {
		if _, lit := n.(*ast.FuncLit); lit && !calledThere(path[i:]) {
			return false
		}
		if n == ast.Node(c.decl) {
			return true
		}
	}
	return false
}

// calledThere reports whether the literal at the head of a path is called where it stands, and not
// as a goroutine.
func calledThere(path []ast.Node) bool {
	lit := path[0]
	for i, n := range path[1:] {
		switch n := n.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			_, spawned := path[i+2].(*ast.GoStmt)
			return ast.Unparen(n.Fun) == lit && !spawned
		}
		return false
	}
	return false
}

// again reports whether the look can stand there once more: it is a call on a map that has a
// plain name, of a key that names variables and constants, and what it defines is none of
// these, and new.
func (c *creation) again() bool {
	call, ok := ast.Unparen(c.define.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !c.plain(sel.X) || !c.holder(sel) {
		return false
	}
	for _, arg := range call.Args {
		lit := c.body.mentions(arg, func(id *ast.Ident) bool { return c.overwritten(id) })
		if lit || c.body.calls(arg, arg.Pos(), arg.End()) || !c.body.same(arg, arg) || !c.stays(arg) {
			return false
		}
	}
	if c.body.mentions(sel.X, c.overwritten) {
		return false
	}
	value, ok := c.define.Lhs[0].(*ast.Ident)
	if !ok || c.define.Tok == token.DEFINE && value.Name != "_" && c.body.info.Defs[value] == nil {
		return false
	}
	ret := c.is.Body.List[len(c.is.Body.List)-1].(*ast.ReturnStmt)
	bare := len(ret.Results) == 0 && c.decl.Type.Results != nil
	return !bare || c.define.Tok == token.ASSIGN || c.is.Init != nil
}

// stays reports whether a key is the same from the look to the end of the function.
func (c *creation) stays(key ast.Expr) bool {
	if c.body.changes(c.body.variables(key), c.is.End(), c.decl.End()) {
		return false
	}
	return !c.body.selects(key) || !c.body.calls(c.body.block, c.is.End(), c.v.Act.Pos)
}

// overwritten reports whether a name is one of those that the look defines or sets.
func (c *creation) overwritten(id *ast.Ident) bool {
	return slices.ContainsFunc(c.define.Lhs, func(l ast.Expr) bool {
		set, ok := l.(*ast.Ident)
		return !ok || set.Name == id.Name
	})
}

// holder finds the field or the package's variable that holds the map on which a method is
// called.
func (c *creation) holder(method *ast.SelectorExpr) bool {
	x := ast.Unparen(method.X)
	if m := c.body.info.Selections[method]; m != nil && len(m.Index()) == 2 {
		st, ok := ssautil.Pointee(c.body.info.TypeOf(x)).Underlying().(*types.Struct)
		if ok {
			c.entries, c.owner = st.Field(m.Index()[0]), x // it is embedded
		}
		return ok
	}
	switch x := x.(type) {
	case *ast.Ident:
		c.entries, _ = c.body.info.Uses[x].(*types.Var)
		return c.entries != nil && c.entries.Parent() == c.m.pass.Pkg.Scope()
	case *ast.SelectorExpr:
		c.entries, _ = c.body.info.Uses[x.Sel].(*types.Var)
		if c.entries != nil && c.entries.IsField() {
			s := c.body.info.Selections[x]
			c.owner = x.X
			return s != nil && len(s.Index()) == 1
		}
		return c.entries != nil
	}
	return false
}

// edits takes the mutex behind the look, and repeats the look under it.
func (c *creation) edits() ([]analysis.TextEdit, refusal) {
	indent := c.src.indent(c.is.Pos())
	text := "\n" + indent + c.text + ".Lock()" +
		"\n" + indent + "defer " + c.text + ".Unlock()" +
		"\n" + indent + c.secondLook()
	return append(slices.Clone(c.declare), insert(c.src.after(c.is), text)), ""
}

// secondLook is the if statement once more, with the look in its head. A value that it does
// not use has no name there.
func (c *creation) secondLook() string {
	if c.is.Init != nil {
		return c.src.of(c.is)
	}
	value := c.define.Lhs[0].(*ast.Ident)
	named := c.body.mentions(c.is, func(id *ast.Ident) bool { return c.body.info.Uses[id] == c.object(value) })
	name := value.Name
	if !named && c.define.Tok == token.DEFINE {
		name = "_"
	}
	return "if " + name + c.src.between(value.End(), c.define.End()) + "; " + c.src.of(c.is.Cond) + " " + c.src.of(c.is.Body)
}
