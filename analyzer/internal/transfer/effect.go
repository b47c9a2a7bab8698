package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

func (e *effect) changesLocks() bool { return len(e.does) > 0 || e.wait != 0 || e.away }

// apply is the call's effect on the locks.
func (e *effect) apply(s locks.State) locks.State {
	if e.away {
		return locks.State{}
	}
	for _, d := range e.does {
		s = s.After(d)
	}
	if e.wait != 0 {
		s = s.Reacquire(e.wait, func(l locks.Lock) bool { return l.Mode == locks.Write })
	}
	return s
}

func (e *effect) do(exit locks.State) {
	if d := locks.EffectOf(exit); !d.None() {
		e.does = append(e.does, d)
	}
}

// sectionKey says which section of a callee, 0 for the call's own, a section
// of this function is.
type sectionKey struct {
	call  int32
	slot  int32 // of a function that the callee runs
	inner locks.Section
}

// section numbers what happens at a call.
func (a *analysis) section(call int32, inner locks.Section) locks.Section {
	return a.sectionOf(sectionKey{call: call, inner: inner})
}

func (a *analysis) sectionOf(k sectionKey) locks.Section {
	n, ok := a.sections[k]
	if !ok {
		n = locks.Section(len(a.sections) + 1)
		a.sections[k] = n
	}
	return n
}

// numbering numbers the sections of what runs at a call.
func (a *analysis) numbering(call int32) func(locks.Section) locks.Section {
	return func(s locks.Section) locks.Section { return a.section(call, s) }
}

// inTerms expresses what is held in a callee in the terms of its caller.
func (a *analysis) inTerms(e *effect, t *target, own bool) locks.Subst {
	return locks.Subst{
		Lock: func(p accesspath.Path) accesspath.Path {
			if p.Root().Kind == accesspath.Result && !own {
				return accesspath.Path{} // of what the callee runs, it is no result of the call
			}
			return a.substituteLock(p, *t, e.instr)
		},
		Each: func(p accesspath.Path) []accesspath.Path {
			if p.Root().Kind == accesspath.Result && !own {
				return nil
			}
			return a.namesAt(p, *t, e.instr)
		},
		Reading: func(p accesspath.Path) bool { return a.readLock(p, *t) },
		Cond: func(c locks.Cond) (locks.Cond, locks.Verdict) {
			if v, known := decidedAt(c, t); known {
				return c, v
			}
			d, v := a.condAt(c, e, t, own)
			if v == locks.Unknown {
				return locks.Guess, locks.If
			}
			return d, v
		},
		Section: func(s locks.Section) locks.Section { return a.sectionOf(sectionKey{e.id, t.slot, s}) },
	}
}

// condAt expresses a callee's condition at a call: on a parameter that gets a
// constant it is decided.
func (a *analysis) condAt(c locks.Cond, e *effect, t *target, own bool) (locks.Cond, locks.Verdict) {
	if c.Result > 0 {
		results := a.resultValues(e.instr)
		if !own || c.Result > len(results) || results[c.Result-1] == nil {
			return c, locks.Unknown
		}
		return a.valueIs(results[c.Result-1], c)
	}
	r := c.Val.Root()
	if r.Kind == accesspath.Param && r.Fn == t.key && c.Val.Depth() == 0 {
		if r.Index >= len(t.args) {
			return c, locks.Unknown
		}
		return a.valueIs(t.args[r.Index], c)
	}
	if fn, ok := t.key.(*ssa.Function); ok && r.Val != nil && r.Val.Parent() == fn {
		return c, locks.Unknown // the literal's own
	}
	if c.Left.Known() && c.Val.IsComputed() {
		return a.sameAt(c, e, t)
	}
	c = c.Abroad()
	c.Val = a.substitute(c.Val, *t, e.instr)
	if !a.tests.ask(c) {
		return c, locks.Unknown
	}
	return c, locks.If
}

// sameAt expresses a callee's condition that two objects are one.
func (a *analysis) sameAt(c locks.Cond, e *effect, t *target) (locks.Cond, locks.Verdict) {
	x, y := a.unordered(a.substitute(c.Left, *t, e.instr), a.substitute(c.Right, *t, e.instr))
	same := a.equality(x, y)
	same.Holds = c.Holds
	if !same.Known() || !a.tests.ask(same) {
		return c, locks.Unknown
	}
	return same, locks.If
}

// valueIs returns the condition that a value of this function is as c says.
func (a *analysis) valueIs(v ssa.Value, c locks.Cond) (locks.Cond, locks.Verdict) {
	if is, known := a.known(v, c.Test); known {
		if is != c.Holds {
			return c, locks.Never
		}
		return c, locks.Unknown
	}
	d, ok := a.outcome(v, c.Test, c.Holds)
	if !ok || !a.tests.ask(d) {
		return c, locks.Unknown
	}
	return d, locks.If
}

// fromSummaries applies the lock effects of callees with bodies. Of several
// functions that the call may run, it does what one of them does; one of which
// that is not known does nothing.
func (a *analysis) fromSummaries(e *effect) bool {
	var lattice locks.Lattice
	var own locks.State
	for i := range e.targets {
		t := &e.targets[i]
		exit := locks.Reached()
		if t.sum != nil && t.kind == summary.Direct && t.sure == certain && !t.sum.Effect.None() {
			at := a.inTerms(e, t, i < e.own)
			if !a.Component.has(t.key) { // else its number would never settle
				at.Whole = a.section(e.id, -1)
			}
			exit = t.sum.Effect.Exit().Map(at)
		}
		if a.away(e, t) {
			exit = locks.State{}
		}
		if i >= e.own {
			e.do(exit)
			continue
		}
		if own = lattice.Merge(own, exit); i == e.own-1 {
			e.do(own)
			e.away = own.IsTop()
		}
	}
	return len(e.does) > 0 || e.away
}

// away reports whether a call of a function of the component does not come back, as far as is known yet.
func (a *analysis) away(e *effect, t *target) bool {
	_, now := e.instr.(*ssa.Call)
	return now && t.kind == summary.Direct && t.sure == certain && a.Component.isPending(t.key)
}

// fromModel applies a library function's effect on locks.
func (a *analysis) fromModel(e *effect) {
	if e.call.Value == nil {
		return
	}
	if e.model.Kind == model.None {
		if !a.fromKeyed(e) {
			a.fromReleaser(e)
		}
		return
	}
	if e.recv == nil || copiedLock(e.recv) {
		return
	}
	switch e.model.Kind {
	case model.Acquire, model.TryAcquire, model.Release:
		a.fromSemaphore(e)
		return
	}
	names, reading := a.namesOf(e.recv)
	if reading && e.model.Kind == model.Lock {
		e.model.Kind = model.RLock
	}
	hold := func(m locks.Mode) locks.State { return taken(names, m, a.section(e.id, 0)) }
	switch e.model.Kind {
	case model.Lock:
		e.do(hold(locks.Write))
	case model.RLock:
		e.do(hold(locks.Read))
	case model.Unlock, model.RUnlock:
		e.do(givenBack(names))
	case model.TryLock:
		e.do(a.ifTrue(e.instr, hold(locks.Write), locks.Reached()))
	case model.TryRLock:
		e.do(a.ifTrue(e.instr, hold(locks.Read), locks.Reached()))
	case model.CondWait:
		e.wait = a.section(e.id, 0)
	}
}

// taken returns the effect of a call that takes a lock, by all its names.
func taken(names []accesspath.Path, m locks.Mode, sec locks.Section) locks.State {
	s := locks.Reached()
	for _, lock := range names {
		s = s.Acquire(lock, m, sec.Of())
	}
	return s
}

// givenBack returns the effect of a call that gives a lock back, by all its names.
func givenBack(names []accesspath.Path) locks.State {
	s := locks.Reached()
	for _, lock := range names {
		s = s.Release(lock)
	}
	return s
}

// ifTrue returns the effect of a call that does the one thing to locks if it returns true, and the other if it does not.
func (a *analysis) ifTrue(instr ssa.CallInstruction, yes, no locks.State) locks.State {
	v, ok := instr.(*ssa.Call)
	if !ok || len(*v.Referrers()) == 0 {
		return locks.Reached() // not asked whether it did
	}
	return a.ifResult(v, locks.True, yes, no)
}

// ifResult returns the effect of a call that does the one thing to locks if a test of what it returns holds, and the
// other if it does not.
func (a *analysis) ifResult(v *ssa.Call, test locks.Test, yes, no locks.State) locks.State {
	var lattice locks.Lattice
	c, ok := a.outcome(v, test, true)
	if !ok || !a.tests.ask(c) {
		return lattice.Merge(yes, no)
	}
	return lattice.Merge(yes.Assume(c), no.Assume(c.Not()))
}

// fromReleaser handles "defer c.lock()()": calling a result that unlocks.
func (a *analysis) fromReleaser(e *effect) {
	c, index := ssautil.CallResult(e.call.Value)
	if c == nil {
		return
	}
	fn, args := ssautil.Callee(&c.Call)
	for _, t := range a.targets(&c.Call, fn, args) {
		if t.sum == nil || index >= len(t.sum.Results) {
			continue
		}
		for _, l := range t.sum.Results[index].Releases {
			if p := a.substitute(l, t, c); p.Known() {
				e.do(locks.Reached().Release(p))
			}
		}
	}
}

// Effect returns what a call of fn does to locks, and nothing else, and whether fn returns, as far as is known yet of the
// functions that it calls. That a function beyond the bound keeps all locks is an assumption, see [Analyze].
func Effect(fn *ssa.Function, env *Env) (_ locks.Effect, returns bool) {
	a := &analysis{Env: env, fn: fn, key: accesspath.FuncKey(fn), sum: newSummary(fn)}
	if fn.Blocks == nil || a.count() > MaxInstrs {
		return locks.Effect{}, true
	}
	if known := env.Summary(a.key); known != nil {
		a.sum.Results = known.Results
	}
	a.reach = a.Component.reachOf(fn)
	a.dep = a.dependences()
	if a.prepare(); !a.locks {
		return locks.Effect{}, true
	}
	a.feasible = a.Component.feasibleOf(fn)
	a.solve()
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			a.exits = append(a.exits, leaving{a.stateAt(ret), ret})
		}
	}
	a.effect()
	return a.sum.Effect, slices.ContainsFunc(a.exits, func(x leaving) bool { return !x.state.IsTop() })
}

// effect works out what a call of this function does to locks: what its
// returns have in common, case by case, in terms that callers know.
func (a *analysis) effect() {
	var lattice locks.Lattice
	exit := lattice.Ident()
	some := slices.ContainsFunc(a.exits, func(x leaving) bool { return len(x.state.Locks()) > 0 })
	for _, x := range a.exits {
		s := x.state
		if some && a.givesNone(x.ret) {
			continue
		}
		if some {
			s = a.byResults(a.tellResults(s, x.ret), x.ret)
		}
		exit = lattice.Merge(exit, s)
	}
	closure := a.fn.Parent() != nil
	nameable := func(p accesspath.Path) bool {
		r := p.Root()
		return r.Kind == accesspath.Param || r.Kind == accesspath.Global || r.Kind == accesspath.Result || closure
	}
	a.sum.Effect = locks.EffectOf(exit.Map(locks.Subst{
		Lock: func(p accesspath.Path) accesspath.Path {
			if p = a.asGiven(p); !nameable(p) {
				return accesspath.Path{}
			}
			return p
		},
		Cond: func(c locks.Cond) (locks.Cond, locks.Verdict) {
			c.Val = a.asGiven(c.Val)
			v := c.Val.Root().Val
			if c == locks.Guess {
				return c, locks.Unknown
			}
			computed := c.Val.IsComputed() && !nameable(c.Val.Key())
			unnamed := !nameable(c.Val) || computed || v != nil && v.Parent() == a.fn
			if _, k := comparedParam(c); k == nil && c.Result == 0 && unnamed {
				return c, locks.Unknown
			}
			return c, locks.If
		},
		Section: func(s locks.Section) locks.Section { return s },
	}))
}

// tellResults adds to the state at a return what the results say of it: a
// constant, or a value of which the case knows something.
func (a *analysis) tellResults(s locks.State, ret *ssa.Return) locks.State {
	for i, v := range ret.Results {
		test, ok := testOf(v.Type())
		if !ok {
			continue
		}
		v = ssautil.Returned(ret, i)
		result := locks.Cond{Result: i + 1, Test: test}
		if is, known := a.known(v, test); known {
			result.Holds = is
			s = s.Assume(result)
		} else if c, ok := a.outcome(v, test, true); ok {
			result.Holds = true
			if !c.Holds { // the result is the opposite of what is known
				s = s.CopyNot(c, result)
			} else {
				s = s.Copy(c, result)
			}
		}
	}
	return s
}
