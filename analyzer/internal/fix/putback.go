package fix

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// cloneBack fixes a write to a map that a function of the package has given back, and that goes
// back to its field after the write: the function gives a copy, and the write is to that.
//
// It is safe for the reasons of cloneSource. What the write puts in is in the field afterwards, as before.
func (m *Maker) cloneBack(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.AccessVerdict)
	if !ok || f.Guard == nil || !v.Site.Acc.Op.Writes() || !m.putsBack(v.Site) {
		return nil, ""
	}
	return m.copySource(f, v)
}

// putsBack reports whether the map goes back to its field in the statements behind a write to it, with
// nothing between that could leave them, and under a lock that is held for writing from where the function
// gets the map: none of two that change it undoes what the other has done.
func (m *Maker) putsBack(site *infer.Site) bool {
	s := m.scene(site.Func, nil)
	if s == nil {
		return false
	}
	levels, call := s.levels(site.Acc.Pos), s.sourceOf(site.Acc.Pos)
	if len(levels) == 0 || call == nil {
		return false
	}
	got := slices.IndexFunc(site.Func.Calls, func(c summary.Call) bool { return within(call, c.Pos) })
	if got < 0 {
		return false
	}
	inner := levels[len(levels)-1]
	for _, stmt := range inner.list[inner.at+1:] {
		switch stmt.(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.DeclStmt:
		default:
			return false
		}
		if slices.ContainsFunc(site.Func.Accesses, func(a access.Access) bool {
			back := a.Op == access.Assign && a.Path == site.Acc.Path && a.Value == a.Path && within(stmt, a.Pos)
			return back && oneSection(site.Func.Calls[got].Held, a.Held)
		}) {
			return true
		}
	}
	return false
}

// oneSection reports whether a lock is held for writing from one state to another.
func oneSection(earlier, later locks.State) bool {
	return slices.ContainsFunc(earlier.Held(), func(h locks.Held) bool {
		l, held := later.Find(h.Lock)
		return held && h.Mode == locks.Write && l.Sec.Same(h.Sec)
	})
}
