package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// refuses reports whether a block returns at once, on one side of a question that the
// function begins with: whether a flag of the object says that it does not run, or is being
// ended already. Then nothing has been started, or another one waits for its end.
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

// flag reports whether a condition is a truth value of the object, or tells one.
func (a *analysis) flag(cond ssa.Value) bool {
	switch v := cond.(type) {
	case *ssa.UnOp:
		if p := a.Paths.Of(v.X); p.Root().Kind == accesspath.Param && p.Depth() > 0 {
			return true
		}
		return a.flag(v.X)
	case *ssa.BinOp:
		_, number := v.Y.(*ssa.Const)
		return number && !ssautil.IsNil(v.Y) && a.flag(v.X)
	case *ssa.Call:
		fn, args := ssautil.Callee(&v.Call)
		if model.Flag(fn) != model.FlagNone {
			return true
		}
		own := fn != nil && a.fn.Pkg != nil && fn.Pkg() == a.fn.Pkg.Pkg
		return own && len(args) == 1 && a.Paths.Of(args[0]).Root().Kind == accesspath.Param
	}
	return false
}

// onlyAsks reports whether a block changes nothing but flags, and waits for nothing but locks.
func (a *analysis) onlyAsks(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Call:
			fn, _ := ssautil.Callee(&instr.Call)
			return !a.flag(instr) && !isLock(model.Lookup(fn).Kind)
		case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Select:
			return true
		}
		return false
	})
}

func isLock(k model.Kind) bool {
	switch k {
	case model.Lock, model.Unlock, model.RLock, model.RUnlock, model.TryLock, model.TryRLock:
		return true
	}
	return false
}
