package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// left says why one goroutine alone is left with the map of an access, if it is: the others are done with it, and no more
// come.
func (j *Judge) left(f *infer.Func, a *access.Access) Reason {
	switch {
	case j.Pkg.Retired(f, a):
		return Retired
	case j.Pkg.LastOne(f, a):
		return LastOne
	}
	return NoReason
}
