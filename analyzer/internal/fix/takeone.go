package fix

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// takeOneOut fixes a look at an entry, and the deletion of what it found, where what is done with the entry in between
// may wait: the entry is deleted in the section of the look.
//
// It is safe for the reasons of takeOut. Who finds the entry deletes it in any case, so it was gone in the end, but for what
// others put in meanwhile; that stays now, where it was lost. Who finds none deletes nothing. The section looks and deletes, and waits for nothing. What
// runs between the two runs without the lock, as before; it uses the map nowhere, nor waits for a goroutine that may read it, so it cannot
// tell that the entry is gone a little earlier. Of two goroutines, one alone finds the entry, and ends it.
func (m *Maker) takeOneOut(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || v.Check.Op != access.Lookup || v.Act.Op != access.Delete {
		return nil, ""
	}
	p, refused := m.pair(f)
	if refused != "" || p.lookHeld || p.actHeld {
		return nil, ""
	}
	edits := p.oneTaken([]point{{p.look.Pos, false}, {p.act.Pos, true}})
	if edits == nil {
		return nil, ""
	}
	if refused := p.enterable(); refused != "" {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: "take the entry out under " + p.text, TextEdits: edits}, ""
}

// A taking is a look at an entry, and the deletion of that entry if it is there.
type taking struct {
	*scene
	r    region          // the statement of the look
	is   *ast.IfStmt     // which asks what the look has found
	def  *ast.AssignStmt // the look, in the head of that or in front of it
	gone *ast.ExprStmt   // the deletion
	// between is what is done with the entry before it is deleted.
	between []ast.Stmt
	loc     accesspath.Location
}

// oneTaken covers a look and a deletion in one section at the look (see takeOneOut); nil if they are not such a pair.
func (s *scene) oneTaken(points []point) []analysis.TextEdit {
	t := s.takingOf(points)
	if t == nil || !s.inScope(t.r.pos()) || s.body.jumps() || s.jumpedTo(points) {
		return nil
	}
	if out, ok := exits(t.between); !ok || len(out) > 0 || slices.ContainsFunc(t.between, s.panics) || !t.oneEntry() {
		return nil
	}
	if t.usedMeanwhile() || t.missedMeanwhile() {
		return nil
	}
	return t.edits()
}

// takingOf finds the shape of a look and a deletion; nil if it is another one.
func (s *scene) takingOf(points []point) *taking {
	if len(points) != 2 || points[0].writes || !points[1].writes {
		return nil
	}
	at, to := s.levels(points[0].pos), s.levels(points[1].pos)
	if len(at) == 0 || len(to) == 0 {
		return nil
	}
	l, end := at[len(at)-1], to[len(to)-1]
	t := &taking{scene: s, r: region{list: l.list, from: l.at, to: l.at}, loc: s.placeOf(points[0].pos)}
	var ok bool
	if t.gone, ok = end.stmt().(*ast.ExprStmt); !ok || !t.loc.Valid() || !t.asks(l) {
		return nil
	}
	switch found, absent := t.found(); {
	case found && &end.list[0] == &t.is.Body.List[0]:
		t.between = end.list[:end.at]
	case absent && terminates(t.is.Body) && &end.list[0] == &l.list[0]:
		t.between = end.list[slices.Index(end.list, ast.Stmt(t.is))+1 : end.at]
	default:
		return nil
	}
	return t
}

// placeOf returns the place of an access that the function makes itself.
func (s *scene) placeOf(pos token.Pos) (none accesspath.Location) {
	if a := s.ownAt(pos, func(*access.Access) bool { return true }); a != nil {
		return a.Path.Location()
	}
	return none
}

// asks finds the definition that looks, and the if statement that asks what it found: around it, or right behind.
func (t *taking) asks(l level) bool {
	switch st := l.stmt().(type) {
	case *ast.IfStmt:
		t.is = st
		t.def, _ = st.Init.(*ast.AssignStmt)
	case *ast.AssignStmt:
		if t.def = st; l.at+1 < len(l.list) {
			t.is, _ = l.list[l.at+1].(*ast.IfStmt)
		}
		if t.is == nil || t.is.Init != nil {
			return false
		}
	}
	if t.is == nil || t.def == nil || len(t.is.Body.List) == 0 {
		return false
	}
	return t.def.Tok == token.DEFINE && len(t.def.Lhs) == 2 && len(t.def.Rhs) == 1
}

// found reports whether the if statement asks for nothing but the entry's presence, or for nothing but its absence.
func (t *taking) found() (found, absent bool) {
	cond := ast.Unparen(t.is.Cond)
	not, negated := cond.(*ast.UnaryExpr)
	if negated {
		cond = ast.Unparen(not.X)
	}
	id, ok := cond.(*ast.Ident)
	present, named := t.def.Lhs[1].(*ast.Ident)
	if !ok || !named || t.body.info.Defs[present] == nil || t.body.info.Uses[id] != t.body.info.Defs[present] {
		return false, false
	}
	return !negated, negated && t.is.Else == nil
}

// oneEntry reports whether the deletion is of the entry at which the look is: the map and the key are the same words, and
// nothing can change what these mean in between.
func (t *taking) oneEntry() bool {
	index, ok := ast.Unparen(t.def.Rhs[0]).(*ast.IndexExpr)
	call, called := t.gone.X.(*ast.CallExpr)
	if !ok || !called || !t.body.builtin(call, "delete") || !t.body.same(call.Args[0], index.X) || !t.body.same(call.Args[1], index.Index) {
		return false
	}
	key := index.Index
	if !t.plain(index.X) || !t.leadsOn(index.X) || t.body.selects(key) || t.body.mentions(key, t.packageVar) {
		return false
	}
	return !t.body.changes(t.body.variables(key), t.def.Pos(), t.gone.End())
}

// usedMeanwhile reports whether the function uses the map in another way, too, or what it runs between the look and the
// deletion, or starts there, may use it.
func (t *taking) usedMeanwhile() bool {
	own := func(pos token.Pos) bool { return within(t.def, pos) || within(t.gone, pos) }
	uses := func(g *infer.Func) bool {
		return slices.ContainsFunc(g.Accesses, func(a access.Access) bool { return a.Path.Location() == t.loc && (g != t.f || !own(a.Pos)) })
	}
	runs := t.m.conduct.From(t.f, t.isBetween)
	return slices.ContainsFunc(t.m.in.Pkg.Funcs, func(g *infer.Func) bool {
		root := g.SSA.Syntax()
		there := g == t.f || runs.Enters(g) || root != nil && t.isBetween(root.Pos())
		return there && uses(g)
	})
}

// missedMeanwhile reports whether another goroutine may miss the entry for which what runs between the look and the deletion
// may wait: some other function reads the map.
func (t *taking) missedMeanwhile() bool {
	reads := func(a access.Access) bool { return a.Path.Location() == t.loc && a.Op.Uses() && !a.Op.Writes() }
	if !slices.ContainsFunc(t.m.in.Pkg.Funcs, func(g *infer.Func) bool { return g != t.f && slices.ContainsFunc(g.Accesses, reads) }) {
		return false
	}
	return t.waits(t.isBetween)
}

func (t *taking) isBetween(pos token.Pos) bool { return t.def.End() <= pos && pos < t.gone.Pos() }

// edits writes the section, and takes the deletion away from where it is.
func (t *taking) edits() []analysis.TextEdit {
	without, ok := t.src.without(t.gone)
	if !ok {
		return nil
	}
	points := []point{{t.def.Rhs[0].Pos(), true}}
	indent := t.src.indent(t.r.pos())
	call, from := t.withComment(indent)
	if from.IsValid() {
		without.Pos = from
	}
	if t.is.Init != nil {
		t.then = call + "\n" + indent
		edits, _ := t.definition(t.r, t.is, points)
		if t.then = ""; edits == nil {
			return nil
		}
		return append(edits, without)
	}
	take, release := t.opens(t.def.Pos(), t.def.End(), true)
	return []analysis.TextEdit{
		insert(t.def.Pos(), take+"\n"+indent),
		insert(t.src.after(t.def), "\n"+indent+call+"\n"+indent+release),
		without,
	}
}

// withComment returns the deletion with the comment that stands on the lines above it, and where that begins, if there is one.
func (t *taking) withComment(indent string) (text string, from token.Pos) {
	text = t.src.of(t.gone)
	for _, g := range t.src.file.Comments {
		line := t.src.wholeLine(g.Pos(), g.End())
		if t.src.line(g.End())+1 != t.src.line(t.gone.Pos()) || !line.IsValid() || g.Pos() < t.is.Pos() {
			continue
		}
		for i := len(g.List) - 1; i >= 0; i-- {
			text = t.src.of(g.List[i]) + "\n" + indent + text
		}
		return text, line
	}
	return text, token.NoPos
}
