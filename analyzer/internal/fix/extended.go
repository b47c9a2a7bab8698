package fix

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// extended makes a section of the lock that begins right behind a stretch of statements begin in front of
// it, or one that ends right before it end behind it; nil if there is none, or the stretch cannot run under the
// lock.
//
// It is as safe as a section of its own there: the lock is let go and taken again in between today, and
// nothing else happens there.
func (s *scene) extended(r region, points []point) []analysis.TextEdit {
	ops, ok := s.operations()
	if !ok || s.holdable(r.pos(), r.end(), nil) != "" || terminates(r.last()) {
		return nil
	}
	if out, plain := exits(r.stmts()); !plain || len(out) > 0 || s.runsOwn(r) {
		return nil
	}
	indent := s.src.indent(r.pos())
	for _, o := range ops {
		st := o.level.stmt()
		switch {
		case o.deferred || o.text != s.text || o.reads() && writes(points):
		case o.takes && r.to+1 < len(r.list) && r.list[r.to+1] == st && !s.src.commented(r.end(), st.Pos()) && !s.deferredBehind(ops, r):
			s.opens(r.pos(), r.end(), true)
			return []analysis.TextEdit{insert(r.pos(), s.src.of(st)+"\n"+indent), s.without(o)}
		case !o.takes && r.from > 0 && r.list[r.from-1] == st && !s.src.commented(st.End(), r.pos()):
			s.opens(r.pos(), r.end(), true)
			return []analysis.TextEdit{s.without(o), insert(s.src.after(r.last()), "\n"+indent+s.src.of(st))}
		}
	}
	return nil
}

// deferredBehind reports whether the release of the section that begins behind a stretch is deferred there: what panics
// in front of that would leave the lock taken.
func (s *scene) deferredBehind(ops []*operation, r region) bool {
	return slices.ContainsFunc(ops, func(o *operation) bool { return o.deferred && o.level.stmt().Pos() > r.end() })
}

// runsOwn reports whether a stretch calls functions of the module, which may panic.
func (s *scene) runsOwn(r region) bool {
	own := false
	for _, st := range r.stmts() {
		ast.Inspect(st, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				fn := s.m.calleeOf(call)
				own = own || fn != nil && s.m.ofModule(fn.Pkg())
			}
			return !own
		})
	}
	return own
}
