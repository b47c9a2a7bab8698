package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// all is what has to stay outside of a section where the source does not tell more.
const all = "what waits or takes locks"

// outside names what has to stay outside of a section over a stretch of the source, but for what skip accepts: what may wait, or
// takes the lock, too; "" if all of it can run under the lock. at is where the function comes to it, if that is known.
func (s *scene) outside(from, to token.Pos, skip func(token.Pos) bool) (what string, at token.Pos) {
	if s.holdable(from, to, skip) == "" {
		return "", token.NoPos
	}
	e := s.during(from, to, skip)
	if e.Stay == nil || e.In != s.f {
		if g, at := s.culprit(from, to, skip); g != nil {
			return g.Name, at
		}
		return all, token.NoPos
	}
	switch st := e.Stay; {
	case st.Kind == summary.Waits:
		return fmt.Sprintf("the wait (line %d)", s.m.in.Line(st.Pos)), st.Pos
	case st.Kind == summary.Value && st.Field != nil:
		return "the function in " + st.Field.Name(), st.Pos
	case st.Func != nil:
		return plainName(st.Func), st.Pos
	}
	return all, token.NoPos
}

// culprit returns the first function that is called in a stretch of the source and speaks against holding the lock meanwhile, and
// where that is.
func (s *scene) culprit(from, to token.Pos, skip func(token.Pos) bool) (*infer.Func, token.Pos) {
	for i := range s.f.Calls {
		c := &s.f.Calls[i]
		if later := c.Kind == summary.Goroutine || c.Registered; later || skip != nil && skip(c.Pos) {
			continue
		}
		if c.Pos < from || to <= c.Pos {
			continue
		}
		g := s.m.in.Pkg.Lookup(c.Callee)
		if g == nil {
			continue
		}
		e := s.m.conduct.Of(g, func(conduct.Spot) bool { return true }, s.ends)
		if e.Stay != nil || e.Odd || len(e.Takes) > 0 || s.takes(g, e) {
			return g, c.Pos
		}
	}
	return nil, token.NoPos
}

// takes reports whether a function, or one that it runs, is to take a new lock.
func (s *scene) takes(g *infer.Func, e conduct.Effect) bool {
	if s.takers[g] {
		return true
	}
	for taker := range s.takers {
		if e.Runs[taker] {
			return true
		}
	}
	return false
}

// span returns the stretch of the source that a section around a place covers at least: the statement, or the head of one that has
// a body, but a loop over the map; not ok if the place is not in the function's own code.
func (s *scene) span(pos token.Pos) (from, to token.Pos, ok bool) {
	ls := s.levels(pos)
	if len(ls) == 0 {
		return 0, 0, false
	}
	st := ls[len(ls)-1].stmt()
	to = st.End()
	switch st := unlabeled(st).(type) {
	case *ast.IfStmt:
		to = st.Body.Pos()
	case *ast.ForStmt:
		to = st.Body.Pos()
	case *ast.SwitchStmt:
		to = st.Body.Pos()
	case *ast.TypeSwitchStmt:
		to = st.Body.Pos()
	}
	return st.Pos(), to, true
}

// loopsAt reports whether a loop ranges over what is accessed at a place.
func (s *scene) loopsAt(pos token.Pos) bool {
	for _, n := range s.path(pos) {
		if loop, ok := n.(*ast.RangeStmt); ok {
			return pos < loop.Body.Pos()
		}
	}
	return false
}

// A hand is one section that is to be made by hand.
type hand struct {
	*scene
	// but is the proviso for taking the lock, out what has to stay outside of the section; all if nothing is known of it. at is
	// where that is, if it is known.
	but proviso
	out string
	at  token.Pos
}

// without says that what has to stay outside of a section of an access does: one that is made there is to have its section in the
// function that makes it.
func (h *hand) without(a *access.Access) string {
	if a.Lifted && h.at == a.Pos {
		return "in " + a.InnerFunc
	}
	return "with " + h.out + " outside it"
}

// hand opens a section of a function over some places. bare are those of them that lack the lock: it is to be taken
// there, by a function that is not known to be without it.
func (m *Maker) hand(f *infer.Func, s *scene, places, bare []token.Pos, skip func(token.Pos) bool) hand {
	if s == nil {
		return hand{but: unheld, out: all}
	}
	h := hand{scene: s}
	var from, to token.Pos
	for _, p := range places {
		a, b, ok := s.span(p)
		if !ok {
			return hand{scene: s, but: unheld, out: all}
		}
		if from == 0 || a < from {
			from = a
		}
		to = max(to, b)
	}
	h.out, h.at = s.outside(from, to, skip)
	if len(bare) > 0 {
		h.but = s.taking(bare)
	}
	return h
}

// taking returns the proviso for taking the lock at some places.
func (s *scene) taking(at []token.Pos) proviso {
	for i := range s.f.Accesses {
		if a := &s.f.Accesses[i]; slices.Contains(at, a.Pos) && s.perhaps(a) {
			return proviso{instead: fmt.Sprintf("hold %s on each way to line %d, and take it only where it is not held", s.lock.Name(), s.m.in.Line(a.Pos))}
		}
	}
	if s.heldAt(s.lock, at) {
		return proviso{only: "if all code that holds two of them takes them in one order"}
	}
	_, but := s.entry(at)
	return but
}

// say ends advice with its proviso.
func (p proviso) say(forms ...string) string {
	if p.instead != "" {
		return p.instead
	}
	if p.only != "" {
		for i := range forms {
			forms[i] += ", " + p.only
		}
	}
	return check.Fit(forms...)
}
