package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// refuses reports whether a block returns at once, on one side of a question that the
// function begins with: whether a flag of the object, which it sets itself, says that it does
// not run, or is being ended already. Then nothing has been started, or another one waits for
// its end.
func (a *analysis) refuses(b *ssa.BasicBlock) bool {
	asked := false
	for at := b; at != a.fn.Blocks[0]; at = at.Preds[0] {
		if len(at.Preds) != 1 {
			return false
		}
		br, ok := last(at.Preds[0]).(*ssa.If)
		if ok && !a.flag(br.Cond) {
			return false
		}
		if asked = asked || ok; !a.onlyAsks(at) {
			return false
		}
	}
	return asked && a.onlyAsks(a.fn.Blocks[0])
}

// flag reports whether a condition tells whether the function has set an atomic flag of the
// object, or is a truth value of the object that the function sets on its other side.
func (a *analysis) flag(cond ssa.Value) bool {
	switch v := cond.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return a.setsItself(a.Paths.Of(v.X))
		}
		return a.flag(v.X)
	case *ssa.BinOp:
		_, number := v.Y.(*ssa.Const)
		return number && !ssautil.IsNil(v.Y) && a.flag(v.X)
	case *ssa.Call:
		fn, _ := ssautil.Callee(&v.Call)
		op := model.Flag(fn)
		return op == model.FlagClaim || op == model.FlagSwap
	}
	return false
}

// setsItself reports whether the function stores to a field of one of its parameters.
func (a *analysis) setsItself(field accesspath.Path) bool {
	if field.Root().Kind != accesspath.Param || field.Depth() == 0 {
		return false
	}
	return slices.ContainsFunc(a.fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			st, ok := instr.(*ssa.Store)
			return ok && a.Paths.Of(st.Addr) == field
		})
	})
}

// onlyAsks reports whether a block changes nothing but flags, and waits for nothing but locks.
func (a *analysis) onlyAsks(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Call:
			fn, _ := ssautil.Callee(&instr.Call)
			return !a.flag(instr) && !model.Lookup(fn).Kind.Locks()
		case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Select:
			return true
		}
		return false
	})
}
