package fix

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A point is a place that the lock must cover.
type point struct {
	pos    token.Pos
	writes bool
}

func positions(points []point) []token.Pos {
	var out []token.Pos
	for _, p := range points {
		out = append(out, p.pos)
	}
	return out
}

func writes(points []point) bool {
	return slices.ContainsFunc(points, func(p point) bool { return p.writes })
}

// takeGuard fixes accesses of one function that lack the map's guard: it is
// taken around them.
//
// It is safe. Nothing that held the lock before holds it for less. The function
// can take it here (see enterable), and what runs until it is released ends by
// itself (see holdable). The section is, in this order: from the first access to
// the end of the function, if all of that is brief; else each access by itself,
// if none depends on another one; else the smallest run of statements with all
// of them. Nothing is moved but an expression that is evaluated in any case, in
// front of its statement, where nothing that is evaluated before it has an
// effect.
func (m *Maker) takeGuard(f check.Finding) (*analysis.SuggestedFix, refusal) {
	return m.takeIfApart(f, func(*witness.Verdict) bool { return false })
}

// takeIfApart takes the guard around the accesses of one function that lack it, where each pair of look and
// act that is reported is one of which the steps may be made in two sections.
func (m *Maker) takeIfApart(f check.Finding, apart func(*witness.Verdict) bool) (*analysis.SuggestedFix, refusal) {
	lock := m.lockOf(f)
	if lock == nil {
		return nil, "nothing tells which lock protects the map"
	}
	if !m.seen(lock) {
		return nil, refusal(lock.Name() + " cannot be named here")
	}
	s := m.scene(f.Func, lock)
	if s == nil {
		return nil, unread(f.Func)
	}
	s.vars = []*types.Var{f.Loc.Var}
	for _, v := range m.in.Pairs() {
		if v.Func == f.Func && v.Act.Path.Location() == f.Loc && v.Confidence >= sharing.Medium && !apart(v) {
			return nil, refusal(fmt.Sprintf("look and act (line %d) are to be one step first", m.in.Line(v.Act.Pos)))
		}
	}
	points, refused := s.missing(f)
	if refused != "" {
		return nil, refused
	}
	edits, refused := s.cover(points, s.fetched || s.bound(points))
	if edits == nil {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: "hold " + s.text, TextEdits: edits}, ""
}

// seen reports whether the package can name a lock.
func (m *Maker) seen(lock *types.Var) bool {
	return lock.Exported() || lock.Pkg() == m.pass.Pkg
}

// missing returns where the function lacks the lock.
func (s *scene) missing(f check.Finding) ([]point, refusal) {
	var out []point
	v := f.Loc.Var
	for _, a := range s.lacking() {
		if s.path(a.Pos) == nil {
			return nil, "an access stands in another function literal"
		}
		if s.perhaps(a) {
			return nil, refusal(s.lock.Name() + " is held on some paths only")
		}
		out = append(out, point{a.Pos, a.Op.Writes()})
		if at, ok := s.fetches(a); ok {
			s.fetched, out = true, append(out, point{pos: at})
		}
		if r := s.name(a.Path.Location().Var, []token.Pos{a.Pos}); r != "" {
			return nil, r
		}
	}
	if call, ok := f.Of.(*witness.CallVerdict); ok && !slices.Contains(positions(out), call.Blame.Pos) {
		if r := s.ofCall(call.Blame); r != "" {
			return nil, r
		}
		out = append(out, point{call.Blame.Pos, call.Act.Op.Writes() || s.writesUnder(call.Blame)})
	}
	if len(out) == 0 {
		if s.path(f.Pos) == nil {
			return nil, "the access stands in another function"
		}
		if r := s.name(v, []token.Pos{f.Pos}); r != "" {
			return nil, r
		}
		acc, ok := f.Of.(*witness.AccessVerdict)
		if !ok {
			return nil, "it is a callee that lacks the lock"
		}
		out = append(out, point{f.Pos, acc.Site.Acc.Op.Writes()})
	}
	if s.heldAt(s.lock, positions(out)) {
		return nil, refusal("the " + s.lock.Name() + " of another object is held here: two goroutines could each hold one and wait for the other")
	}
	return out, s.enterable(positions(out))
}

// writesUnder reports whether the callee of a call changes anything that the
// lock guards.
func (s *scene) writesUnder(b *infer.Blame) bool {
	return slices.ContainsFunc(b.Callee.Accesses, func(a access.Access) bool {
		g := s.m.in.Guards.Of(a.Path.Location())
		return a.Op.Writes() && g != nil && g.Lock == s.lock
	}) || slices.ContainsFunc(b.Locks, func(h locks.Held) bool { return h.Mode == locks.Write })
}

// ofCall finds the words for the lock that a call lacks: that of the object on
// which the method is called, or of the argument whose lock the callee needs.
func (s *scene) ofCall(b *infer.Blame) refusal {
	text, base := "", ast.Expr(nil)
	for _, n := range s.path(b.Pos) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if !s.lock.IsField() {
			text = s.packageLevel(b.Pos)
		} else if x := s.bearer(call, b); x != nil {
			text, base = s.in(x), x
		}
		break
	}
	switch {
	case text == "":
		return "the source has no plain name for the lock at the call"
	case s.text != "" && s.text != text:
		return refusal("two objects take part, each with a " + s.lock.Name() + " of its own")
	}
	s.text, s.base = text, base
	s.read = hasMethod(s.lock.Type(), s.m.pass.Pkg, "RLock") && hasMethod(s.lock.Type(), s.m.pass.Pkg, "RUnlock")
	return ""
}

// bound reports whether what the function does at one of the places depends on
// what it found at another one: then one section must cover both. What depends on
// a step that is made under the lock already is a matter of other findings.
func (s *scene) bound(points []point) bool {
	at := func(a *access.Access) bool {
		return slices.ContainsFunc(points, func(p point) bool { return p.pos == a.Pos })
	}
	if !slices.ContainsFunc(points, func(p point) bool { return p.pos != points[0].pos }) {
		return false // one call, which is covered as a whole
	}
	if s.countsAndWalks(at) {
		return true
	}
	for _, p := range s.f.Pairs {
		c, a := &s.f.Accesses[p.Check], &s.f.Accesses[p.Act]
		if !at(c) || !at(a) || c.Pos == a.Pos || s.oneStatement(c.Pos, a.Pos) || s.oneWalk(c.Pos, a.Pos) {
			continue
		}
		if s.guards(c.Path.Location()) && s.guards(a.Path.Location()) {
			return true
		}
	}
	return false
}

// oneStatement reports whether two places stand in one plain statement: it gets one
// section in any case.
func (s *scene) oneStatement(x, y token.Pos) bool {
	ls := s.levels(x)
	if len(ls) == 0 {
		return false
	}
	st := ls[len(ls)-1].stmt()
	switch st.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt:
		return within(st, y)
	}
	return false
}

// cover takes the lock around places, in one section if they are bound.
func (s *scene) cover(points []point, bound bool) ([]analysis.TextEdit, refusal) {
	all := positions(points)
	s.reads = s.read && !writes(points)
	r, ok := s.common(all)
	if !ok {
		return nil, "the accesses stand in different functions"
	}
	ops, ok := s.operations()
	if !ok {
		return nil, refusal("the function takes or releases " + s.lock.Name() + " in a way that is not plain")
	}
	within := func(r region) bool {
		return slices.ContainsFunc(ops, func(o *operation) bool { return r.has(o.step.Pos) })
	}
	if s.jumpedTo(points) {
		return nil, "a jump comes to the statement"
	}
	if s.waitsFor(points) {
		return nil, "the access stands in the condition of a loop, which may wait for a change"
	}
	_, loop := s.loop(r)
	loop = loop || s.body.jumps() // back, perhaps
	if end, ok := s.toEnd(r); ok && !loop && !within(end) && s.inScope(end.pos()) {
		if s.holdable(end.pos(), end.end(), nil) == "" && s.deferrable() {
			return s.sectionToEnd(end, writes(points)), ""
		}
	}
	why := refusal("")
	before := len(s.m.opened)
	if !bound {
		edits, refused := s.apart(points, within)
		if edits != nil {
			return edits, ""
		}
		why = refused
	}
	s.m.opened = s.m.opened[:before]
	if within(r) || !s.inScope(r.pos()) {
		return nil, first(why, refusal("another section of "+s.lock.Name()+" begins or ends in between"))
	}
	if refused := s.holdable(r.pos(), r.end(), nil); refused != "" {
		if bound && !s.countsAndWalks(func(a *access.Access) bool { return slices.Contains(all, a.Pos) }) {
			if edits, _ := s.clustered(points, within); edits != nil {
				return edits, ""
			}
			s.m.opened = s.m.opened[:before]
		}
		if edits := s.oneTaken(points); edits != nil {
			return edits, ""
		}
		s.m.opened = s.m.opened[:before]
		if edits := s.oneCopy(r, points); edits != nil {
			return edits, ""
		}
		return nil, refused
	}
	if edits := s.extended(r, points); edits != nil {
		return edits, ""
	}
	edits, refused := s.sectionAround(r, writes(points), all)
	return edits, first(refused, why)
}

func first(rs ...refusal) refusal {
	for _, r := range rs {
		if r != "" {
			return r
		}
	}
	return ""
}

// deferrable reports whether a release at the end is the last thing that the
// function does with the lock: nothing deferred takes it.
func (s *scene) deferrable() bool {
	return !slices.ContainsFunc(s.f.Locking, func(l summary.LockStep) bool { return l.Deferred && l.Acquire })
}

// loop returns the outermost loop around a region.
func (s *scene) loop(r region) (level, bool) {
	for _, l := range s.levels(r.pos()) {
		switch st := unlabeled(l.stmt()).(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if st.Pos() < r.pos() {
				return l, true
			}
		}
	}
	return level{}, false
}

// apart takes the lock at each place by itself.
func (s *scene) apart(points []point, within func(region) bool) ([]analysis.TextEdit, refusal) {
	groups, refused := s.groups(points, within)
	if refused != "" {
		return nil, refused
	}
	groups = s.merged(groups, within)
	if len(groups) == 1 && !within(groups[0].r) && s.inScope(groups[0].r.pos()) {
		if edits := s.extended(groups[0].r, groups[0].points); edits != nil {
			return edits, ""
		}
	}
	var edits []analysis.TextEdit
	var last *group
	for _, g := range groups {
		if within(g.r) && !s.inHead(g) || !s.inScope(g.r.pos()) {
			return nil, refusal("another section of " + s.lock.Name() + " is in between")
		}
		es, refused := s.statement(g.r, g.points)
		if es == nil {
			return nil, refused
		}
		if last != nil && &last.r.list[0] == &g.r.list[0] && g.r.from == last.r.to+1 {
			edits, es = s.joined(edits, es)
		}
		edits, last = append(edits, es...), g
	}
	return edits, ""
}

// inHead reports whether all places stand in the definition of an if statement, which moves
// in front of it: its section is over before the branches begin.
func (s *scene) inHead(g *group) bool {
	st, ok := g.r.first().(*ast.IfStmt)
	return ok && g.r.to == g.r.from && st.Init != nil && inside(st.Init, g.points)
}

// groups puts the places together that stand in one statement.
func (s *scene) groups(points []point, within func(region) bool) ([]*group, refusal) {
	var groups []*group
	for _, p := range points {
		ls := s.levels(p.pos)
		if len(ls) == 0 {
			return nil, "an access stands in another function literal"
		}
		l := s.widest(ls, within)
		r := region{list: l.list, from: l.at, to: l.at}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.r.has(r.pos()) || r.has(g.r.pos()) })
		if i < 0 {
			groups = append(groups, &group{r, []point{p}})
			continue
		}
		if groups[i].r.pos() > r.pos() {
			groups[i].r = r
		}
		groups[i].points = append(groups[i].points, p)
	}
	for _, g := range groups {
		head, rest := s.head(g)
		if len(head) == 0 || len(rest) == 0 {
			continue
		}
		rest = s.repeated(g.r.first().(*ast.IfStmt), head, rest)
		inner, refused := s.groups(rest, within)
		if refused != "" {
			return nil, refused
		}
		g.points, groups = head, append(groups, inner...)
	}
	return groups, ""
}

// head parts the places in the head of an if statement from those in its branches,
// where the lock cannot be held over all of it: none of them depends on another.
func (s *scene) head(g *group) (head, rest []point) {
	st, ok := g.r.first().(*ast.IfStmt)
	if !ok || g.r.to > g.r.from || s.holdable(st.Pos(), st.End(), nil) == "" {
		return nil, nil
	}
	for _, p := range g.points {
		if p.pos < st.Body.Pos() {
			head = append(head, p)
		} else {
			rest = append(rest, p)
		}
	}
	return head, rest
}

// repeated takes out of the places in the body of an if statement those that look up what
// its condition has looked up, before anything else is done: they are to use what that
// found, so that both speak of one entry.
func (s *scene) repeated(st *ast.IfStmt, head, rest []point) (others []point) {
	delete(s.repeats, st)
	look, ok := s.part(st.Cond, head).(*ast.IndexExpr)
	if !ok || st.Init != nil || writes(head) || len(st.Body.List) == 0 {
		return rest
	}
	next := st.Body.List[0]
	for _, p := range rest {
		x := s.lookedUp(p.pos, look)
		if x == nil || p.writes || x.Pos() < next.Pos() || next.End() <= x.Pos() || s.body.calls(next, next.Pos(), x.Pos()) {
			others = append(others, p)
			continue
		}
		if s.repeats == nil {
			s.repeats = make(map[ast.Stmt][]ast.Expr)
		}
		s.repeats[st] = append(s.repeats[st], x)
	}
	return others
}

// lookedUp returns the expression at a place that looks up the same as another one.
func (s *scene) lookedUp(pos token.Pos, look *ast.IndexExpr) ast.Expr {
	for _, n := range s.src.enclosing(pos) {
		x, ok := n.(*ast.IndexExpr)
		if ok && s.body.same(x.X, look.X) && s.body.same(x.Index, look.Index) {
			return x
		}
		if _, stmt := n.(ast.Stmt); stmt {
			return nil
		}
	}
	return nil
}

// A group is a run of statements that one section is to cover, with the places
// in it.
type group struct {
	r      region
	points []point
}

// merged makes one section of neighbours with at most one statement in between,
// if all of it is brief.
func (s *scene) merged(groups []*group, within func(region) bool) []*group {
	slices.SortFunc(groups, func(a, b *group) int { return cmp.Compare(a.r.pos(), b.r.pos()) })
	var out []*group
	for _, g := range groups {
		if len(out) > 0 {
			last := out[len(out)-1]
			both := region{list: last.r.list, from: last.r.from, to: g.r.to}
			near := &last.r.list[0] == &g.r.list[0] && g.r.from-last.r.to <= 2
			if near && !within(both) && s.inScope(both.pos()) && s.plainRun(both) {
				last.r, last.points = both, append(last.points, g.points...)
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// plainRun reports whether a region is simple statements that end by themselves.
func (s *scene) plainRun(r region) bool {
	for _, st := range r.stmts() {
		switch st.(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt:
		default:
			return false
		}
	}
	return s.holdable(r.pos(), r.end(), nil) == ""
}

// widest returns the statement around a place that is to be covered: the
// outermost loop that is brief as a whole, else the statement itself.
func (s *scene) widest(ls []level, within func(region) bool) level {
	for _, l := range ls {
		switch l.stmt().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			r := region{list: l.list, from: l.at, to: l.at}
			out, ok := exits(r.stmts())
			if ok && len(out) == 0 && !within(r) && s.inScope(r.pos()) && s.holdable(r.pos(), r.end(), nil) == "" {
				return l
			}
		}
	}
	return ls[len(ls)-1]
}
