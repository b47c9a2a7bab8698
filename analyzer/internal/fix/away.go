package fix

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// givenAway reports whether a lock can be taken by another name than its field's: its address is
// returned or kept, or a condition has it and the package takes the lock of one.
func (m *Maker) givenAway(lock *types.Var) bool {
	if away, known := m.away[lock]; known {
		return away
	}
	kept, waited, viaCond := false, false, false
	for _, f := range m.in.Pkg.Funcs {
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.FieldAddr:
				if m.in.Pkg.Paths.Of(instr).LastField() == lock {
					k, w := keeps(instr)
					kept, waited = kept || k, waited || w
				}
			case ssa.CallInstruction:
				viaCond = viaCond || locksBy(instr.Common())
			}
			return false
		})
	}
	if m.away == nil {
		m.away = make(map[*types.Var]bool)
	}
	m.away[lock] = kept || waited && viaCond
	return m.away[lock]
}

// keeps reports whether an address is returned or stored, and whether a condition gets it.
func keeps(addr ssa.Value) (kept, waited bool) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Return, *ssa.Send, *ssa.MapUpdate:
			kept = true
		case *ssa.Store:
			kept = kept || r.Val == addr
		case *ssa.MakeInterface:
			k, w := keeps(r)
			kept, waited = kept || k, waited || w
		case *ssa.Call:
			fn, _ := ssautil.Callee(&r.Call)
			waited = waited || fn != nil && fn.FullName() == "sync.NewCond"
		}
	}
	return kept, waited
}

// locksBy reports whether a call takes a lock by an interface, such as the L of a [sync.Cond].
func locksBy(call *ssa.CallCommon) bool {
	return call.IsInvoke() && (call.Method.Name() == "Lock" || call.Method.Name() == "RLock") && call.Method.Signature().Params().Len() == 0
}
