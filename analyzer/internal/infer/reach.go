package infer

import "github.com/mapguard/mapguard/analyzer/internal/ssautil"

// Reach returns the question which blocks of the function control can go to from another.
func (f *Func) Reach() *ssautil.Reach {
	if f.Func != nil && f.Flow != nil {
		return f.Flow.Reach()
	}
	return ssautil.NewReach(f.SSA)
}
