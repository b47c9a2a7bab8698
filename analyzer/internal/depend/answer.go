package depend

import (
	"go/constant"
	"go/types"
	"net/http"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// answered reports whether the one who sent a request learns that the entry was not put in: a server's
// handler, which has no results for that, refuses the request where the look turned it away from the act,
// and does not do so behind the act.
func (f *Func) answered(l *Look, act ssa.Instruction) bool {
	sig := f.Fn.Signature
	if sig.Results().Len() > 0 || f.Fn.Pkg == nil || model.HandlerOf(sig, f.Fn.Pkg.Pkg) == nil {
		return false
	}
	done := f.refusals(act.Block(), nil)
	return slices.ContainsFunc(f.deciders(l.all, act.Block()), func(d decider) bool {
		return slices.ContainsFunc(f.refusals(d.other, act.Block()), func(code int64) bool { return !slices.Contains(done, code) })
	})
}

// refusals returns the codes with which requests are refused from a block on, on ways that another one does
// not lead to, if that is given.
func (f *Func) refusals(from, without *ssa.BasicBlock) (codes []int64) {
	for _, b := range f.Fn.Blocks {
		if !f.leads(from, b) || without != nil && f.leads(without, b) {
			continue
		}
		for _, instr := range b.Instrs {
			if code, ok := f.refuses(instr); ok {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// refuses returns the code of the status with which a call refuses a request, by what the handler got to
// answer with: an error of the client or of the server (RFC 9110, section 15).
func (f *Func) refuses(instr ssa.Instruction) (code int64, ok bool) {
	call, isCall := instr.(*ssa.Call)
	if !isCall {
		return 0, false
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || !slices.ContainsFunc(args, f.given) {
		return 0, false
	}
	if fn.FullName() == "net/http.NotFound" {
		return http.StatusNotFound, true
	}
	for _, arg := range args {
		k, isConst := arg.(*ssa.Const)
		if !isConst || k.Value == nil || k.Value.Kind() != constant.Int {
			continue
		}
		if status := k.Int64(); 400 <= status && status < 600 {
			return status, true
		}
	}
	return 0, false
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
