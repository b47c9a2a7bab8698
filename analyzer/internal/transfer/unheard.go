package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// unheard reports whether a goroutine whose body is unknown can run on when the function returns, since on some path
// that waits for nothing but channels which the goroutine cannot get at: it signals on what it is given, or on what
// others know, too.
func (a *analysis) unheard(start ssa.Instruction, sig summary.Signals) bool {
	call, ok := start.(ssa.CallInstruction)
	if !ok || !sig.Any {
		return false
	}
	sig.But = a.withheld(call)
	return len(sig.But) > 0 && a.whileRunning(start, sig).out
}

// withheld returns the channels for which the function waits that what starts at a call cannot get at.
func (a *analysis) withheld(start ssa.CallInstruction) (out []accesspath.Path) {
	for _, b := range a.fn.Blocks {
		for i := range a.joinsIn[b] {
			for _, p := range a.joinsIn[b][i].on {
				if p.Depth() == 0 && !slices.Contains(out, p) && a.withholds(start, p.Root().Val) {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// withholds reports whether a channel is made in the function, and only the function and literals that it runs by itself
// send on it, which learn nothing of what starts at a call.
func (a *analysis) withholds(start ssa.CallInstruction, v ssa.Value) bool {
	if v == nil {
		return false
	}
	ch := ssautil.ChanOf(v)
	if ch == nil || ch.Parent() != a.fn {
		return false
	}
	for _, use := range ssautil.ChanUses(a.fn, ch) {
		sends := signalled(use) != nil
		if _, receives := use.(*ssa.UnOp); !sends && !receives {
			return false
		}
		if sends && !a.sendsAlone(start, use.Parent()) {
			return false
		}
	}
	return true
}

// sendsAlone reports whether a function that sends is this one, or a literal that nothing but a statement of its own runs,
// and that waits for nothing which could tell it of the end of what starts at a call: then it would pass that on.
func (a *analysis) sendsAlone(start ssa.CallInstruction, fn *ssa.Function) bool {
	for ; fn != a.fn; fn = fn.Parent() {
		if fn == nil {
			return false
		}
		made := ssautil.MakerOf(fn)
		if made == nil || ssautil.Some(fn, func(instr ssa.Instruction) bool { return a.mayLearn(start, instr) }) {
			return false
		}
		for _, ref := range *made.Referrers() {
			if run, ok := ref.(ssa.CallInstruction); !ok || run == start || run.Common().Value != ssa.Value(made) || slices.Contains(run.Common().Args, ssa.Value(made)) {
				return false
			}
		}
	}
	return true
}

// mayLearn reports whether an instruction waits for what may be the end of what starts at a call: anything but a clock,
// and a channel of this function that the call does not get.
func (a *analysis) mayLearn(start ssa.CallInstruction, instr ssa.Instruction) bool {
	var channels []ssa.Value
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if ssautil.WaitsForChan(instr) {
			channels = append(channels, instr.X)
		}
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly {
				channels = append(channels, s.Chan)
			}
		}
	case *ssa.Call:
		fn, _ := ssautil.Callee(&instr.Call)
		return fn != nil && fn.Name() == "Wait"
	}
	return slices.ContainsFunc(channels, func(c ssa.Value) bool {
		if t, ok := c.Type().Underlying().(*types.Chan); ok && model.IsTime(t.Elem()) {
			return false
		}
		ch := ssautil.ChanOf(c)
		return ch == nil || ch.Parent() != a.fn || gets(start, ch)
	})
}

// gets reports whether a channel, or a literal that has it, is among what a call gets.
func gets(call ssa.CallInstruction, ch *ssa.MakeChan) bool {
	return slices.ContainsFunc(ssautil.HandedOver(call.Common()), func(v ssa.Value) bool { return ssautil.ChanOf(v) == ch })
}
