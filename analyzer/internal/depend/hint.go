package depend

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Reserves reports whether nothing but the capacity of maps and slices is made of
// a number. Too little or too much of it is as good: they hold the same.
func Reserves(v ssa.Value) bool {
	if v == nil || v.Referrers() == nil {
		return false
	}
	some := false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.MakeMap:
		case *ssa.MakeSlice:
			if !ssautil.IsZero(r.Len) {
				return false // a capacity below the length panics
			}
		case *ssa.BinOp:
			if r.Op != token.ADD && r.Op != token.MUL || !Reserves(r) {
				return false
			}
		default:
			return false
		}
		some = true
	}
	return some
}
