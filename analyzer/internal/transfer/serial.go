package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An opened is a run of a function that only the callers know, at the call that makes it.
type opened struct {
	at  ssa.CallInstruction
	run summary.Run
	// common are those of its locks that all goroutines have in common which are started there.
	common []locks.Held
}

// addOpened adds the runs of functions that only the callers know. Several goroutines that run
// one under a lock which they have in common count as one: it runs one at a time. Whether
// that lock has a name outside does not matter: it may be made by each call.
func (a *analysis) addOpened(runs []opened) {
	for i := range runs {
		r := runs[i].run
		if r.Lone && a.accompanied(&runs[i], runs) {
			r.Many = true
		}
		switch {
		case !r.Many:
		case len(runs[i].common) == 0:
			r.Held = a.sharedLocks(r.Held, runs[i].at)
		case a.accompanied(&runs[i], runs):
			r.Held = locks.Reached() // they keep nothing apart
		default:
			r.Many, r.Turns = false, true
		}
		a.sum.AddRun(r)
	}
}

// accompanied reports whether the function is also run otherwise while those
// goroutines go on, and the lock that they have in common does not keep that out.
func (a *analysis) accompanied(o *opened, runs []opened) bool {
	for i := range runs {
		other := &runs[i]
		if other == o || other.run.Func != o.run.Func || locks.Excludes(o.common, other.run.Held.Held()) {
			continue
		}
		if _, deferred := other.at.(*ssa.Defer); deferred || other.at == o.at || a.goesOn(o, other) || a.goesOn(other, o) {
			return true
		}
	}
	return false
}

// goesOn reports whether a run is in goroutines that may still go on where another one is.
func (a *analysis) goesOn(o, other *opened) bool {
	if !o.run.Fate.Has(callback.Goroutine | callback.Awaited) {
		return false
	}
	var sig summary.Signals
	for _, st := range a.starts {
		if st.instr == ssa.Instruction(o.at) {
			sig = a.sum.Calls[st.call].Signals
		}
	}
	if e := a.effects[o.at]; e != nil && e.recv != nil {
		sig.On = append(slices.Clip(sig.On), a.Paths.Of(e.recv)) // the group, if it is one
	}
	return a.whileRunning(o.at, sig).has(other.at)
}

// inCommon returns those locks held for writing around a run that are the same for all goroutines
// that instr starts.
func (a *analysis) inCommon(held locks.State, instr ssa.Instruction) []locks.Held {
	return slices.DeleteFunc(slices.Clone(held.Held()), func(h locks.Held) bool {
		return h.Mode != locks.Write || !a.lasts(h.Lock, instr)
	})
}

// sharedLocks leaves out the locks that each goroutine may have another one of. Outside, they would have one name.
func (a *analysis) sharedLocks(held locks.State, instr ssa.Instruction) locks.State {
	return held.Map(locks.Subst{
		Lock: func(p accesspath.Path) accesspath.Path {
			if a.lasts(p, instr) {
				return p
			}
			return accesspath.Path{}
		},
		Cond:    func(c locks.Cond) (locks.Cond, locks.Verdict) { return c, locks.If },
		Section: func(s locks.Section) locks.Section { return s },
	})
}

// lasts reports whether a path names one object however often control comes to instr.
func (a *analysis) lasts(p accesspath.Path, instr ssa.Instruction) bool {
	return p.Lasts(func(v ssa.Value) bool {
		made, ok := v.(ssa.Instruction)
		switch {
		case !ok:
			return false
		case made.Parent() == a.fn:
			return made.Block() != nil && !a.reach.Blocks(instr.Block(), made.Block())
		}
		for fn := a.fn.Parent(); fn != nil; fn = fn.Parent() {
			if fn == made.Parent() {
				return true
			}
		}
		return false
	})
}

// startedOpen is goEffect with the runs of what only callers know as those of a goroutine.
func (a *analysis) startedOpen(instr *ssa.Go) *effect {
	e := a.goEffect(instr)
	for i := range e.open {
		o := &e.open[i]
		o.called = false // what a goroutine gets may be another's by then
		o.run.Fate, o.run.Tended = o.run.Fate.Through(callback.Goroutine), false
	}
	return e
}

// runnersLock expresses a lock that a runner holds around what it runs. One that each call of the runner makes, once,
// is a part of that call: it is the same one for all that this call runs.
func (a *Env) runnersLock(p accesspath.Path, callee target, at ssa.Instruction) accesspath.Path {
	q := a.substituteLock(p, callee, at)
	call, ok := at.(*ssa.Call)
	if q.Known() || callee.closure || !ok {
		return q
	}
	made, ok := p.Root().Val.(ssa.Instruction)
	if !ok || made.Block() == nil || accesspath.FuncKey(made.Parent()) != callee.key || ssautil.Again(made.Block(), nil) {
		return q
	}
	name := a.Paths.Root(accesspath.Root{Kind: accesspath.Const, Const: "of " + p.Root().Val.Name()})
	return a.Paths.Rebase(p, a.Paths.Root(p.Root()), a.Paths.Elem(a.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: call}), name))
}
