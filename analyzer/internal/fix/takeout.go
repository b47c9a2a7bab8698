package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// takeOut fixes a walk that deletes each entry that it comes to, and whose body may wait:
// all entries are taken out of the map in one section, and a copy is walked.
//
// It is safe. Each round deletes its entry, and none leaves the walk, so the map was empty
// after it, but for what others put in meanwhile; that stays now, where it was lost or
// not by chance. The section copies and clears, and waits for nothing; the function can
// take the lock there (see enterable). The body runs without the lock, as before. It sees
// the entries that it saw, and does not name the map but to delete; what it calls, and
// code of others that this comes to, uses the map nowhere, so none of it can tell that an
// entry is gone a little earlier. Where it comes back to the walk itself, that finds
// nothing to end any more, and this one ends the rest.
func (m *Maker) takeOut(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || v.Check.Op != access.Range || v.Act.Op != access.Delete {
		return nil, ""
	}
	p, refused := m.pair(f)
	if refused != "" {
		return nil, refused
	}
	loop, gone := p.walkedEmpty()
	if loop == nil {
		return nil, "" // another kind of walk
	}
	r, ok := p.common([]token.Pos{p.look.Pos})
	if !ok || p.lookHeld || p.actHeld || !p.unlocked(r) || r.first() != ast.Stmt(loop) {
		return nil, "a step of the walk is made under the lock"
	}
	if refused := p.enterable(); refused != "" {
		return nil, refused
	}
	if refused := p.usedBeside(loop, gone); refused != "" {
		return nil, refused
	}
	edits := p.takenOut(r, loop, gone)
	if edits == nil {
		return nil, "the package maps is not to be had"
	}
	return &analysis.SuggestedFix{Message: "take the entries out under " + p.text, TextEdits: edits}, ""
}

// walkedEmpty returns the loop over the map whose every round deletes its entry, and the
// statement that does; nil if it is another one.
func (p *pair) walkedEmpty() (*ast.RangeStmt, ast.Stmt) {
	var loop *ast.RangeStmt
	for _, n := range p.path(p.look.Pos) {
		if st, ok := n.(*ast.RangeStmt); ok && loop == nil && p.look.Pos < st.Body.Pos() {
			loop = st
		}
	}
	if loop == nil || loop.Tok != token.DEFINE || !isMap(p.body.info.TypeOf(loop.X)) || !p.plain(loop.X) {
		return nil, nil
	}
	key, ok := loop.Key.(*ast.Ident)
	if !ok {
		return nil, nil
	}
	obj := p.body.info.Defs[key]
	if out, ok := exits(loop.Body.List); !ok || len(out) > 0 || obj == nil {
		return nil, nil
	}
	if p.body.changes(func(o types.Object) bool { return o == obj }, loop.Pos(), loop.End()) {
		return nil, nil
	}
	for _, st := range loop.Body.List {
		e, ok := st.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := e.X.(*ast.CallExpr)
		if !ok || !p.body.builtin(call, "delete") || !p.body.same(call.Args[0], loop.X) {
			continue
		}
		id, ok := ast.Unparen(call.Args[1]).(*ast.Ident)
		if ok && p.body.info.Uses[id] == obj {
			return loop, st
		}
	}
	return nil, nil
}

// usedBeside reports whether the function uses the map in another way, or what the body
// of the loop runs may use it.
func (p *pair) usedBeside(loop *ast.RangeStmt, gone ast.Stmt) refusal {
	loc := p.look.Path.Location()
	for i := range p.f.Accesses {
		a := &p.f.Accesses[i]
		inDelete := within(gone, a.Pos)
		if a.Path.Location() == loc && a.Pos != p.look.Pos && !inDelete && !p.holds(a) {
			return "the function uses the map in another way, too"
		}
	}
	runs := p.m.conduct.From(p.f, func(pos token.Pos) bool { return within(loop.Body, pos) })
	for _, g := range p.m.in.Pkg.Funcs {
		if g == p.f || !runs.Enters(g) {
			continue
		}
		for i := range g.Accesses {
			if g.Accesses[i].Path.Location() == loc {
				return refusal("what runs in the walk may come to " + g.Name + ", which uses the map")
			}
		}
	}
	return ""
}

// takenOut writes the section in front of the loop, and lets it walk the copy.
func (p *pair) takenOut(r region, loop *ast.RangeStmt, gone ast.Stmt) []analysis.TextEdit {
	clone, imports := p.m.library(p.scene, "maps", "Clone")
	name := p.fresh("entries", "taken")
	if clone == "" || name == "" || !p.clears() {
		return nil
	}
	without, ok := p.src.without(gone)
	if !ok {
		return nil
	}
	indent, x := p.src.indent(r.pos()), p.src.of(loop.X)
	take, release := p.opens(loop.X.Pos(), loop.X.End(), true)
	edits := append(imports, without, replace(loop.X, name),
		insert(r.pos(), take+"\n"+indent+name+" := "+clone+"("+x+")\n"+indent+"clear("+x+")\n"+indent+release+"\n"+indent))
	key := loop.Key.(*ast.Ident)
	if len(p.body.uses(p.body.info.Defs[key])) > 1 {
		return edits
	}
	if value, ok := loop.Value.(*ast.Ident); !ok || value.Name == "_" {
		return append(edits, remove(key.Pos(), loop.Range))
	}
	return append(edits, replace(key, "_"))
}

// clears reports whether clear is the builtin function here.
func (p *pair) clears() bool {
	scope := p.m.pass.Pkg.Scope().Innermost(p.look.Pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent("clear", p.look.Pos)
	return obj == types.Universe.Lookup("clear")
}
