package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A loop that locks each element of a list leaves out those that are none, or that it has locked before: the list is
// sorted, say, and may have one object twice.

// done reports whether a round goes from a block to its n-th successor only where nothing is to be done for its element: it
// is nil, or the object of another round, which is done there.
func (a *analysis) done(w ssautil.Walk, elem accesspath.Path, from *ssa.BasicBlock, n int) bool {
	br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || !w.In[from] || from.Succs[0] == from.Succs[1] {
		return false
	}
	cond, holds := br.Cond, n == 0
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		cond, holds = not.X, !holds
	}
	if cmp, ok := cond.(*ssa.BinOp); ok {
		same := cmp.Op == token.EQL && holds || cmp.Op == token.NEQ && !holds
		x, y := cmp.X, cmp.Y
		if a.Paths.Of(x) != elem {
			x, y = y, x
		}
		return same && a.Paths.Of(x) == elem && a.ofOtherRound(w, elem, y)
	}
	return holds && a.noted(w, elem, cond)
}

// ofOtherRound reports whether a value is nil, or the element of another round: the one beside it, or one that an earlier
// round has left in a variable.
func (a *analysis) ofOtherRound(w ssautil.Walk, elem accesspath.Path, v ssa.Value) bool {
	if ssautil.IsNil(v) {
		return true
	}
	if phi, ok := v.(*ssa.Phi); ok {
		return phi.Block() == w.Head && a.earlier(w, elem, phi, make(map[ssa.Value]bool))
	}
	beside := a.Paths.Of(v)
	if !beside.IsElem() || beside.Parent() != elem.Parent() {
		return false
	}
	op, ok := beside.Key().Root().Val.(*ssa.BinOp)
	return ok && op.Op == token.SUB && op.X == w.Key && ssautil.IsInt(op.Y, 1)
}

// earlier reports whether a variable holds nothing but nil and elements of rounds.
func (a *analysis) earlier(w ssautil.Walk, elem accesspath.Path, v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || ssautil.IsNil(v) || a.Paths.Of(v) == elem {
		return true
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || !w.In[phi.Block()] {
		return false
	}
	seen[v] = true
	for _, e := range phi.Edges {
		if !a.earlier(w, elem, e, seen) {
			return false
		}
	}
	return true
}

// noted reports whether a condition asks whether a set has the element of a round, into which nothing is put but the elements
// of rounds, each behind this look.
func (a *analysis) noted(w ssautil.Walk, elem accesspath.Path, cond ssa.Value) bool {
	if part, ok := cond.(*ssa.Extract); ok {
		cond = part.Tuple
	}
	look, ok := cond.(*ssa.Lookup)
	if !ok || a.Paths.Of(look.Index) != elem {
		return false
	}
	set, ok := look.X.(*ssa.MakeMap)
	if !ok {
		return false
	}
	for _, r := range *set.Referrers() {
		switch r := r.(type) {
		case *ssa.Lookup, *ssa.DebugRef:
		case *ssa.MapUpdate:
			if r.Map != ssa.Value(set) || a.Paths.Of(r.Key) != elem || !w.In[r.Block()] || !ssautil.Dominates(look, r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
