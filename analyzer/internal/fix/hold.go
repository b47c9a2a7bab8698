package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A pair is a look and an act of one function that are to be one step.
type pair struct {
	*scene
	v         *witness.Verdict
	look, act *access.Access
	ops       []*operation
	lookHeld  bool
	actHeld   bool
	// joints are the calls of helpers in the section at hand.
	joints []joint
}

// pair opens the function of a finding on a look and an act.
func (m *Maker) pair(f check.Finding) (*pair, refusal) { return m.pairOf(f, false) }

// pairOf does the same. literals: a step may be made in a literal that the function
// calls once; it then stands at the call.
func (m *Maker) pairOf(f check.Finding, literals bool) (*pair, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	switch f.Of.(type) {
	case *witness.EntryVerdict, *witness.FreedVerdict:
		return nil, "one of the steps is taken in the object, not in the map"
	}
	if !ok || v.Local {
		return nil, "the map is a local one"
	}
	lock := m.lockOfPair(f, v)
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
	s.vars, s.across = []*types.Var{f.Loc.Var}, f.Guard != nil && f.Guard.Across
	p := &pair{scene: s, v: v, look: v.Check, act: v.Act}
	for _, step := range [...]**access.Access{&p.look, &p.act} {
		a := *step
		if a.Lifted && len(a.Held.Held()) > 0 && !s.holds(a) {
			return nil, refusal("a step is made in " + a.InnerFunc + ", with a section of its own")
		}
		if s.path(a.Pos) != nil {
			continue
		}
		lit, call := s.calledOnce(a.Pos)
		if !literals || lit == nil {
			return nil, "a step stands in another function literal"
		}
		if r := s.nameIn(lit, f.Loc.Var, a.Pos); r != "" {
			return nil, r
		}
		moved := *a
		moved.Pos, *step = call.Lparen, &moved
	}
	for _, a := range [...]*access.Access{p.look, p.act} {
		if a != v.Check && a != v.Act {
			continue // named in its literal
		}
		if r := s.nameOf(a, f.Loc.Var); r != "" {
			return nil, r
		}
	}
	p.lookHeld, p.actHeld = s.holds(p.look), s.holds(p.act)
	s.widens = !p.lookHeld && p.actHeld
	if p.ops, ok = s.operations(); !ok {
		return nil, refusal("the function takes or releases " + s.lock.Name() + " in a way that is not plain")
	}
	for _, o := range p.ops {
		if o.text != s.text {
			return nil, refusal("the function takes " + s.lock.Name() + " of another object, too")
		}
	}
	if s.perhaps(p.look) || s.perhaps(p.act) {
		return nil, refusal(s.lock.Name() + " is held on some paths only")
	}
	return p, ""
}

// enterable reports what speaks against taking the lock where it is not taken
// yet, or earlier than it is.
func (p *pair) enterable() refusal {
	return p.scene.enterable([]token.Pos{p.look.Pos, p.act.Pos})
}

// nameOf finds the words for the lock at a step: beside the map, or if the step is
// made in a method that is called, in the object on which it is.
func (s *scene) nameOf(a *access.Access, v *types.Var) refusal {
	if !a.Lifted || !s.lock.IsField() {
		return s.name(v, []token.Pos{a.Pos})
	}
	for _, n := range s.path(a.Pos) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || s.in(sel.X) == "" || s.text != "" && s.text != s.in(sel.X) {
			break
		}
		s.text, s.base = s.in(sel.X), sel.X
		return ""
	}
	return refusal("a step is made in " + a.InnerFunc + ", and the source has no plain name for the lock there")
}

// lockOfPair returns the lock that is to cover both steps: the guard, or the one
// that a step holds.
func (m *Maker) lockOfPair(f check.Finding, v *witness.Verdict) *types.Var {
	if f.Guard != nil {
		return f.Guard.Lock
	}
	for _, held := range [...][]locks.Held{v.ActLocks, v.CheckLocks} {
		near := witness.Near(held, v.Act.Path)
		if len(near) == 1 && near[0].Lock.Location().Var != nil && !locks.ApartOnly(near[0].Lock) {
			return near[0].Lock.Location().Var
		}
	}
	return m.lockOf(f)
}

// holdAcross fixes a look and an act in two critical sections, or outside of
// any: one section covers both.
//
// It is safe. The new section begins where the first of the old ones did, or at
// the look, and ends where the last one did, at the act, or with the function;
// what the old ones covered it covers, and a write lock protects all that a read
// lock does. No statement moves. The function takes the lock there in any case,
// or can take it there (see enterable), and all that runs until it is released
// ends by itself (see holdable). A step in a helper with a section of its own is
// made in the helper's variant; a literal that is called here alone loses its section.
func (m *Maker) holdAcross(f check.Finding) (*analysis.SuggestedFix, refusal) {
	p, refused := m.pairOf(f, true)
	if refused != "" {
		return nil, refused
	}
	points := []token.Pos{p.look.Pos, p.act.Pos}
	for _, a := range p.lacking() {
		points = append(points, a.Pos)
	}
	start, released := p.around(points)
	points = append(points, start...)
	r, ok := p.common(points)
	if !ok {
		return nil, "the steps stand in different functions"
	}
	if _, loop := p.loop(r); loop && released {
		return nil, "the section would be in a loop, and end with the function"
	}
	if refused := p.compose(r.pos(), r.end()); refused != "" {
		return nil, refused
	}
	if !p.takesAlready(r) {
		if refused := p.enterable(); refused != "" {
			return nil, refused
		}
	}
	if edits := p.toTheEnd(r); edits != nil {
		return p.fix(edits), ""
	}
	edits, refused := p.until(r, released, points)
	if edits == nil {
		return nil, refused
	}
	return p.fix(edits), ""
}

func (p *pair) fix(edits []analysis.TextEdit) *analysis.SuggestedFix {
	return &analysis.SuggestedFix{Message: "hold " + p.text + " across look and act", TextEdits: edits}
}

// around returns the operations on the lock that belong to the sections of the
// look and the act, and whether one of them is released when the function
// returns.
func (p *pair) around(points []token.Pos) (out []token.Pos, deferred bool) {
	lo, hi := slices.Min(points), slices.Max(points)
	next := token.Pos(0) // where the section after these begins
	var before *operation
	for _, o := range p.ops {
		at := o.step.Pos
		if at < lo && o.takes && (before == nil || at > before.step.Pos) {
			before = o
		}
		if at > hi && o.takes && (next == 0 || at < next) {
			next = at
		}
		deferred = deferred || o.deferred
	}
	released := p.heldHere(hi)
	for _, o := range p.ops {
		at := o.step.Pos
		between := lo < at && at < hi
		releases := released && at > hi && !o.takes && (next == 0 || at < next)
		if (between || releases) && !o.deferred {
			out = append(out, at)
		}
	}
	if before != nil && p.heldHere(lo) {
		out = append(out, before.step.Pos)
	}
	return out, deferred
}

// op reports whether a place has an operation on the lock.
func (p *pair) op(pos token.Pos) bool {
	return slices.ContainsFunc(p.ops, func(o *operation) bool { return o.step.Pos == pos })
}

// toTheEnd holds the lock from a region's start to the end of the function; nil
// if that cannot be.
func (p *pair) toTheEnd(r region) []analysis.TextEdit {
	end, ok := p.toEnd(r)
	if _, loop := p.loop(r); !ok || loop || !p.inScope(end.pos()) || !p.deferrable() {
		return nil
	}
	if p.compose(end.pos(), end.end()) != "" || p.holdable(end.pos(), end.end(), p.skip) != "" {
		return nil
	}
	edits := p.composed()
	for _, o := range p.ops {
		if !end.has(o.step.Pos) {
			if o.step.Pos > end.pos() || o.deferred {
				return nil
			}
			continue // a section that is over
		}
		edits = append(edits, p.without(o))
	}
	p.covers(end)
	return p.begin(end, edits, p.text+".Lock()", "defer "+p.text+".Unlock()")
}

// covers notes the section that covers a region: calls of helpers in it are ones of their variants.
func (p *pair) covers(r region) {
	p.opens(r.pos(), r.end(), true)
	p.m.opened[len(p.m.opened)-1].Skip = p.skip
}

// begin puts statements in front of a region, or in the place of its first one if
// that goes.
func (p *pair) begin(r region, edits []analysis.TextEdit, lines ...string) []analysis.TextEdit {
	indent := p.src.indent(r.pos())
	text := ""
	for i, l := range lines {
		if i > 0 {
			text += "\n" + indent
		}
		text += l
	}
	for i := range edits {
		if first := r.first(); edits[i].Pos <= first.Pos() && first.End() <= edits[i].End {
			edits[i] = replace(first, text)
			return edits
		}
	}
	return append(edits, insert(r.pos(), text+"\n"+indent))
}

// unlocked reports whether all sections of the function lie before or behind a
// region: none begins or ends in it, and none is open at an access there, nor may
// be. A section of the region's own then meets none of them.
func (p *pair) unlocked(r region) bool {
	if slices.ContainsFunc(p.ops, func(o *operation) bool { return r.has(o.step.Pos) }) {
		return false
	}
	for i := range p.f.Accesses {
		a := &p.f.Accesses[i]
		if r.has(a.Pos) && (p.heldHere(a.Pos) || p.perhaps(a)) {
			return false
		}
	}
	return true
}

// next returns the statement behind a region that takes the lock for writing: its
// section then begins with the region.
func (p *pair) next(r region) *operation {
	if r.to+1 >= len(r.list) || terminates(r.last()) {
		return nil
	}
	for _, o := range p.ops {
		if o.level.stmt() == r.list[r.to+1] && o.takes && !o.reads() && !o.deferred {
			return o
		}
	}
	return nil
}

// until holds the lock from the start of a region to its end, and releases it
// before each way out.
func (p *pair) until(r region, deferred bool, points []token.Pos) ([]analysis.TextEdit, refusal) {
	if refused := p.compose(r.pos(), r.end()); refused != "" {
		return nil, refused
	}
	if refused := p.holdable(r.pos(), r.end(), p.skip); refused != "" {
		return nil, refused
	}
	free := p.unlocked(r)
	if deferred && !free || !p.inScope(r.pos()) {
		return nil, "the last section ends with the function, and more than it would be held for"
	}
	if !free && slices.ContainsFunc(p.ops, func(o *operation) bool { return !r.has(o.step.Pos) }) {
		return nil, refusal("the function has further sections of " + p.lock.Name())
	}
	out, ok := exits(r.stmts())
	if !ok {
		return nil, "a jump leaves the section"
	}
	indent := p.src.indent(r.pos())
	edits := p.composed()
	var last *operation
	for _, o := range p.ops {
		if !r.has(o.step.Pos) {
			continue
		}
		if o.level.stmt() == r.last() && !o.takes {
			last = o
			if o.reads() {
				edits = append(edits, replace(o.name, "Unlock"))
			}
			continue
		}
		edits = append(edits, p.without(o))
	}
	for _, e := range out {
		if slices.ContainsFunc(points, func(pos token.Pos) bool { return within(e, pos) }) || !p.simple(e) {
			return nil, "a return in the section computes what it returns"
		}
		edits = append(edits, insert(e.Pos(), p.text+".Unlock()\n"+p.src.indent(e.Pos())))
	}
	p.covers(r)
	edits = p.begin(r, edits, p.text+".Lock()")
	if next := p.next(r); next != nil {
		return append(edits, p.without(next)), ""
	}
	if last == nil && !terminates(r.last()) {
		edits = append(edits, insert(p.src.after(r.last()), "\n"+indent+p.text+".Unlock()"))
	}
	return edits, ""
}
