package records

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxWrapped bounds the calls that wrap a connection before a goroutine gets it.
const maxWrapped = 3

// accepted reports whether a goroutine, one of many, gets a connection that has just been accepted, itself or in what a call
// makes of it: there is one for each client that connects, as there is for each request of a server's. Where the loop that
// accepts is a caller's, the connection is a parameter.
func (r *runner) accepted(instr ssa.CallInstruction, many bool) bool {
	if instr == nil {
		return false
	}
	return slices.ContainsFunc(ssautil.HandedOver(instr.Common()), func(v ssa.Value) bool {
		return many && isAccepted(v, maxWrapped) || r.passed(v)
	})
}

// passed reports whether a value is a parameter by which a loop passes the connection that it has accepted.
func (r *runner) passed(v ssa.Value) bool {
	i := slices.IndexFunc(r.f.SSA.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == ssautil.Unwrap(v) })
	return i >= 0 && slices.ContainsFunc(r.pkg.CallersOf(r.f), func(s infer.CallSite) bool {
		call, ok := s.Call.Point.Instr(s.Caller.SSA).(ssa.CallInstruction)
		if !ok || !s.Call.Looped {
			return false
		}
		args := call.Common().Args
		return call.Common().StaticCallee() == r.f.SSA && isAccepted(args[i], maxWrapped)
	})
}

// isAccepted reports whether a value, or the variable that it is the address of, is a connection that has been
// accepted, or what is made of one, as an object that has it in a field.
func isAccepted(v ssa.Value, wraps int) bool {
	v = ssautil.Unwrap(v)
	if cell, ok := v.(*ssa.Alloc); ok && wraps >= 0 {
		return slices.ContainsFunc(ssautil.PutIn(cell), func(v ssa.Value) bool { return isAccepted(v, wraps-1) })
	}
	call := ssautil.CallOf(v)
	if call == nil || wraps < 0 {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	return accepts(fn) || slices.ContainsFunc(args, func(arg ssa.Value) bool { return isAccepted(arg, wraps-1) })
}

// accepts reports whether a method gives the next connection of a listener, or the next packet with who has sent it: by its
// name, and since what it gives is, or has, the address of the other side.
func accepts(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	results := fn.Signature().Results()
	if strings.HasPrefix(fn.Name(), "Accept") {
		return results.Len() > 0 && model.HasMethod(results.At(0).Type(), "RemoteAddr")
	}
	return strings.HasPrefix(fn.Name(), "ReadFrom") && slices.ContainsFunc(slices.Collect(results.Variables()), func(v *types.Var) bool {
		return model.HasMethod(v.Type(), "Network") || model.HasMethod(v.Type(), "Port")
	})
}
