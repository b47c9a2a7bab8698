package transfer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// known reports what the code says of a value: see knownValue. The error of a context that has
// ended is not nil.
func (a *analysis) known(v ssa.Value, test locks.Test) (is, known bool) {
	if is, known = knownValue(v, test); known || test != locks.Nil {
		return is, known
	}
	err, ok := v.(*ssa.Call)
	if !ok {
		return false, false
	}
	fn, args := ssautil.Callee(&err.Call)
	return false, model.TellsEnd(fn) && len(args) > 0 && a.ended(args[0], err)
}

// ended reports whether a context has ended wherever control comes to an instruction: what its end
// closes was received from before, in a case of a select, too, or its error was found not to be nil.
func (a *analysis) ended(ctx ssa.Value, at ssa.Instruction) bool {
	for b := at.Block(); b != nil; b = b.Idom() {
		for _, instr := range b.Instrs {
			if instr == at {
				break
			}
			if recv, ok := instr.(*ssa.UnOp); ok && recv.Op == token.ARROW && a.endOf(recv.X, ctx) {
				return true
			}
		}
		if len(b.Preds) != 1 {
			continue
		}
		br, ok := last(b.Preds[0]).(*ssa.If)
		if ok && br.Block().Succs[0] != br.Block().Succs[1] && a.saysEnded(br.Cond, b == br.Block().Succs[0], ctx) {
			return true
		}
	}
	return false
}

// saysEnded reports whether a condition with this outcome says that a context has ended.
func (a *analysis) saysEnded(cond ssa.Value, holds bool, ctx ssa.Value) bool {
	if sel, k, ok := ssautil.SelectCase(cond); ok {
		return holds && sel.States[k].Dir == types.RecvOnly && a.endOf(sel.States[k].Chan, ctx)
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || nilCompared(cmp) == nil || holds != (cmp.Op == token.NEQ) {
		return false
	}
	err, ok := nilCompared(cmp).(*ssa.Call)
	if !ok {
		return false
	}
	fn, args := ssautil.Callee(&err.Call)
	return model.TellsEnd(fn) && len(args) > 0 && a.oneContext(args[0], ctx)
}

// endOf reports whether a channel is the one that the end of a context closes.
func (a *analysis) endOf(ch, ctx ssa.Value) bool {
	done, ok := variable(ssautil.Unwrap(ch)).(*ssa.Call)
	if !ok {
		return false
	}
	fn, args := ssautil.Callee(&done.Call)
	return model.GivesEnd(fn) && len(args) > 0 && a.oneContext(args[0], ctx)
}

// oneContext reports whether two values are the same context: one value, what one variable or field
// holds, or what one method without parameters gives of one object, as that of a request does.
func (a *analysis) oneContext(x, y ssa.Value) bool {
	for range maxContextOf {
		if x, y = variable(ssautil.Unwrap(x)), variable(ssautil.Unwrap(y)); x == y {
			return true
		}
		cx, ok := x.(*ssa.Call)
		cy, also := y.(*ssa.Call)
		if !ok || !also {
			break
		}
		fx, ax := ssautil.Callee(&cx.Call)
		fy, ay := ssautil.Callee(&cy.Call)
		if fx == nil || fx != fy || fx.Signature().Recv() == nil || len(ax) != 1 || len(ay) != 1 {
			return false
		}
		x, y = ax[0], ay[0]
	}
	p := a.Paths.Of(x)
	return p.Known() && p.Depth() > 0 && !hasElement(p) && p == a.Paths.Of(y)
}

// maxContextOf bounds the methods, one of what the other gives, by which a context is named.
const maxContextOf = 4
