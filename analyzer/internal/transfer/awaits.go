package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// awaits notes that the goroutine which a run is in ends before the function
// returns, where that holds of all that starts at instr and may run the same. Several run it where
// another one starts before it has ended.
func (a *analysis) awaits(instr ssa.CallInstruction, o *open, r *summary.Run) {
	if r.Fate != callback.Goroutine {
		return
	}
	known, again := false, false
	if o.leaves && !a.awaitsLeft(instr, o.through, r.Func) {
		a.several(instr, r, a.reach.InLoop(instr) && a.repeats(r.Func, instr))
		return
	}
	for _, st := range a.starts {
		c := &a.sum.Calls[st.call]
		if st.instr != ssa.Instruction(instr) || !a.mayRun(c.Callee, r.Func) {
			continue
		}
		if c.Leaves {
			a.several(instr, r, (c.Many || st.again && !a.oneAtATime(instr)) && a.repeats(r.Func, instr))
			return
		}
		known, again = true, again || st.again
	}
	if !known {
		var ok bool
		if again, ok = a.groupEnds(instr); !ok {
			a.several(instr, r, a.reach.InLoop(instr) && a.repeats(r.Func, instr) && !a.oneAtATime(instr))
			return
		}
	}
	r.Fate = callback.Awaited
	a.several(instr, r, again && a.repeats(r.Func, instr) && !a.oneAtATime(instr))
}

// awaitsLeft reports whether the function waits for what a literal leaves running, by whatever way that is started: for
// each that is known by its literal, awaits asks, and of others the literal's summary says on what they signal.
func (a *analysis) awaitsLeft(instr ssa.CallInstruction, t *target, f accesspath.Path) bool {
	for _, st := range a.starts {
		if c := &a.sum.Calls[st.call]; st.instr == ssa.Instruction(instr) && c.Callee != t.key && a.mayRun(c.Callee, f) {
			return true
		}
	}
	return t.sum.Lives != nil && !a.whileRunning(instr, summary.Signals{On: a.substituteAll(t.sum.Lives.On, t, instr), Any: t.sum.Lives.Any}).out
}

// mayRun reports whether a goroutine may run a function that only the callers know, as far as the summary of what
// it does tells: what else is started beside it may go on.
func (a *analysis) mayRun(goroutine any, f accesspath.Path) bool {
	sum := a.Summary(goroutine)
	return sum == nil || slices.ContainsFunc(sum.Runs, func(r summary.Run) bool {
		return r.Func == f || r.Func.Root().Fn == goroutine
	})
}

// several notes whether another goroutine like the one that a run is in can start while it
// runs, and on what that depends.
func (a *analysis) several(instr ssa.CallInstruction, r *summary.Run, many bool) {
	switch {
	case !many:
	case r.Many:
		r.Room = accesspath.Path{}
	default:
		r.Many = true
		if n := a.atMost(instr); n != nil {
			r.Room = a.room(n)
		}
	}
}

// groupEnds reports whether the function waits for the group that runs what it was
// itself given, and whether it can start another one before.
func (a *analysis) groupEnds(instr ssa.CallInstruction) (again, ok bool) {
	e := a.effects[instr]
	if e == nil || e.model.Kind != model.Spawn || e.recv == nil {
		return false, false
	}
	after := a.whileRunning(instr, summary.Signals{On: []accesspath.Path{a.Paths.Of(e.recv)}})
	return after.has(instr), !after.out
}
