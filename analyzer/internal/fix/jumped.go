package fix

import (
	"go/ast"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

// jumpedTo reports whether a goto comes to a statement in which one of some places stands: it would come there behind
// the place where the lock is taken, or before.
func (s *scene) jumpedTo(points []point) bool {
	targets := s.body.gotos()
	return len(targets) > 0 && slices.ContainsFunc(points, func(p point) bool {
		return slices.ContainsFunc(s.path(p.pos), func(n ast.Node) bool {
			l, ok := n.(*ast.LabeledStmt)
			return ok && targets[l.Label.Name]
		})
	})
}

// waitsFor reports whether an access stands in the condition of a loop that does not change the map itself:
// under the lock, no one could end it.
func (s *scene) waitsFor(points []point) bool {
	return slices.ContainsFunc(points, func(p point) bool {
		return slices.ContainsFunc(s.path(p.pos), func(n ast.Node) bool {
			loop, ok := n.(*ast.ForStmt)
			if !ok || loop.Cond == nil || !within(loop.Cond, p.pos) {
				return false
			}
			return !slices.ContainsFunc(s.f.Accesses, func(a access.Access) bool { return a.Op.Writes() && within(loop.Body, a.Pos) })
		})
	})
}
