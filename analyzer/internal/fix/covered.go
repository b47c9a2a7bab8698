package fix

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// covered reports whether what the function does at a place runs under the lock already: a section that is
// widened over it adds nothing to what is waited for, or taken, while the lock is held.
//
// The lock is that of the same object: a function that takes that of another one gets no such section. A deferred call
// runs under it where the release is deferred, too, and before it: then the call is the first of the two to run.
func (s *scene) covered(pos token.Pos) bool {
	if s.under == nil {
		s.under = make(map[locks.Mode]map[token.Pos]bool)
	}
	if s.under[s.mode()] == nil {
		s.under[s.mode()] = s.coveredPlaces()
	}
	return s.under[s.mode()][pos]
}

// coveredPlaces returns the places of the function at which all that is done is done under the lock.
func (s *scene) coveredPlaces() map[token.Pos]bool {
	out := make(map[token.Pos]bool)
	note := func(pos token.Pos, held bool) {
		all, seen := out[pos]
		out[pos] = held && (all || !seen)
	}
	for i := range s.f.Stays {
		st := &s.f.Stays[i]
		note(st.Pos, conduct.Within(st.Held, s.lock, s.mode()) && (!s.deferred(st.Pos) || s.releasedAfter(st.Pos)))
	}
	for i := range s.f.Calls {
		c := &s.f.Calls[i]
		note(c.Pos, c.Kind != summary.Escaped && conduct.Within(c.Held, s.lock, s.mode()))
	}
	for i := range s.f.Locking {
		if l := &s.f.Locking[i]; l.Acquire {
			note(l.Pos, !l.Deferred && conduct.Within(l.Held, s.lock, s.mode()))
		}
	}
	return out
}

// deferred reports whether a place stands in a deferred call of the function.
func (s *scene) deferred(pos token.Pos) bool {
	return slices.ContainsFunc(s.path(pos), func(n ast.Node) bool {
		_, is := n.(*ast.DeferStmt)
		return is
	})
}

// releasedAfter reports whether the release of the lock is deferred in front of a place, on every way to it.
func (s *scene) releasedAfter(pos token.Pos) bool {
	ops, plain := s.operations()
	return plain && slices.ContainsFunc(ops, func(o *operation) bool {
		return o.deferred && !o.takes && o.step.Pos < pos && len(s.levels(o.step.Pos)) == 1
	})
}
