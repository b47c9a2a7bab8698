package threads

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// startedInLoop reports whether a loop calls the function that starts a
// goroutine, or runs it in one, each time on the same object.
func (t *Theory) startedInLoop(f *infer.Func) bool {
	for _, s := range t.pkg.CallersOf(f) {
		if s.Call.Claimed && (f.SSA.Parent() != nil || len(s.Call.Args) > 0 && s.Call.Args[0].OneWith(s.Call.Claim, t.pkg.SetAtFirst)) {
			continue // one round makes the call
		}
		waits := s.Call.Start != nil && !s.Call.Again // for the goroutine of the round before
		if !s.Call.Looped || waits || s.Call.Kind != summary.Direct && s.Call.Kind != summary.Goroutine {
			continue
		}
		if f.SSA.Parent() != nil {
			return len(f.SSA.FreeVars) > 0
		}
		if f.SSA.Signature.Recv() != nil && len(s.Call.Args) > 0 && s.Call.Args[0].Depth() == 0 && outlasts(s, s.Call.Args[0].Root()) {
			return true
		}
	}
	return false
}

// outlasts reports whether an object is the same one in all rounds of the loop around a call.
func outlasts(s infer.CallSite, r accesspath.Root) bool {
	if r.Kind == accesspath.Param || r.Kind == accesspath.Global {
		return true
	}
	made, ok := r.Val.(*ssa.Alloc)
	call := s.Call.Point.Instr(s.Caller.SSA)
	return ok && call != nil && made.Parent() == s.Caller.SSA && !s.Caller.Reach().Blocks(call.Block(), made.Block())
}

// sameObject reports whether several goroutines at a time work on the object
// of a visit: not on the elements of a container, one each, nor on one that the
// starter takes off a queue; not on what each
// round of the loop makes anew; and not, when it is the starter that a loop
// calls, on an object that the starter makes.
func (t *Theory) sameObject(v *Visit, looped bool) bool {
	if t.claimed(v.Thread, v.Path) || t.claimedInTurn(v.Thread, v.Path) {
		return false
	}
	for p := v.Path; p.Known(); p = p.Parent() {
		if p.IsElem() && (p.Key().Root().Kind != accesspath.Const || t.takesOff(v.Thread, p.Parent())) {
			return false
		}
	}
	if c := v.Thread.call; c != nil && slices.Contains(c.Renewed, t.pkg.Paths.Root(v.Path.Root())) {
		return false
	}
	if v.Path.Root().Kind == accesspath.Global && (v.Thread.again() || v.Thread.lone) {
		return true
	}
	if v.Thread.lone && v.Thread.call.Leaves && v.Path.Root().Kind == accesspath.Param && !t.pkg.OwnParts(v.Path.Trunk()) {
		return true // the one goroutine of another object may have the same map
	}
	if c := v.Thread.call; c != nil && c.Lone && c.Leaves && v.Path.Root().Kind == accesspath.Param && t.pkg.CalledAgain(v.Thread.Starter) {
		return true
	}
	if c := v.Thread.call; c != nil && c.Turns && v.Path.Root().Kind == accesspath.Global && len(v.Held) > 0 {
		return true // another call may have another lock for its turns
	}
	return v.Thread.Times == Many || looped && v.Path.Root().Kind != accesspath.Value
}

// claimed reports whether a goroutine is started by who has claimed a flag for good, of the object from which a path leads
// on: there is no second one at it.
func (t *Theory) claimed(th *Thread, p accesspath.Path) bool {
	return th.call != nil && th.call.Claimed && p.OneWith(th.call.Claim, t.pkg.SetAtFirst)
}

// claimedInTurn reports whether it is started by who has claimed a flag that is set back when it has ended.
func (t *Theory) claimedInTurn(th *Thread, p accesspath.Path) bool {
	return th.call != nil && th.call.Start != nil && p.OneWith(th.call.Latch, t.pkg.SetAtFirst) && t.pkg.EndsFirst(th.call)
}

// either reports whether one of two goroutines is never started: two functions claim one flag for good, each to start one.
func (t *Theory) either(a, b *Visit) bool {
	return a.Thread.Starter != b.Thread.Starter && t.claimed(a.Thread, a.Path) && t.claimed(b.Thread, b.Path) && Apart(a.Thread.call.Claim, b.Thread.call.Claim)
}

// excludes reports whether a goroutine is started by who has claimed a flag for good: then no other call makes the access that
// who claims the same flag makes there.
func (t *Theory) excludes(v *Visit, claim accesspath.Path) bool {
	return t.claimed(v.Thread, v.Path) && Apart(v.Thread.call.Claim, claim)
}

// again reports whether a loop starts another goroutine like this one while it may go on.
func (th *Thread) again() bool { return th.call != nil && th.call.Again && !th.lone }

// KeptApart reports whether locks keep two visits apart: both hold one, and not both for reading. Goroutines of
// one start must have it in common: it is not one that each round of a loop makes, or finds in a container, unless those of
// one round end before the next one.
func KeptApart(a, b *Visit) bool {
	held := a.Held
	if sameStart(a.Thread, b.Thread) {
		held = a.Thread.common(held, a.Path)
	}
	return locks.Excludes(held, b.Held)
}

// common returns those locks that all goroutines of one start have in common which come to the object at a path.
func (th *Thread) common(held []locks.Held, object accesspath.Path) []locks.Held {
	if th.call == nil {
		return held // a server has its own
	}
	start := th.call.Point.Instr(th.Starter.SSA)
	return slices.DeleteFunc(slices.Clone(held), func(h locks.Held) bool {
		return !h.Lock.Lasts(func(v ssa.Value) bool {
			made, ok := v.(ssa.Instruction)
			if !ok || made.Parent() != th.Starter.SSA {
				in, some := v.(interface{ Parent() *ssa.Function })
				return some && in.Parent() != nil && inside(th.Starter.SSA, accesspath.FuncKey(in.Parent()))
			}
			return start == nil || made.Block() == nil || th.together() || !th.comesTo(made.Block(), object)
		})
	})
}

// comesTo reports whether control can come to a block between two starts of goroutines that have an object in common: not only by way of
// where that is made anew.
func (th *Thread) comesTo(block *ssa.BasicBlock, object accesspath.Path) bool {
	start := th.call.Point
	made, ok := object.Root().Val.(ssa.Instruction)
	if !ok || made.Parent() != th.Starter.SSA || made.Block() == nil {
		return th.Starter.Reach().Blocks(start.Instr(th.Starter.SSA).Block(), block)
	}
	return th.Starter.Flow.ReachesPast(made.Block(), start, ssautil.Point{Block: int32(block.Index)})
}

// together reports whether goroutines of one start that run at one time were all started by one call: they have ended
// before a loop comes to the next one.
func (th *Thread) together() bool {
	return th.call.Start != nil && !th.again() && !th.Registered && th.Queue == ""
}
