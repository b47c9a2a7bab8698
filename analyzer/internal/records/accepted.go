package records

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxWrapped bounds the calls that wrap a connection before a goroutine gets it.
const maxWrapped = 3

// accepted reports whether a goroutine gets a connection that has just been accepted, itself or in what a call
// makes of it: there is one for each client that connects, as there is for each request of a server's.
func accepted(instr ssa.CallInstruction) bool {
	if instr == nil {
		return false
	}
	return slices.ContainsFunc(ssautil.HandedOver(instr.Common()), func(v ssa.Value) bool { return isAccepted(v, maxWrapped) })
}

// isAccepted reports whether a value, or the variable that it is the address of, is a connection that has been
// accepted, or what is made of one.
func isAccepted(v ssa.Value, wraps int) bool {
	v = ssautil.Unwrap(v)
	if cell, ok := v.(*ssa.Alloc); ok {
		return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			return ok && st.Addr == v && isAccepted(st.Val, wraps-1)
		})
	}
	call := ssautil.CallOf(v)
	if call == nil || wraps < 0 {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	return accepts(fn) || slices.ContainsFunc(args, func(arg ssa.Value) bool { return isAccepted(arg, wraps-1) })
}

// accepts reports whether a method gives the next connection of a listener: by its name, and since what it gives
// has the address of who connects.
func accepts(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil || !strings.HasPrefix(fn.Name(), "Accept") || fn.Signature().Results().Len() == 0 {
		return false
	}
	conn := fn.Signature().Results().At(0).Type()
	remote, _, _ := types.LookupFieldOrMethod(conn, true, nil, "RemoteAddr")
	_, method := remote.(*types.Func)
	return method
}
