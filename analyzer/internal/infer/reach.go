package infer

import "github.com/mapguard/mapguard/analyzer/internal/ssautil"

// Reach returns the question which blocks of the function control can go to from another.
func (f *Func) Reach() *ssautil.Reach {
	if r := f.Flow.Reach(); r != nil {
		return r
	}
	return ssautil.NewReach(f.SSA)
}
