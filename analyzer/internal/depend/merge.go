package depend

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Merges reports whether an act puts in the greater, or the lesser, of a value and of what a look has found in
// the act's own entry: with the builtin or a library's function, or where a comparison of the two chooses.
func (f *Func) Merges(l *Look, a *Act) bool {
	look, ok := l.Instr.(*ssa.Lookup)
	if !ok || a.Value == nil || a.Lifted || !f.sameKey(look, a) {
		return false
	}
	found := func(v ssa.Value) bool { return slices.Contains(l.Outcomes, v) && !slices.Contains(l.Presence, v) }
	switch v := a.Value.(type) {
	case *ssa.Call:
		b, builtin := v.Call.Value.(*ssa.Builtin)
		fn, _ := ssautil.Callee(&v.Call)
		extreme := builtin && (b.Name() == "max" || b.Name() == "min") || model.Extreme(fn)
		return extreme && slices.ContainsFunc(v.Call.Args, found)
	case *ssa.Phi:
		return f.choosesExtreme(v, found)
	}
	return false
}

// choosesExtreme reports whether a value is one of two, of which one was found, by a comparison of the two.
func (f *Func) choosesExtreme(v *ssa.Phi, found func(ssa.Value) bool) bool {
	if len(v.Edges) != 2 || found(v.Edges[0]) == found(v.Edges[1]) {
		return false
	}
	dom := v.Block().Idom()
	if dom == nil {
		return false
	}
	br := f.branch(dom.Index)
	if br == nil {
		return false
	}
	op, ok := br.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	x, y := v.Edges[0], v.Edges[1]
	ordered := op.Op == token.LSS || op.Op == token.LEQ || op.Op == token.GTR || op.Op == token.GEQ
	return ordered && (op.X == x && op.Y == y || op.X == y && op.Y == x)
}
