package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// fetched returns the locks that were held where the map value v was read
// from its field or variable; false if it was read elsewhere, in an accessor.
func (a *analysis) fetched(v ssa.Value) (locks.State, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		s, ok := a.loads[v]
		return s, ok
	case *ssa.ChangeType:
		return a.fetched(v.X)
	}
	return locks.State{}, false
}
