package threads

import (
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// maxClimb bounds how far up callers are asked.
const maxClimb = 4

// EveryCaller reports whether the package calls f, and each of its calls holds
// locks that will do, or stands in a function of which the same can be said.
func (t *Theory) EveryCaller(f *infer.Func, will func(*infer.Func, []locks.Held) bool) bool {
	return t.everyCaller(f, will, maxClimb)
}

func (t *Theory) everyCaller(f *infer.Func, will func(*infer.Func, []locks.Held) bool, depth int) bool {
	sites := t.pkg.CallersOf(f)
	if len(sites) == 0 || depth == 0 {
		return false
	}
	for _, s := range sites {
		if !s.Call.Kind.InPlace() {
			return false
		}
		if will(s.Caller, s.Caller.EffectiveState(s.Call.Held)) || s.Caller != f && t.everyCaller(s.Caller, will, depth-1) {
			continue
		}
		return false
	}
	return true
}
