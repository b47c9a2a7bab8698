package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxServing bounds the calls through which it is looked for what serves.
const maxServing = 2

// servesAt returns where a function that registers handlers brings a server into service, by itself, in
// a literal, or in another function of the package: no handler is called before the first of these. None
// says nothing: others serve.
func (a *analysis) servesAt() (at []ssa.Instruction) {
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if serves(instr, maxServing) {
				at = append(at, instr)
			}
		}
	}
	return at
}

// servedBeside returns the calls that register handlers before a goroutine starts that still runs where the function serves: what is
// registered is called from then on.
func (a *analysis) servedBeside(c *summary.Call, after *running, serves func() []ssa.Instruction) (calls []int) {
	for _, o := range a.starts {
		if !a.sum.Calls[o.call].Registered || slices.Contains(c.After, o.call) {
			continue
		}
		if slices.ContainsFunc(serves(), func(s ssa.Instruction) bool { return after.has(s) && a.reach.MayPrecede(o.instr, s) }) {
			calls = append(calls, o.call)
		}
	}
	return calls
}

// serves reports whether an instruction calls what serves, or has a function of the package that does.
func serves(instr ssa.Instruction, depth int) bool {
	if call, ok := instr.(ssa.CallInstruction); ok {
		if fn, _ := ssautil.Callee(call.Common()); fn != nil && model.Serves(fn) {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	for _, op := range instr.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if ok && fn.Pkg == instr.Parent().Pkg && ssautil.Some(fn, func(inner ssa.Instruction) bool { return serves(inner, depth-1) }) {
			return true
		}
	}
	return false
}
