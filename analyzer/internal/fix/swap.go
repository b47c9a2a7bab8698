package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// swap fixes a Load, a computation and a Store of what comes of it: a loop stores
// only in place of the value that was found, and computes again if another goroutine
// was faster.
//
// It is safe. What stands between the two steps has no effect beside variables that
// it defines itself and that nothing after it uses, or a return of the function, so
// that it may run again. The value that was found is asserted to be of one type with
// plain values on the way to the Store, so it can be compared. A round is repeated
// only if another one has stored meanwhile: some goroutine gets on. If none has, the
// swap does what the Store did.
func (t *twoStep) swap() *analysis.SuggestedFix {
	list, i := t.siblings()
	if list == nil || !t.has("CompareAndSwap") || t.value == nil || t.body.jumps() || !t.pure(t.act.Args[1]) {
		return nil
	}
	var edits []analysis.TextEdit
	if is, ok := t.under(); ok && is.Init == t.define {
		edits = t.swapUnder(is, list, i)
	} else {
		edits = t.swapAfter(list, i)
	}
	if edits == nil {
		return nil
	}
	return &analysis.SuggestedFix{Message: "use CompareAndSwap in a loop", TextEdits: edits}
}

// swapUnder makes a loop of the if statement that holds all of it.
func (t *twoStep) swapUnder(is *ast.IfStmt, list []ast.Stmt, i int) []analysis.TextEdit {
	plainIf := is.Else == nil && !t.elseIf(is) && !t.labelled(is)
	if i != len(list)-1 || !plainIf || !t.repeatable(list[:i]) || !t.comparable(list) {
		return nil
	}
	again := t.src.of(t.define.Lhs[0]) + ", " + t.src.of(t.define.Lhs[1]) + " = " + t.src.of(t.define.Rhs[0])
	ends := t.swapped(nil, "")
	if ends == nil {
		return nil
	}
	return append([]analysis.TextEdit{
		{Pos: is.If, End: is.If + token.Pos(len("if")), NewText: []byte("for")},
		insert(is.Cond.End(), "; "+again),
	}, ends...)
}

// swapAfter makes a loop of the statements from the look to the Store.
func (t *twoStep) swapAfter(list []ast.Stmt, i int) []analysis.TextEdit {
	from := 0
	for from < i && list[from] != ast.Stmt(t.define) {
		from++
	}
	if from == i || !t.repeatable(list[from+1:i]) || !t.comparable(list[from:i+1]) || t.labelled(t.define) {
		return nil
	}
	indent := t.src.indent(t.define.Pos())
	var done *ast.ReturnStmt
	if rest := list[i+1:]; len(rest) == 1 && !t.body.calls(rest[0], rest[0].Pos(), rest[0].End()) {
		done, _ = rest[0].(*ast.ReturnStmt)
	}
	if done == nil && slices.ContainsFunc(list[from:i], t.usedAfter) {
		return nil
	}
	ends, deeper := t.swapped(done, indent+"}\n"), t.deeper(t.define.Pos(), t.stmt.End())
	if ends == nil || deeper == nil {
		return nil
	}
	return append(deeper, ends...)
}

// swapped makes of the Store the end of a round: if it has stored, the return follows
// that is there, or the loop is left. closing comes behind.
func (t *twoStep) swapped(done *ast.ReturnStmt, closing string) []analysis.TextEdit {
	indent, end := t.src.indent(t.stmt.Pos()), t.stmt.End()
	if closing != "" {
		indent += "\t" // the loop is around all of it
	}
	edits := []analysis.TextEdit{
		insert(t.stmt.Pos(), "if "), rename(t.act, "CompareAndSwap"),
		insert(t.act.Args[1].Pos(), t.src.of(t.define.Lhs[0])+", "), insert(t.stmt.End(), " {"),
	}
	leave := indent + "\tbreak\n"
	if done != nil {
		leave, end = "", done.End()
		line := t.src.tok.LineStart(t.src.line(done.Pos()))
		if line <= t.stmt.End() || t.src.line(done.Pos()) != t.src.line(end) || t.src.commented(t.src.nextLine(t.stmt.End()), done.Pos()) {
			return nil
		}
		edits = append(edits, insert(line, "\t\t"))
	}
	if !t.lastOnLine(t.stmt.End()) || !t.lastOnLine(end) {
		return nil
	}
	return append(edits, insert(t.src.nextLine(end), leave+indent+"}\n"+closing))
}

// deeper begins a loop in front of a stretch, and moves its lines to the right; nil
// if one of them begins within a text.
func (t *twoStep) deeper(from, to token.Pos) []analysis.TextEdit {
	if strings.Contains(t.src.between(from, to), "`") || strings.Contains(t.src.between(from, to), "/*") {
		return nil
	}
	edits := []analysis.TextEdit{insert(from, "for {\n"+t.src.indent(from)+"\t")}
	for line := t.src.line(from) + 1; line <= t.src.line(to); line++ {
		start := t.src.tok.LineStart(line)
		if strings.TrimSpace(t.src.between(start, t.src.nextLine(start))) != "" {
			edits = append(edits, insert(start, "\t"))
		}
	}
	return edits
}

// lastOnLine reports whether nothing but a comment follows on the line.
func (t *twoStep) lastOnLine(at token.Pos) bool {
	rest := strings.TrimSpace(t.src.between(at, t.src.nextLine(at)))
	return rest == "" || strings.HasPrefix(rest, "//")
}

// labelled reports whether a label stands in front of a statement.
func (t *twoStep) labelled(s ast.Stmt) bool {
	p := t.body.parents(s)
	if len(p) == 0 {
		return false
	}
	_, ok := p[0].(*ast.LabeledStmt)
	return ok
}

// usedAfter reports whether something that a statement defines is used behind the
// Store.
func (t *twoStep) usedAfter(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := t.body.info.Defs[id].(*types.Var); ok && (len(t.after(v)) > 0 || t.lives(v)) {
				found = true
			}
		}
		return !found
	})
	return found
}

// repeatable reports whether statements may run again, or not at all: they define
// variables by what has no effect, or return.
func (t *twoStep) repeatable(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE || !t.pure(s) {
				return false
			}
			for _, l := range s.Lhs {
				if id, ok := l.(*ast.Ident); !ok || id.Name != "_" && t.body.info.Defs[id] == nil {
					return false
				}
			}
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil || !t.pure(s.Cond) || len(s.Body.List) != 1 {
				return false
			}
			if _, ok := s.Body.List[0].(*ast.ReturnStmt); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// pure reports whether code has no effect but to compute: what it calls are
// conversions, builtin functions that look, and library functions that get and give
// data by value. What it makes, it makes anew each time.
func (t *twoStep) pure(n ast.Node) bool {
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (t.body.conversion(n) || t.body.builtin(n, "len", "cap", "min", "max") || t.computes(n))
		case *ast.UnaryExpr:
			_, lit := ast.Unparen(n.X).(*ast.CompositeLit)
			ok = ok && n.Op != token.ARROW && (n.Op != token.AND || lit)
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// computes reports whether a call is one of a library function that ends by itself,
// and gets and gives data by value.
func (t *twoStep) computes(call *ast.CallExpr) bool {
	fn := t.m.calleeOf(call)
	if fn == nil || fn.Pkg() == nil || t.m.in.Pkg.Lookup(any(fn.Origin())) != nil || t.m.in.Pkg.Summary(any(fn.Origin())) != nil || !model.Brief(fn) {
		return false
	}
	sig := fn.Signature()
	if r := sig.Recv(); sig.Results().Len() == 0 || r != nil && !byValue(r.Type()) {
		return false
	}
	for _, tuple := range [...]*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if !byValue(v.Type()) {
				return false
			}
		}
	}
	return true
}

func byValue(t types.Type) bool {
	_, isStruct := t.Underlying().(*types.Struct)
	return isStruct || basic(t)
}

// comparable reports whether the value that was found is asserted, in any case
// before the Store, to have a type that can be compared: where it has another one,
// the function panics as before.
func (t *twoStep) comparable(list []ast.Stmt) bool {
	for _, s := range list {
		n := ast.Node(s)
		if is, ok := s.(*ast.IfStmt); ok {
			n = is.Cond
		}
		if t.asserts(n) {
			return true
		}
	}
	return false
}

// asserts reports whether code asserts, in any case, that the value that was found
// has a type that can be compared.
func (t *twoStep) asserts(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			return len(n.Lhs) == len(n.Rhs) // else the assertion may fail
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				found = found || t.asserts(n.X) || n.Op == token.LAND && t.isOk(n.X) && t.asserts(n.Y)
				return false
			}
		case *ast.TypeAssertExpr:
			if n.Type != nil && t.loaded(n.X) && strict(t.body.info.TypeOf(n.Type)) {
				found = true
			}
		}
		return !found
	})
	return found
}

// strict reports whether all values of a type can be compared, and none of them is
// different from itself: floating-point numbers can be.
func strict(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
	case *types.Pointer, *types.Chan:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if !strict(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return strict(u.Elem())
	}
	return false
}

// unchanged fixes a Load, a question about what was found, and a Delete: the entry is
// deleted only if it still has the value of which that was asked.
//
// It is safe. The value can be compared, as for [twoStep.swap]. If no other goroutine
// has stored meanwhile, the same is deleted. If one has, the new value stays, of which
// nothing was asked; the function does nothing after the Delete that rests on it.
func (t *twoStep) unchanged() *analysis.SuggestedFix {
	list, i := t.siblings()
	first := list != nil && i == 0 && len(t.around) >= 2
	if !t.has("CompareAndDelete") {
		return nil
	}
	if !first || t.value == nil || t.body.jumps() || len(list) > 1 && !bare(list[1:]) {
		return nil
	}
	is, ok := t.around[1].(*ast.IfStmt)
	if !ok || is.Body != t.around[0] || !t.asserts(is.Cond) || !t.pure(is.Cond) {
		return nil
	}
	if before, at := t.listOf(is); is.Init != t.define && (is.Init != nil || at == 0 || before[at-1] != ast.Stmt(t.define)) {
		return nil
	}
	value := t.src.of(t.define.Lhs[0])
	return &analysis.SuggestedFix{Message: "use CompareAndDelete", TextEdits: []analysis.TextEdit{
		rename(t.act, "CompareAndDelete"), insert(t.act.Args[0].End(), ", "+value),
	}}
}

// bare reports whether statements are one return without results, a continue or a
// break.
func bare(rest []ast.Stmt) bool {
	switch s := rest[0].(type) {
	case *ast.ReturnStmt:
		return len(rest) == 1 && len(s.Results) == 0
	case *ast.BranchStmt:
		return len(rest) == 1
	}
	return false
}

// listOf returns the list in which a statement stands, and its place there.
func (t *twoStep) listOf(s ast.Stmt) ([]ast.Stmt, int) {
	p := t.body.parents(s)
	if len(p) == 0 {
		return nil, 0
	}
	list := statements(p[0])
	for i, other := range list {
		if other == s {
			return list, i
		}
	}
	return nil, 0
}
