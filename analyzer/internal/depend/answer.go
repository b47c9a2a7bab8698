package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// answered reports whether the one who sent a request learns that the act was not done: a server's
// handler, which has no results for that, answers where the look turned it away from the act.
func (f *Func) answered(l *Look, act ssa.Instruction) bool {
	sig := f.Fn.Signature
	if sig.Results().Len() > 0 || f.Fn.Pkg == nil || model.HandlerOf(sig, f.Fn.Pkg.Pkg) == nil {
		return false
	}
	return slices.ContainsFunc(f.deciders(l.all, act.Block()), func(d decider) bool {
		return slices.ContainsFunc(f.Fn.Blocks, func(b *ssa.BasicBlock) bool {
			return f.leads(d.other, b) && !f.leads(act.Block(), b) && slices.ContainsFunc(b.Instrs, f.replies)
		})
	})
}

// replies reports whether an instruction is a call by which a handler replies: it does something with what
// the handler got to answer by.
func (f *Func) replies(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || model.Prints(fn) && (len(args) == 0 || !f.given(args[0])) {
		return false
	}
	return slices.ContainsFunc(args, f.given)
}

// given reports whether a value is a parameter other than the request itself.
func (f *Func) given(v ssa.Value) bool {
	p, ok := ssautil.Unwrap(v).(*ssa.Parameter)
	if !ok || p.Parent() != f.Fn || f.Fn.Signature.Recv() != nil && p == f.Fn.Params[0] {
		return false
	}
	switch types.TypeString(p.Type(), nil) {
	case "*net/http.Request", "context.Context":
		return false
	}
	return true
}
