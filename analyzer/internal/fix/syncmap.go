package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// A twoStep is a Load and what is done after it, both in one function, on the
// same sync.Map and the same key, as the source writes them.
type twoStep struct {
	m    *Maker
	src  *source
	body *body
	// own is the literal's body in which the act stands, if that is another one.
	own *body
	// load is the first call and define the definition "v, ok := m.Load(k)";
	// ok is its second variable, value the first one, nil if it is blank.
	load      *ast.CallExpr
	define    *ast.AssignStmt
	ok, value types.Object
	// orStored: the first call is "v, _ := m.LoadOrStore(k, x)", which finds a value in any case. ok is nil if it is blank.
	orStored bool
	// act is the second call, stmt its statement, and around what stands
	// around that, the innermost first.
	act    *ast.CallExpr
	stmt   *ast.ExprStmt
	around []ast.Node
}

// oneStep fixes two steps on a sync.Map by the method that does both.
//
// Common to its shapes: nothing between the two calls uses the map, their keys are the same words without an effect, nothing in the
// function gives the words another meaning, and the second step stands under
// nothing but the presence that the first one found.
func (m *Maker) oneStep(f check.Finding) (fix *analysis.SuggestedFix, why refusal) {
	t := m.twoStep(f, m.source(f.Pos))
	if t == nil {
		return nil, "the two steps are not two plain statements of one function, on one map and key, without another use of the map in between"
	}
	switch name := method(t.body.info, t.act); {
	case name == "Store" && t.orStored:
		fix = t.swap()
		why = "nothing asserts that the value that was found can be compared, or what follows the look may not run again"
	case name == "Store":
		fix = firstOf(t.store, t.swap, t.claim, t.storeInFlight)
		why = "the value that loses is in use already, must be ended, or more follows than the return"
	case name == "Delete" && !t.orStored:
		fix = firstOf(t.remove, t.unchanged)
		why = "something happens between the look and the deletion"
	}
	return fix, why
}

// firstOf returns the first fix that there is.
func firstOf(shapes ...func() *analysis.SuggestedFix) *analysis.SuggestedFix {
	for _, shape := range shapes {
		if fix := shape(); fix != nil {
			return fix
		}
	}
	return nil
}

// arguments are the numbers of arguments of the methods that shapes know.
var arguments = map[string]int{"Load": 1, "LoadOrStore": 2, "Store": 2, "Delete": 1}

// method returns which of these methods of a sync.Map, or of a map that is like it, a call calls, "" if none,
// or if the arguments are not written one by one.
func method(info *types.Info, call *ast.CallExpr) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || arguments[sel.Sel.Name] != len(call.Args) {
		return ""
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return ""
	}
	fn, ok := s.Obj().(*types.Func)
	if !ok || !ofSyncMap(fn) && !model.LikeSyncMap(fn, "Load") {
		return ""
	}
	return fn.Name()
}

func ofSyncMap(fn *types.Func) bool { return fn.FullName() == "(*sync.Map)."+fn.Name() }

// typed reports whether the map is not a sync.Map itself, but one like it, with types of its own.
func (t *twoStep) typed() bool { return !ofSyncMap(t.calls()) }

// calls returns the method that the act calls.
func (t *twoStep) calls() *types.Func {
	return t.body.info.Selections[ast.Unparen(t.act.Fun).(*ast.SelectorExpr)].Obj().(*types.Func)
}

// has reports whether the map has a method of sync.Map, in the file's version of Go.
func (t *twoStep) has(name string) bool {
	if t.typed() {
		return model.LikeSyncMap(t.calls(), name)
	}
	return model.Since(t.m.goVersion(t.src.file), "sync.Map."+name)
}

// twoStep finds the two steps of a finding in the source; nil if they have not
// the common shape.
func (m *Maker) twoStep(f check.Finding, src *source) *twoStep {
	path := src.enclosing(f.Pos)
	if len(path) < 2 {
		return nil
	}
	t := &twoStep{m: m, src: src}
	var ok bool
	if t.act, ok = path[0].(*ast.CallExpr); !ok {
		return nil
	}
	if name := method(m.pass.TypesInfo, t.act); name == "" || name == "LoadOrStore" {
		return nil
	}
	if t.stmt, ok = path[1].(*ast.ExprStmt); !ok {
		return nil
	}
	if t.body = t.bodyAround(path); t.body == nil {
		return nil
	}
	if !t.findLoad() && !t.findLoadOrStore() && !t.loadOutside(path) || !t.sameEntry(f) {
		return nil
	}
	t.around = t.body.parents(t.stmt)
	return t
}

// bodyAround returns the body of the innermost function of a path; nil if it is in none.
func (t *twoStep) bodyAround(path []ast.Node) *body {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return &body{info: t.m.pass.TypesInfo, typ: n.Type, block: n.Body}
		case *ast.FuncLit:
			return &body{info: t.m.pass.TypesInfo, typ: n.Type, block: n.Body}
		}
	}
	return nil
}

func receiver(call *ast.CallExpr) ast.Expr {
	return ast.Unparen(call.Fun).(*ast.SelectorExpr).X
}

// findLoad finds the last use of the map before the act: a Load whose outcome is defined
// here and never changes. What uses the map before or afterwards finds it as it was, or would be.
func (t *twoStep) findLoad() bool {
	if !t.lastUse("Load") || t.define.Tok != token.DEFINE {
		return false
	}
	value, ok := t.define.Lhs[0].(*ast.Ident), t.define.Lhs[1].(*ast.Ident)
	t.ok = t.body.info.Defs[ok]
	if value.Name != "_" {
		if t.value = t.body.info.Defs[value]; t.value == nil {
			return false // it was there before, and holds other things too
		}
	}
	// Only what this statement defines is known to be the Load's outcome.
	return t.ok != nil && ok.Name != "_" && !t.body.changes(func(o types.Object) bool { return o == t.ok }, t.define.End(), t.act.Pos())
}

// lastUse finds the last use of the map before the act, if that is an assignment of both results of a method.
func (t *twoStep) lastUse(name string) bool {
	var uses []token.Pos
	t.load, t.define = nil, nil
	ast.Inspect(t.body.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != 2 || len(n.Rhs) != 1 {
				return true
			}
			call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			if ok && call.Pos() < t.act.Pos() && method(t.body.info, call) == name && t.body.same(receiver(call), receiver(t.act)) {
				t.load, t.define = call, n
			}
		case ast.Expr:
			if t.besideMap(n) {
				return false
			}
			if t.body.same(n, receiver(t.act)) {
				uses = append(uses, n.Pos())
				return false
			}
		}
		return true
	})
	if t.load == nil {
		return false
	}
	between := slices.DeleteFunc(uses, func(p token.Pos) bool { return p < t.load.Pos() || p >= t.act.End() })
	return len(between) == 2
}

// besideMap reports whether an expression names another part of the object in which the
// map is embedded.
func (t *twoStep) besideMap(x ast.Expr) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	act, other := t.body.info.Selections[ast.Unparen(t.act.Fun).(*ast.SelectorExpr)], t.body.info.Selections[sel]
	return len(act.Index()) > 1 && other != nil && t.body.same(sel.X, receiver(t.act)) && other.Index()[0] != act.Index()[0]
}

// sameEntry reports whether both calls concern the same entry of the same map,
// and nothing that is called in between touches the map.
func (t *twoStep) sameEntry(f check.Finding) bool {
	b := t.body
	key, m := t.act.Args[0], receiver(t.act)
	from, to := t.load.Pos(), t.act.End()
	if !b.same(t.load.Args[0], key) && !t.sameElement(t.load.Args[0], key) || b.changes(b.variables(key), from, to) || b.changes(b.variables(m), from, to) {
		return false
	}
	for i := range f.Func.Accesses {
		a := &f.Func.Accesses[i]
		between := from <= a.Pos && a.Pos < to
		step := a.Pos == t.load.Lparen || a.Pos == t.act.Lparen || t.own != nil && a.Inner == t.act.Lparen
		if a.Path.Location() == f.Loc && between && !step {
			return false
		}
	}
	return !b.selects(key) || !b.calls(b.block, t.load.End(), t.act.Pos())
}

// sameElement reports whether two keys are the same element of a slice or an array, and nothing is called
// or assigned between the two steps.
func (t *twoStep) sameElement(x, y ast.Expr) bool {
	a, ok := ast.Unparen(x).(*ast.IndexExpr)
	b, too := ast.Unparen(y).(*ast.IndexExpr)
	if !ok || !too || !t.body.same(a.X, b.X) || !t.body.same(a.Index, b.Index) {
		return false
	}
	switch t.body.info.TypeOf(a.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Pointer:
	default:
		return false
	}
	still := true
	ast.Inspect(t.body.block, func(n ast.Node) bool {
		if n == nil || n.Pos() < t.load.End() || t.act.Pos() <= n.Pos() {
			return true
		}
		switch n.(type) {
		case *ast.CallExpr, *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
			still = false
		}
		return still
	})
	return still
}

// isOk and notOk tell the two ways to ask for the outcome.
func (t *twoStep) isOk(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && t.ok != nil && t.body.info.Uses[id] == t.ok
}

func (t *twoStep) notOk(e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.NOT && t.isOk(u.X)
}

// whenAbsent reports whether the act runs only where the Load found nothing,
// and once for each Load: it stands under !ok, or after "if ok { return }".
func (t *twoStep) whenAbsent() bool {
	child, absent := ast.Node(t.stmt), false
	for _, n := range t.around {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() > t.define.Pos() || t.define.End() > n.End() {
				return false // runs again without a new Load
			}
		case *ast.IfStmt:
			absent = absent || child == n.Body && t.notOk(n.Cond) || child == n.Else && t.isOk(n.Cond)
		}
		for _, s := range statements(n) {
			if s == child {
				break
			}
			if i, ok := s.(*ast.IfStmt); ok && t.isOk(i.Cond) && i.Else == nil && t.body.leaves(i.Body) {
				absent = true
			}
		}
		child = n
	}
	return absent && !t.body.jumps()
}

// jumps reports whether the body has a goto.
func (b *body) jumps() bool { return len(b.gotos()) > 0 }

// gotos returns the labels to which a goto of the body comes.
func (b *body) gotos() map[string]bool {
	out := make(map[string]bool)
	ast.Inspect(b.block, func(n ast.Node) bool {
		if br, ok := n.(*ast.BranchStmt); ok && br.Tok == token.GOTO {
			out[br.Label.Name] = true
		}
		return true
	})
	return out
}

// siblings returns the list in which the act stands, and its place there.
func (t *twoStep) siblings() ([]ast.Stmt, int) {
	if len(t.around) == 0 {
		return nil, 0
	}
	list := statements(t.around[0])
	for i, s := range list {
		if s == t.stmt {
			return list, i
		}
	}
	return nil, 0
}

// indent returns the space before the first word of a line.
func (s *source) indent(pos token.Pos) string {
	start := s.tok.Offset(s.tok.LineStart(s.line(pos)))
	end := start
	for end < len(s.text) && (s.text[end] == '\t' || s.text[end] == ' ') {
		end++
	}
	return string(s.text[start:end])
}

// lead returns what begins a line of its own at a place, and the space before its words: nothing where one
// begins there, as it does not in a struct that is written on one line.
func (s *source) lead(at token.Pos) (begin, indent string) {
	indent = s.indent(at)
	if start := s.tok.LineStart(s.line(at)); strings.TrimSpace(s.between(start, at)) != "" {
		indent += "\t"
		begin = "\n" + indent
	}
	return begin, indent
}

// rename edits the name of the method that a call calls.
func rename(call *ast.CallExpr, name string) analysis.TextEdit {
	return replace(ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel, name)
}

// fresh returns the first of some names that means nothing at a place.
func (t *twoStep) fresh(names ...string) string {
	scope := t.m.pass.Pkg.Scope().Innermost(t.stmt.Pos())
	for _, name := range names {
		if scope == nil {
			return ""
		}
		if _, obj := scope.LookupParent(name, token.NoPos); obj == nil {
			return name
		}
	}
	return ""
}
