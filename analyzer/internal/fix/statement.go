package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/conduct"
)

// statement takes the lock for one statement.
func (s *scene) statement(r region, points []point) ([]analysis.TextEdit, refusal) {
	st, w := r.first(), writes(points)
	if r.to > r.from {
		return s.sectionAround(r, w, positions(points))
	}
	brief := s.holdable(st.Pos(), st.End(), nil)
	switch st := st.(type) {
	case *ast.ReturnStmt:
		if brief == "" {
			return s.sectionToEnd(r, w), ""
		}
		return s.before(r, st, points, brief)
	case *ast.AssignStmt:
		if brief == "" {
			break
		}
		if edits := s.keyFirst(st, points); edits != nil {
			return edits, ""
		}
		if w {
			return s.afterValue(r, st, points, brief)
		}
		return s.before(r, st, points, brief)
	case *ast.ExprStmt, *ast.DeclStmt, *ast.IncDecStmt:
		if brief == "" {
			break
		}
		if edits := s.keyFirst(st, points); edits != nil {
			return edits, ""
		}
		return s.before(r, st, points, brief)
	case *ast.IfStmt:
		return s.header(r, st, points)
	case *ast.RangeStmt:
		if brief == "" {
			break
		}
		if inside(st.X, points) && s.walkedEntry(st.X) {
			return s.hoist(r, st.X, points) // what is walked is evaluated once, before the loop
		}
		return s.snapshot(r, st, points, brief)
	case *ast.SwitchStmt:
		if st.Init == nil && st.Tag != nil && inside(st.Tag, points) {
			return s.hoist(r, st.Tag, points)
		}
		return nil, "the access stands in the head of a switch"
	default:
		return nil, first(brief, "the access stands in a statement that cannot be taken apart")
	}
	if brief != "" {
		return nil, brief
	}
	return s.sectionAround(r, w, positions(points))
}

// inside reports whether all places stand in a node.
func inside(n ast.Node, points []point) bool {
	return n != nil && !slices.ContainsFunc(points, func(p point) bool { return p.pos < n.Pos() || n.End() <= p.pos })
}

// before evaluates the access before its statement, which is not brief.
func (s *scene) before(r region, st ast.Stmt, points []point, why refusal) ([]analysis.TextEdit, refusal) {
	var exprs []ast.Expr
	switch st := st.(type) {
	case *ast.ReturnStmt:
		exprs = st.Results
	case *ast.AssignStmt:
		exprs = st.Rhs
	case *ast.ExprStmt:
		exprs = []ast.Expr{st.X}
	}
	for i, e := range exprs {
		effect := func(e ast.Expr) bool { return s.body.calls(e, e.Pos(), e.End()) || s.receives(e, e.End()) }
		if inside(e, points) && !slices.ContainsFunc(exprs[:i], effect) {
			edits, refused := s.hoist(r, e, points)
			return edits, first(refused, why)
		}
	}
	return nil, why
}

// afterValue computes what is stored before the lock is taken.
func (s *scene) afterValue(r region, st *ast.AssignStmt, points []point, why refusal) ([]analysis.TextEdit, refusal) {
	if edits := s.afterAppended(st, points); edits != nil {
		return edits, ""
	}
	if edits := s.afterCall(st, points); edits != nil {
		return edits, ""
	}
	if len(st.Lhs) != 1 || len(st.Rhs) != 1 || st.Tok != token.ASSIGN || inside(st.Rhs[0], points) {
		return nil, why
	}
	if s.holdable(st.Lhs[0].Pos(), st.Lhs[0].End(), nil) != "" || s.body.calls(st.Lhs[0], st.Lhs[0].Pos(), st.Lhs[0].End()) {
		return nil, why
	}
	if slices.ContainsFunc(points, func(p point) bool { return within(st.Rhs[0], p.pos) }) {
		return nil, why
	}
	name := s.freshAt(r, "value", "made", "next")
	if name == "" || !s.body.storable(st.Rhs[0], st.Lhs[0]) {
		return nil, why
	}
	take, release := s.opens(st.Lhs[0].Pos(), st.Lhs[0].End(), true)
	indent := s.src.indent(st.Pos())
	return []analysis.TextEdit{
		insert(st.Pos(), name+" := "+s.src.of(st.Rhs[0])+"\n"+indent+take+"\n"+indent),
		replace(st.Rhs[0], name),
		insert(s.src.after(st), "\n"+indent+release),
	}, ""
}

// storable reports whether a variable that is defined by a value can be stored at a place. A value without a type takes that of the
// place, and that of the variable may be another one.
func (b *body) storable(value, place ast.Expr) bool {
	t := b.info.TypeOf(value)
	if b.untyped(value) && t != types.Typ[types.Bool] && t != types.Typ[types.Int] {
		return false
	}
	return types.AssignableTo(t, b.info.TypeOf(place))
}

// untyped reports whether a value that takes calls has no type of its own: a comparison has none, nor has a constant that is shifted.
func (b *body) untyped(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		case token.SHL, token.SHR:
			return b.untyped(e.X)
		}
		return b.untyped(e.X) && b.untyped(e.Y)
	case *ast.UnaryExpr:
		return b.untyped(e.X)
	case *ast.BasicLit:
		return true
	}
	return false
}

// header takes the lock for the head of an if statement: its definition, or the
// part of its condition that reads the map, moves in front of it.
func (s *scene) header(r region, st *ast.IfStmt, points []point) ([]analysis.TextEdit, refusal) {
	switch {
	case st.Init != nil && inside(st.Init, points):
		edits, refused := s.definition(r, st, points)
		if a, ok := st.Init.(*ast.AssignStmt); edits == nil && ok && !writes(points) {
			return s.before(r, a, points, refused) // a part of it alone
		}
		return edits, refused
	case st.Init == nil && inside(st.Cond, points):
		return s.hoist(r, st.Cond, points)
	}
	brief := s.holdable(st.Pos(), st.End(), nil)
	if brief != "" {
		return nil, brief
	}
	return s.sectionAround(r, writes(points), positions(points))
}

// definition moves the definition of an if statement in front of it.
func (s *scene) definition(r region, st *ast.IfStmt, points []point) ([]analysis.TextEdit, refusal) {
	a, ok := st.Init.(*ast.AssignStmt)
	if !ok || s.src.commented(st.Pos(), st.Cond.Pos()) {
		return nil, "the access stands in the head of an if statement that cannot be taken apart"
	}
	key := s.slowKey(a, st, points)
	if refused := s.holdable(a.Pos(), a.End(), inNode(key)); refused != "" {
		return nil, refused
	}
	indent := s.src.indent(st.Pos())
	ahead, word := s.ahead(key, indent)
	var edits []analysis.TextEdit
	text := s.src.with(a, key, word)
	if a.Tok == token.DEFINE {
		lhs, renamed, refused := s.renamed(st, a)
		if refused != "" {
			return nil, refused
		}
		text = lhs + " := " + text[a.Rhs[0].Pos()-a.Pos():]
		edits = renamed
	}
	take, release := s.opens(a.Pos(), a.End(), writes(points))
	head := ahead + take + "\n" + indent + text + "\n" + indent + s.then + release + "\n" + indent + "if "
	return append(edits, analysis.TextEdit{Pos: st.Pos(), End: st.Cond.Pos(), NewText: []byte(head)}), ""
}

// renamed returns the names that a definition gets in front of its statement,
// and the edits that rename their uses. A name that means something there, or
// later in the same block, or that this fix has brought there, gives way to another one.
func (s *scene) renamed(st *ast.IfStmt, a *ast.AssignStmt) (string, []analysis.TextEdit, refusal) {
	var edits []analysis.TextEdit
	lhs := ""
	for i, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return "", nil, "the access stands in the head of an if statement that cannot be taken apart"
		}
		name := id.Name
		obj := s.body.info.Defs[id]
		if name != "_" && (s.taken(id, st) || slices.Contains(s.given, name)) {
			if name = s.fresh(others[kind(obj)]...); name == "" {
				return "", nil, "no name is free for what is looked up"
			}
			for _, use := range s.body.uses(obj) {
				edits = append(edits, replace(use, name))
			}
		} else if name != "_" {
			s.given = append(s.given, name)
		}
		if i > 0 {
			lhs += ", "
		}
		lhs += name
	}
	return lhs, edits, ""
}

// taken reports whether the name of a variable means something else in the
// block around a statement.
func (s *scene) taken(id *ast.Ident, st *ast.IfStmt) bool {
	scope := s.body.info.Scopes[st]
	if scope == nil || scope.Parent() == nil {
		return true
	}
	_, obj := scope.Parent().LookupParent(id.Name, token.NoPos)
	return obj != nil && obj.Parent() != types.Universe
}

// others are names for what is moved in front of a statement, by what it is.
var others = map[string][]string{
	"bool":  {"ok", "found", "present", "known"},
	"int":   {"n", "count", "size"},
	"map":   {"snapshot", "copied", "entries"},
	"error": {"err", "failure"},
	"key":   {"key", "id", "name"},
	"":      {"current", "found", "entry", "existing", "value"},
}

func kind(obj types.Object) string {
	if obj == nil {
		return ""
	}
	return kindOf(obj.Type())
}

func kindOf(t types.Type) string {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "bool"
		case u.Kind() == types.Int || u.Kind() == types.UntypedInt:
			return "int"
		}
	case *types.Map:
		return "map"
	}
	return ""
}

// hoist evaluates the part of an expression that reads the map in front of its
// statement. It must be evaluated in any case, and before anything with an
// effect.
func (s *scene) hoist(r region, e ast.Expr, points []point) ([]analysis.TextEdit, refusal) {
	part := s.part(e, points)
	if part == nil {
		return nil, "the access is evaluated under a condition, or after a call"
	}
	key := s.slowKey(e, r.first(), points)
	if refused := s.holdable(part.Pos(), part.End(), inNode(key)); refused != "" {
		return nil, refused
	}
	t := s.body.info.TypeOf(part)
	if _, tuple := t.(*types.Tuple); tuple || t == nil {
		return nil, "the access gives several values"
	}
	name := s.fresh(others[kindOf(t)]...)
	if name == "" {
		return nil, "no name is free for what is looked up"
	}
	indent := s.src.indent(r.pos())
	ahead, word := s.ahead(key, indent)
	text := s.src.with(part, key, word)
	take, release := s.opens(part.Pos(), part.End(), writes(points))
	edits := []analysis.TextEdit{
		insert(r.pos(), ahead+take+"\n"+indent+name+" := "+text+"\n"+indent+release+"\n"+indent),
		replace(part, name),
	}
	for _, x := range s.repeats[r.first()] {
		edits = append(edits, replace(x, name))
	}
	return edits, ""
}

// part returns the smallest expression that has a value of its own and reads
// the map; nil if it is not certain that it is evaluated, and first.
func (s *scene) part(e ast.Expr, points []point) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.NOT && x.Op != token.SUB {
				return nil
			}
			e = x.X
		case *ast.BinaryExpr:
			switch {
			case inside(x.X, points):
				e = x.X
			case inside(x.Y, points) && x.Op != token.LAND && x.Op != token.LOR && !s.body.calls(x.X, x.X.Pos(), x.X.End()):
				e = x.Y
			default:
				if isNil(s.body.info, x.Y) {
					return x // the map is compared with nil
				}
				return nil
			}
			if isMap(s.body.info.TypeOf(e)) {
				return x
			}
		case *ast.CallExpr:
			if x.Ellipsis.IsValid() {
				return nil
			}
			if s.holdable(x.Pos(), x.End(), nil) == "" {
				return x
			}
			if entry := s.calledOn(x, points); entry != nil {
				if _, index := entry.(*ast.IndexExpr); index {
					return entry
				}
				e = entry
				continue
			}
			arg := s.argument(x, points)
			if arg == nil {
				return x
			}
			if _, index := ast.Unparen(arg).(*ast.IndexExpr); index {
				return arg
			}
			e = arg
		case *ast.SelectorExpr:
			if !inside(x.X, points) {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			return x
		default:
			return nil
		}
	}
}

// calledOn returns the entry of a map on which a method is called, or on a part of
// which, or the call on whose result it is: that has no address, so the method gets its
// value in any case, and nothing is evaluated before it.
func (s *scene) calledOn(call *ast.CallExpr, points []point) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.body.info.Selections[sel] == nil || !inside(sel.X, points) {
		return nil
	}
	x := ast.Unparen(sel.X)
	for {
		part, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		x = ast.Unparen(part.X)
	}
	if call, ok := x.(*ast.CallExpr); ok && inside(call, points) {
		return call
	}
	index, ok := x.(*ast.IndexExpr)
	if !ok || !inside(index, points) || !isMap(s.body.info.TypeOf(index.X)) {
		return nil
	}
	return index
}

// argument returns the argument of a call that has all places in it, if nothing with
// an effect is evaluated before it.
func (s *scene) argument(call *ast.CallExpr, points []point) ast.Expr {
	if s.body.calls(call.Fun, call.Fun.Pos(), call.Fun.End()) && s.runsCode(call.Fun) {
		return nil // what finds the function may change the map
	}
	for i, arg := range call.Args {
		before := slices.ContainsFunc(call.Args[:i], func(a ast.Expr) bool { return s.body.calls(a, a.Pos(), a.End()) })
		if inside(arg, points) && !before {
			return arg
		}
	}
	return nil
}

// runsCode reports whether an expression runs functions that may have an effect on a
// map of the package: others than those of libraries that end by themselves.
func (s *scene) runsCode(e ast.Expr) bool {
	does := s.m.conduct.Of(s.f, func(at conduct.Spot) bool { return within(e, at.Pos) }, nil)
	return does.Stay != nil || len(does.Runs) > 0
}

func isNil(info *types.Info, e ast.Expr) bool { return info.Types[e].IsNil() }

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// snapshot walks a copy of the map, made under the lock, where the loop's body
// is not brief. The body takes no entry out but the one at hand, so it sees what it saw; an entry that it puts in
// may be missed by a walk in any case. Where it begins by
// reading the entry that it has come to, it reads that in the copy: nothing has run since.
func (s *scene) snapshot(r region, st *ast.RangeStmt, points []point, why refusal) ([]analysis.TextEdit, refusal) {
	t, ok := s.body.info.TypeOf(st.X).Underlying().(*types.Map)
	read, all := s.readAtFirst(st, points)
	if !ok || !all || !s.plain(st.X) && !s.plainEntry(st.X) {
		return nil, why
	}
	if s.dropsOthers(st) {
		return nil, "the body of the loop takes out entries to which the loop has not come yet"
	}
	if _, inner := t.Elem().Underlying().(*types.Map); inner {
		return nil, "the map holds maps, which a copy shares"
	}
	name := s.fresh(others["map"]...)
	indent := s.src.indent(r.pos())
	copied, imports := s.copied(name, st.X, indent)
	if name == "" || copied == "" {
		return nil, why
	}
	take, release := s.opens(st.X.Pos(), st.X.End(), false)
	edits := append(imports,
		insert(r.pos(), take+"\n"+indent+copied+"\n"+indent+release+"\n"+indent),
		replace(st.X, name))
	if read != nil {
		edits = append(edits, replace(read.X, name))
	}
	return edits, ""
}
