package depend

import (
	"go/token"
	"slices"

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

// maxSizes bounds the steps from a length to what it is the size of.
const maxSizes = 8

// Sizes reports whether the length of a slice, or a place in one, is made of a number: what it no
// longer fits panics.
func Sizes(v ssa.Value) bool { return sizes(v, 0) }

func sizes(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth > maxSizes {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.MakeSlice:
			return r.Len == v || !ssautil.IsZero(r.Len)
		case *ssa.IndexAddr:
			return r.Index == v
		case *ssa.Index:
			return r.Index == v
		case *ssa.Slice:
			return r.Low == v || r.High == v || r.Max == v
		case *ssa.BinOp:
			return sizes(r, depth+1)
		case *ssa.Convert:
			return sizes(r, depth+1)
		case *ssa.Phi:
			return sizes(r, depth+1)
		}
		return false
	})
}
