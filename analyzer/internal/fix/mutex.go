package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// newMutex fixes maps that have no lock at all: a mutex beside them is held at
// every access of the package, as one fix for all maps of the struct. Where the struct has one
// lock in front of them, of which nothing says that it is for something else, it is that one.
//
// It is safe. The fields, or the variable, are not exported, or the package is a
// program, which others cannot import: all that touch them are in the package; what the package does before others know the object
// needs no lock. Nothing else takes the new mutex, so the one who waits for it
// waits for a section of it: each ends by itself (see holdable), none calls a
// function that has a section of its own, and a lock that is
// taken in one is never held where another one begins, nor is one that is taken under it. Each function is covered as takeGuard does it. The struct is not
// copied by value, and made by naming its fields, so that it may have a mutex. Of a lock that is there already it is also asked
// in each function what takeGuard asks of a guard (see enterable): whether it may be held.
func (m *Maker) newMutex(f check.Finding) (*analysis.SuggestedFix, refusal) {
	if !f.Loc.Valid() || m.lockOf(f) != nil {
		return nil, ""
	}
	v := f.Loc.Var
	if v.Pkg() != m.pass.Pkg {
		return nil, "the map belongs to another package"
	}
	if m.open(v) {
		return nil, refusal(v.Name() + " is exported: code elsewhere may use it without a lock")
	}
	home, refused := m.home(v)
	if refused != "" {
		return nil, refused
	}
	edits, refused := m.withMutex(home)
	if edits == nil && !v.IsField() && len(home.vars) > 1 {
		home.vars, m.opened = []*types.Var{v}, nil // one of the group by itself
		edits, refused = m.withMutex(home)
	}
	if edits == nil {
		return nil, refused
	}
	message := "add a mutex " + home.name
	if home.lock != nil {
		message = "hold " + home.name + " at every access"
	}
	return &analysis.SuggestedFix{Message: message, TextEdits: edits}, ""
}

// withMutex declares a mutex at its home, and takes it at every access.
func (m *Maker) withMutex(h *home) ([]analysis.TextEdit, refusal) {
	plan := &mutexPlan{m: m, home: h, lock: h.lock}
	if plan.lock == nil {
		plan.lock = m.newLock(h.name, h.vars...)
	}
	if refused := plan.scenes(); refused != "" {
		return nil, refused
	}
	return plan.edits()
}

// open reports whether code that is not seen here may come to a map: it can name it, and the package is not one of an
// application of which no other package does.
func (m *Maker) open(v *types.Var) bool {
	if !m.elsewhere(v) {
		return false
	}
	module := m.in.Pkg.Module
	users, known := m.in.Guards.Users(v, m.pass.Pkg)
	return module == nil || !known || len(users) > 0 || !module.Own(m.pass.Pkg.Path()) || module.Mentioned(m.pass.Pkg.Path(), v.Name())
}

// elsewhere reports whether code that is not seen here can name a map: it is
// exported, and its package is one that others can import.
func (m *Maker) elsewhere(v *types.Var) bool {
	return v.Exported() && m.pass.Pkg.Name() != "main"
}

// A mutexPlan is the new mutex with the functions that are to hold it.
type mutexPlan struct {
	m      *Maker
	home   *home
	lock   *types.Var
	list   []*scene
	takers map[*infer.Func]bool
	// given are the reads of what a function of the plan gives back, which will be a copy.
	given map[token.Pos]bool
}

// scenes finds the functions that use the maps, with the words for the mutex.
func (p *mutexPlan) scenes() refusal {
	p.takers = make(map[*infer.Func]bool)
	var funcs []*infer.Func
	for _, pl := range p.m.in.Places {
		if !slices.Contains(p.home.vars, pl.Loc.Var) {
			continue
		}
		for i := range pl.Sites {
			s := &pl.Sites[i]
			switch {
			case s.Exempt && !runsOnce(s) && !uncalled(s) || !s.Acc.Op.Uses():
				continue
			case s.Imported():
				return "another package uses the map"
			case s.Acc.Op.Concurrent():
				return "the map is a concurrent one"
			}
			if !p.takers[s.Func] {
				p.takers[s.Func] = true
				funcs = append(funcs, s.Func)
			}
		}
	}
	funcs = append(funcs, p.passers()...)
	for _, f := range funcs {
		s := p.m.scene(f, p.lock)
		if s == nil && f.Ctx.Dead {
			continue
		}
		if s == nil {
			return refusal("the source of " + f.Name + " is generated, or not at hand")
		}
		s.vars, s.takers = p.home.vars, p.takers
		p.list = append(p.list, s)
	}
	return p.findGivers()
}

// runsOnce reports whether an access needs no lock of its guard only since it is made
// once: what others do meanwhile needs the new lock there, too.
func runsOnce(s *infer.Site) bool {
	return (s.Acc.Once || s.Func.Ctx.OnceOnly) && !s.Acc.Fresh && !s.Func.Owns(s.Acc)
}

// uncalled reports whether an access needs no lock only since nothing calls its function: who does so one day needs the new lock there.
func uncalled(s *infer.Site) bool { return s.Func.Ctx.Dead && !s.Acc.Fresh && !s.Func.Owns(s.Acc) }

// edits declares the mutex and takes it in each function. One that nothing calls may stay as it is.
func (p *mutexPlan) edits() ([]analysis.TextEdit, refusal) {
	edits, refused := p.declared()
	if refused != "" {
		return nil, refused
	}
	for _, s := range p.list {
		before := len(p.m.opened)
		es, refused := p.within(s)
		switch {
		case refused == "":
			edits = append(edits, es...)
		case s.f.Ctx.Dead:
			p.m.opened = p.m.opened[:before]
		default:
			return nil, refused
		}
	}
	return edits, ""
}

// within takes the mutex in a function.
func (p *mutexPlan) within(s *scene) ([]analysis.TextEdit, refusal) {
	if s.gives == nil {
		return p.held(s)
	}
	given, refused := p.giveCopy(s)
	return given, first(refused, p.mayTake(s, []point{{pos: s.gives.Results[0].Pos()}}))
}

// held takes the mutex at every access of a function.
func (p *mutexPlan) held(s *scene) ([]analysis.TextEdit, refusal) {
	points, entered, refused := p.named(s)
	if refused != "" {
		return nil, refused
	}
	edits, refused := p.copies(s)
	if refused != "" || len(points) == 0 {
		return edits, refused
	}
	if refused := p.mayTake(s, points); refused != "" {
		return nil, refused
	}
	bound, whole := entered || s.bound(points), entered || s.givesToo != nil
	es, refused := s.cover(points, bound)
	if es == nil && !whole {
		es, _ = p.again(s)
	}
	if es == nil && !whole && p.loose(s) {
		es, _ = s.cover(points, false)
	}
	if es == nil && p.home.lock == nil {
		s.patient = true
		es, refused = s.cover(points, bound)
	}
	if es == nil {
		return nil, first(refused, "no section covers the accesses")
	}
	if s.givesToo != nil {
		clone, imports := p.m.library(s, "maps", "Clone")
		es = append(append(es, imports...), insert(s.givesToo.Pos(), clone+"("), insert(s.givesToo.End(), ")"))
	}
	return append(edits, es...), ""
}

// named finds the words for the mutex at the accesses of a function. Where a local variable has the map that is
// an entry, the source does not name the object; it does where the entry is read, and entered says that one section is to
// hold both, lest the entry is no longer that of the object.
func (p *mutexPlan) named(s *scene) (points []point, entered bool, refused refusal) {
	var unnamed []*access.Access
	bases := make(map[accesspath.Path]bool)
	for _, a := range p.points(s) {
		if s.path(a.Pos) == nil {
			return nil, false, refusal("a function literal in " + s.f.Name + " uses the map")
		}
		points = append(points, point{a.Pos, a.Op.Writes()})
		if at, ok := s.fetches(a); ok {
			points, entered = append(points, point{pos: at}), true
		}
		if a.Path.IsElem() && !s.names(p.home, a.Pos) {
			unnamed = append(unnamed, a)
			continue
		}
		if refused := s.newName(p.home, a.Pos); refused != "" {
			return nil, false, refused
		}
		bases[a.Path.Base()] = true
	}
	for _, a := range unnamed {
		if base := a.Path.Base(); p.home.typ == nil || !base.Known() || !bases[base] {
			return nil, false, s.newName(p.home, a.Pos)
		}
	}
	if x := s.givesToo; x != nil {
		points = append(points, point{pos: x.Pos()})
	}
	return points, entered || len(unnamed) > 0, ""
}

// declared makes the declaration of a mutex that is not there yet.
func (p *mutexPlan) declared() ([]analysis.TextEdit, refusal) {
	if p.home.lock != nil {
		return nil, ""
	}
	mutex, edits := p.m.library(&scene{m: p.m, src: p.home.src}, "sync", "Mutex")
	if mutex == "" {
		return nil, "the package sync is not to be had in the file"
	}
	return slices.Concat(edits, p.pointers(), []analysis.TextEdit{p.declaration(mutex)}), ""
}

// again makes short sections with a second look, where one section would hold
// the mutex for too long.
func (p *mutexPlan) again(s *scene) ([]analysis.TextEdit, refusal) {
	for _, v := range p.m.in.Pairs() {
		own := v.Func == s.f && !v.Check.Lifted && !v.Act.Lifted && v.Check.Path == v.Act.Path
		if own && slices.Contains(p.home.vars, v.Act.Path.Location().Var) && v.Act.Op == access.Insert {
			return (&pair{scene: s, v: v, look: v.Check, act: v.Act}).again()
		}
	}
	return nil, "no section covers the accesses"
}

// loose reports whether each step of a function may have a section of its own: what another goroutine does between two of them
// is worth a finding of low confidence at most, and nothing counts on what a walk has met.
func (p *mutexPlan) loose(s *scene) bool {
	if s.countsAndWalks(func(a *access.Access) bool { return true }) {
		return false
	}
	for _, v := range p.m.in.Pairs() {
		if v.Func == s.f && slices.Contains(p.home.vars, v.Act.Path.Location().Var) && (p.m.in.Apart(v) > sharing.Low || s.handsOn(v.Check.Pos, v.Act.Pos)) {
			return false
		}
	}
	return true
}

func (p *mutexPlan) declaration(mutex string) analysis.TextEdit {
	var names []string
	for _, v := range p.home.vars {
		names = append(names, v.Name())
	}
	what := strings.Join(names, ", ")
	if n := len(names); n > 1 {
		what = strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	comment := fmt.Sprintf("// %s protects %s.", p.home.name, what)
	if p.home.comment != "" {
		comment = "// " + p.home.comment
	}
	if p.home.field {
		lead, indent := p.home.src.lead(p.home.at)
		return insert(p.home.at, lead+comment+"\n"+indent+p.home.name+" "+mutex+"\n"+indent)
	}
	return insert(p.home.at, comment+"\nvar "+p.home.name+" "+mutex+"\n\n")
}

// newName finds the words for a mutex that is not there yet: beside the map, in
// the object that the source names.
func (s *scene) newName(h *home, pos token.Pos) refusal {
	text := h.name
	var base ast.Expr
	if h.typ != nil {
		text = ""
		if sel := s.selected(h, pos); sel != nil && s.plain(sel.X) {
			text, base = s.src.of(sel.X)+"."+h.name, sel.X
		}
	} else if h.lock != nil {
		text = s.packageLevel(pos)
	} else if !s.unused(h.name) {
		return "no name is free for the mutex"
	}
	if text == "" {
		return "the source has no plain name for the object that has the map"
	}
	if s.text != "" && s.text != text {
		return refusal("two objects take part in " + s.f.Name)
	}
	s.text, s.base = text, base
	return ""
}

// names reports whether the source names one of the maps at a place.
func (s *scene) names(h *home, pos token.Pos) bool { return h.typ == nil || s.selected(h, pos) != nil }

// selected is what names one of the maps at a place.
func (s *scene) selected(h *home, pos token.Pos) *ast.SelectorExpr {
	return s.naming(pos, func(n ast.Node) *ast.SelectorExpr {
		if id, ok := n.(*ast.Ident); ok {
			return s.aliasOf(id, h)
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		if v, ok := s.body.info.Uses[sel.Sel].(*types.Var); !ok || !slices.Contains(h.vars, v) {
			return nil
		}
		return sel
	})
}

// aliasOf is alias for the fields of a home.
func (s *scene) aliasOf(id *ast.Ident, h *home) *ast.SelectorExpr {
	for _, v := range h.vars {
		if sel := s.alias(id, v); sel != nil {
			return sel
		}
	}
	return nil
}
