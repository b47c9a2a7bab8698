package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

// clustered takes the lock for places of which some depend on others: those that do
// get one section, each of the rest one of its own.
//
// Where a section cannot cover all that hangs together since a branch would run for
// too long, it covers the head of the if statement and the branches that use the map
// (see branched).
func (s *scene) clustered(points []point, within func(region) bool) ([]analysis.TextEdit, refusal) {
	var edits []analysis.TextEdit
	var all []region
	var single []point
	for _, c := range s.clusters(points) {
		if len(c) == 1 {
			single = append(single, c...)
			continue
		}
		r, ok := s.common(positions(c))
		if !ok || within(r) || !s.inScope(r.pos()) {
			return nil, "another section of the lock is in between"
		}
		es, refused := s.oneSection(r, c)
		if es == nil {
			return nil, refused
		}
		edits, all = append(edits, es...), append(all, r)
	}
	covered := func(p point) bool {
		return slices.ContainsFunc(all, func(r region) bool { return r.has(p.pos) })
	}
	for i, r := range all {
		meets := func(o region) bool { return o.has(r.pos()) || r.has(o.pos()) }
		if slices.ContainsFunc(all[i+1:], meets) {
			return nil, "two sections would meet"
		}
	}
	if len(all) == 0 || slices.ContainsFunc(single, covered) {
		return nil, "no section covers the accesses"
	}
	if len(single) == 0 {
		return edits, ""
	}
	es, refused := s.apart(single, func(r region) bool {
		return within(r) || slices.ContainsFunc(all, func(o region) bool { return r.has(o.pos()) })
	})
	if es == nil {
		return nil, refused
	}
	return append(edits, es...), ""
}

// oneSection takes the lock over a region, or over the branches of an if statement
// that use the map.
func (s *scene) oneSection(r region, points []point) ([]analysis.TextEdit, refusal) {
	if refused := s.holdable(r.pos(), r.end(), nil); refused != "" {
		es, _ := s.branched(r, points)
		return es, refused
	}
	return s.sectionAround(r, writes(points), positions(points))
}

// clusters parts places into those that depend on each other, in the order of the
// first of each.
func (s *scene) clusters(points []point) [][]point {
	of := make([]int, len(points))
	for i := range of {
		of[i] = i
	}
	find := func(pos token.Pos) int { return slices.IndexFunc(points, func(p point) bool { return p.pos == pos }) }
	join := func(x, y int) {
		from, to := max(of[x], of[y]), min(of[x], of[y])
		for i := range of {
			if of[i] == from {
				of[i] = to
			}
		}
	}
	for _, p := range s.f.Pairs {
		c, a := &s.f.Accesses[p.Check], &s.f.Accesses[p.Act]
		x, y := find(c.Pos), find(a.Pos)
		if x >= 0 && y >= 0 && s.guards(c.Path.Location()) && s.guards(a.Path.Location()) {
			join(x, y)
		}
	}
	var out [][]point
	for i := range points {
		var c []point
		for j := range points {
			if of[j] == i {
				c = append(c, points[j])
			}
		}
		if len(c) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// branched takes the lock over the head of an if statement and the branches that use
// the map, and releases it where one begins that does not.
//
// It is safe. On each way through the statement the lock is taken once, in front of
// it, and released once: at the start of a branch, at its end, or before it is left.
// What is done behind an early release is to delete the entry that the head found.
// That is deleted only if it is still the one: if no other goroutine has stored
// meanwhile, that is what the function did before.
func (s *scene) branched(r region, points []point) ([]analysis.TextEdit, refusal) {
	const unfit = "the branches cannot be covered apart"
	st, ok := r.first().(*ast.IfStmt)
	if !ok || r.to > r.from {
		return nil, unfit
	}
	branches := []*ast.BlockStmt{st.Body}
	if other, ok := st.Else.(*ast.BlockStmt); ok {
		branches = append(branches, other)
	}
	ends := len(st.Body.List) > 0 && terminates(st.Body.List[len(st.Body.List)-1])
	if st.Else == nil && !ends || st.Else != nil && len(branches) == 1 {
		return nil, unfit
	}
	if refused := s.holdable(st.Pos(), st.Body.Pos(), nil); refused != "" {
		return nil, refused
	}
	w := writes(points)
	take, release := s.opens(st.Pos(), st.Body.Pos(), w)
	indent := s.src.indent(st.Pos())
	edits := []analysis.TextEdit{insert(st.Pos(), take+"\n"+indent)}
	for _, b := range branches {
		es, refused := s.branch(st, b, points)
		if es == nil {
			return nil, refused
		}
		edits = append(edits, es...)
	}
	if st.Else == nil {
		edits = append(edits, insert(s.src.after(st), "\n"+indent+release))
	}
	return edits, ""
}

// branch ends the section in one branch of an if statement.
func (s *scene) branch(st *ast.IfStmt, b *ast.BlockStmt, points []point) ([]analysis.TextEdit, refusal) {
	_, release := s.verbs(writes(points))
	indent := s.src.indent(st.Pos()) + "\t"
	early := []analysis.TextEdit{insert(s.src.opened(b), "\n"+indent+release)}
	var inner []point
	for _, p := range points {
		if within(b, p.pos) {
			inner = append(inner, p)
		}
	}
	if len(inner) == 0 {
		return early, ""
	}
	brief := s.holdable(b.Pos(), b.End(), nil)
	if brief == "" && len(b.List) > 0 {
		last := b.List[len(b.List)-1]
		out, ok := exits(b.List)
		if !ok {
			return nil, "a jump leaves the section"
		}
		var edits []analysis.TextEdit
		for _, e := range out {
			if slices.ContainsFunc(inner, func(p point) bool { return within(e, p.pos) }) || !s.simple(e) {
				return nil, "a return in the section computes what it returns"
			}
			edits = append(edits, insert(e.Pos(), release+"\n"+s.src.indent(e.Pos())))
		}
		if !terminates(last) {
			edits = append(edits, insert(s.src.after(last), "\n"+indent+release))
		}
		s.opens(b.Pos(), b.End(), writes(points))
		return edits, ""
	}
	for _, p := range inner {
		es := s.deletesFound(st, b, p)
		if es == nil {
			return nil, brief
		}
		early = append(early, es...)
	}
	return early, ""
}

// deletesFound deletes an entry only if it is still the one that the head of an if
// statement found; nil if the place is no such deletion.
func (s *scene) deletesFound(st *ast.IfStmt, b *ast.BlockStmt, p point) []analysis.TextEdit {
	ls := s.levels(p.pos)
	stmt, ok := ls[len(ls)-1].stmt().(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok || !s.body.builtin(call, "delete") {
		return nil
	}
	found, index := s.found(st, b)
	if found == nil || !s.body.same(index.X, call.Args[0]) || !s.body.same(index.Index, call.Args[1]) || !strict(found.Type()) {
		return nil
	}
	named := s.body.variables(index)
	changed := s.body.changes(func(o types.Object) bool { return o == found || named(o) }, st.Body.Pos(), stmt.Pos())
	if changed || s.stores(p.pos, b.Pos(), stmt.Pos()) || !s.inScope(stmt.Pos()) || !s.visible(found, stmt.Pos()) {
		return nil
	}
	take, release := s.opens(stmt.Pos(), stmt.End(), true)
	indent := s.src.indent(stmt.Pos())
	text := take + "\n" + indent + "if " + s.src.of(index) + " == " + found.Name() + " {\n" + indent + "\t" + s.src.of(stmt) + "\n" + indent + "}\n" + indent + release
	return []analysis.TextEdit{replace(stmt, text)}
}

// found returns the variable with the entry that the head of an if statement looked
// up, and the lookup, in the branch in which there is one.
func (s *scene) found(st *ast.IfStmt, b *ast.BlockStmt) (*types.Var, *ast.IndexExpr) {
	a, ok := st.Init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 2 || len(a.Rhs) != 1 {
		return nil, nil
	}
	index, ok := ast.Unparen(a.Rhs[0]).(*ast.IndexExpr)
	value, isValue := a.Lhs[0].(*ast.Ident)
	present, isPresent := a.Lhs[1].(*ast.Ident)
	if !ok || !isValue || !isPresent || !isMap(s.body.info.TypeOf(index.X)) {
		return nil, nil
	}
	cond, in := ast.Unparen(st.Cond), st.Body
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		in, _ = st.Else.(*ast.BlockStmt)
		cond = ast.Unparen(not.X)
	}
	id, ok := cond.(*ast.Ident)
	if !ok || in != b || s.body.info.Uses[id] != s.body.info.Defs[present] {
		return nil, nil
	}
	v, _ := s.body.info.Defs[value].(*types.Var)
	return v, index
}

// stores reports whether the function changes a map of the lock in a stretch, by
// itself or by what it calls, but for one place.
func (s *scene) stores(but, from, to token.Pos) bool {
	return slices.ContainsFunc(s.f.Accesses, func(a access.Access) bool {
		return a.Pos != but && from <= a.Pos && a.Pos < to && a.Op.Writes() && s.guards(a.Path.Location())
	})
}

// visible reports whether the name of a variable means it at a place.
func (s *scene) visible(v *types.Var, at token.Pos) bool {
	scope := s.m.pass.Pkg.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, here := scope.LookupParent(v.Name(), at)
	return here == types.Object(v)
}

// opened returns where a block begins, behind a comment on the line of its brace.
func (s *source) opened(b *ast.BlockStmt) token.Pos {
	for _, g := range s.file.Comments {
		first := len(b.List) == 0 || g.End() <= b.List[0].Pos()
		inside := b.Lbrace < g.Pos() && g.End() <= b.Rbrace
		if first && inside && s.line(g.Pos()) == s.line(b.Lbrace) && s.line(g.End()) == s.line(b.Lbrace) {
			return g.End()
		}
	}
	return b.Lbrace + 1
}
