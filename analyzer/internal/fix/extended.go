package fix

import (
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
	if out, plain := exits(r.stmts()); !plain || len(out) > 0 {
		return nil
	}
	indent := s.src.indent(r.pos())
	for _, o := range ops {
		st := o.level.stmt()
		switch {
		case o.deferred || o.text != s.text || o.reads() && writes(points):
		case o.takes && r.to+1 < len(r.list) && r.list[r.to+1] == st && !s.src.commented(r.end(), st.Pos()):
			return []analysis.TextEdit{insert(r.pos(), s.src.of(st)+"\n"+indent), s.without(o)}
		case !o.takes && r.from > 0 && r.list[r.from-1] == st && !s.src.commented(st.End(), r.pos()):
			return []analysis.TextEdit{s.without(o), insert(s.src.after(r.last()), "\n"+indent+s.src.of(st))}
		}
	}
	return nil
}
