package ssabuild

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// dispatch makes calls by the interface of the calls that a function makes of an
// interface's method by its value (`f := x.M; f(a)`) or by an expression (`I.M(x, a)`). SSA
// has wrappers for them, which hide on which object the method is called.
func dispatch(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				unwrap(call)
			}
		}
	}
}

// unwrap makes a call by the interface of one call, if it is of a wrapper around that.
func unwrap(call ssa.CallInstruction) {
	common := call.Common()
	if common.IsInvoke() {
		return
	}
	if recv, m := ssautil.BoundMethod(common.Value); m != nil && types.IsInterface(recv.Type()) {
		refer(common.Value, recv, call)
		common.Value, common.Method = recv, m
		return
	}
	if m := ssautil.Expression(common.Value); m != nil && len(common.Args) > 0 && types.IsInterface(common.Args[0].Type()) {
		common.Value, common.Method, common.Args = common.Args[0], m, common.Args[1:]
	}
}

// refer makes an instruction refer to one value in place of another.
func refer(was, is ssa.Value, instr ssa.Instruction) {
	if refs := was.Referrers(); refs != nil {
		if i := slices.Index(*refs, instr); i >= 0 {
			*refs = slices.Delete(*refs, i, i+1)
		}
	}
	if refs := is.Referrers(); refs != nil {
		*refs = append(*refs, instr)
	}
}
