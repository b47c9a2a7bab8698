package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// elsewhere notes a call of another package's function, or of an interface's
// method, for those who ask later who calls the callee. Nothing else depends on it.
func (a *analysis) elsewhere(s locks.State, instr ssa.CallInstruction, kind summary.CallKind) {
	call := instr.Common()
	if a.Elsewhere == nil || !a.Elsewhere(call) {
		return
	}
	fn, args := ssautil.Callee(call)
	if fn == nil {
		return
	}
	c := summary.Call{Callee: fn.Origin(), Kind: kind, Pos: instr.Pos(), Point: a.at, Held: s}
	for _, arg := range args {
		c.Args = append(c.Args, a.Paths.Of(arg))
	}
	c.Owned = a.own.Args(instr, args)
	a.sum.Elsewhere = append(a.sum.Elsewhere, c)
}
