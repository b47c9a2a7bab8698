package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// idleOf names the moment at which nothing runs any more of what the object of a method call was given to run.
func (a *analysis) idleOf(call *ssa.CallCommon) accesspath.Path {
	_, args := ssautil.Callee(call)
	if len(args) == 0 {
		return accesspath.Path{}
	}
	object := a.Paths.Of(args[0])
	if !object.Known() {
		return object
	}
	return a.on(object, idle)
}

// idleAt names that moment where a receive waits for it, on the channel that a method gives for that. Nothing is called between
// the two: what is given to run by then may not be waited for, since the channel may have been closed before.
func (a *analysis) idleAt(recv *ssa.UnOp) accesspath.Path {
	if recv.Op != token.ARROW {
		return accesspath.Path{}
	}
	call, ok := ssautil.Unwrap(recv.X).(*ssa.Call)
	if !ok || a.effects[call] == nil || call.Block() != recv.Block() {
		return accesspath.Path{}
	}
	between := call.Block().Instrs[slices.Index(call.Block().Instrs, ssa.Instruction(call))+1:]
	between = between[:slices.Index(between, ssa.Instruction(recv))]
	if slices.ContainsFunc(between, func(i ssa.Instruction) bool { _, calls := i.(ssa.CallInstruction); return calls }) {
		return accesspath.Path{}
	}
	e := a.effects[call]
	if e.own != 1 || e.targets[0].sum == nil || e.targets[0].sum.Work != summary.GivesEnd {
		return accesspath.Path{}
	}
	return a.idleOf(e.call)
}
