package ssautil

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Counts reports whether v has another value each time that control comes to it: a loop's counter,
// which goes up or down by a constant, or the key of a range over a map.
func Counts(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if next, ok := e.(*ssa.BinOp); ok && next.X == v && steps(next) {
				return true
			}
		}
	case *ssa.BinOp: // the value of the next round is worked out first
		phi, ok := v.X.(*ssa.Phi)
		if !ok || !steps(v) {
			return false
		}
		for _, e := range phi.Edges {
			if e == v {
				return true
			}
		}
	case *ssa.Extract:
		next, ok := v.Tuple.(*ssa.Next)
		return ok && v.Index == 1 && !next.IsString
	}
	return false
}

// steps reports whether the result of an operation differs from its first operand by a constant.
func steps(v *ssa.BinOp) bool {
	k, ok := v.Y.(*ssa.Const)
	return ok && (v.Op == token.ADD || v.Op == token.SUB) && !IsZeroConst(k)
}
