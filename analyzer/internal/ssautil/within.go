package ssautil

import "golang.org/x/tools/go/ssa"

// maxWithin bounds the steps from a map to one that it holds, directly or not.
const maxWithin = 12

// Within reports whether a map is one that another map holds, directly or through others: it
// was looked up there, or made and put there, on each way that leads to it.
func Within(v, outer ssa.Value) bool { return within(v, outer, make(map[ssa.Value]bool)) }

func within(v, outer ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true // another way decides
	}
	if len(seen) > maxWithin {
		return false
	}
	seen[v] = true
	holds := func(m ssa.Value) bool { return m == outer || within(m, outer, seen) }
	switch v := Unwrap(v).(type) {
	case *ssa.Lookup:
		return holds(v.X)
	case *ssa.TypeAssert:
		return within(v.X, outer, seen)
	case *ssa.Extract:
		return v.Index == 0 && within(v.Tuple, outer, seen)
	case *ssa.MakeMap:
		for _, r := range *v.Referrers() {
			if put, ok := r.(*ssa.MapUpdate); ok && Unwrap(put.Value) == ssa.Value(v) && holds(put.Map) {
				return true
			}
			if box, ok := r.(*ssa.MakeInterface); ok && putWithin(box, holds) {
				return true
			}
		}
	case *ssa.Phi:
		if v == outer {
			return false
		}
		for _, e := range v.Edges {
			if e != outer && !within(e, outer, seen) {
				return false
			}
		}
		return true
	}
	return false
}

// putWithin reports whether a value is put into a map of which holds is true.
func putWithin(v ssa.Value, holds func(ssa.Value) bool) bool {
	for _, r := range *v.Referrers() {
		if put, ok := r.(*ssa.MapUpdate); ok && put.Value == v && holds(put.Map) {
			return true
		}
	}
	return false
}
