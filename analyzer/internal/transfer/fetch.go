package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
)

// fetched returns the locks that were held where the map value v was read
// from its field or variable. What an accessor returned was read there.
func (a *analysis) fetched(v ssa.Value) (lockset.State, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		s, ok := a.loads[v]
		return s, ok
	case *ssa.ChangeType:
		return a.fetched(v.X)
	case *ssa.Call:
		return lockset.State{}, false
	}
	return lockset.State{}, false
}

// detached reports whether the map value v was taken out of its field before
// instr: read, then the field given another map, then used. Whoever took it
// out under the lock has it alone.
func (a *analysis) detached(v ssa.Value, p accesspath.Path, instr ssa.Instruction) bool {
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return false
	}
	for i := range a.events {
		st := &a.events[i]
		if st.acc.Op != access.Assign || st.acc.Path != p || st.acc.Lifted {
			continue
		}
		if dominates(ld, st.instr) && dominates(st.instr, instr) {
			return true
		}
	}
	return false
}

// dominates reports whether x runs before y on every path to y.
func dominates(x, y ssa.Instruction) bool {
	if x.Block() == y.Block() {
		return before(x, y)
	}
	return x.Block().Dominates(y.Block())
}
