package transfer

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A way is how a call runs one of the functions among its arguments.
type way struct {
	fate callback.Fate // a single one
	// run and callee say what the runner does around it, when it is known.
	run    summary.Run
	callee *target
	// key is the lock that the library has around the run: on the key of a single flight,
	// or an actor.
	key accesspath.Path
}

// An open is a run of a function that only the callers know: a parameter.
type open struct {
	run summary.Run
	// called: the call itself runs it.
	called bool
	// through is the callee that runs it.
	through *target
	// leaves: through is a literal that may end before what it runs has ended.
	leaves bool
}

// functionArgs adds the functions among the arguments that the callee runs:
// at once, in a goroutine, once, or at a time unknown.
func (a *analysis) functionArgs(e *effect, args []ssa.Value) {
	own := slices.Clone(e.targets)
	a.openCallee(e, own)
	for i, arg := range args {
		if !a.functional(arg) {
			continue
		}
		ways := a.ways(e, own, args, i)
		for _, t := range a.resolve(arg, 0) {
			for _, w := range ways {
				w = a.asHandler(&t, w)
				if u, ok := a.along(e, t, w); ok {
					u.slot = int32(i) + 1
					u.listed = !u.many && u.kind == summary.Goroutine && a.listedAgain(arg, &u)
					u.many = u.many || u.listed
					if body(arg) {
						// What it does with locks on the way out of the
						// loop, the loop's next round does not see.
						u.sure = max(u.sure, either)
					}
					e.targets = append(e.targets, u)
					a.openThrough(e, &u, w)
				}
			}
		}
		for _, param := range a.params(arg) {
			for _, w := range ways {
				e.open = append(e.open, open{run: summary.Run{Func: param, Fate: w.fate, Held: locks.Reached(), Many: w.run.Many, Turns: w.run.Turns, Room: w.run.Room, Lone: w.run.Lone, Tended: w.run.Tended, Given: w.run.Given}, through: a.through(e, w)})
			}
		}
	}
}

// openCallee notes what the call runs for its callers: a parameter that is
// called, and what literals among the callees do with such.
func (a *analysis) openCallee(e *effect, own []target) {
	if !e.call.IsInvoke() {
		for _, param := range a.params(e.call.Value) {
			e.open = append(e.open, open{run: summary.Run{Func: param, Fate: callback.Now, Held: locks.Reached()}, called: true})
		}
	}
	for i := range own {
		a.openThrough(e, &own[i], way{fate: callback.Now})
	}
}

// openThrough notes the parameters of this function, or of one around it, that
// a literal runs when it is run that way.
func (a *analysis) openThrough(e *effect, t *target, w way) {
	if t.sum == nil || !t.closure {
		return
	}
	for _, r := range t.sum.Runs {
		if r.Func.Root().Fn != t.key {
			by := *t
			if !r.Fate.Within(callback.Now | callback.Deferred | callback.Once) {
				by.around = locks.State{} // it may go on when the literal has returned, or beside others that the literal starts
			}
			r.Many = r.Many || w.run.Turns && r.Fate == callback.Goroutine
			r.Tended = w.run.Tended && r.Fate.Within(callback.Now|callback.Deferred)
			leaves := r.Fate == callback.Goroutine // and not awaited there
			switch {
			case !r.Many:
				r.Room = w.run.Room
			case w.run.Many:
				r.Room = accesspath.Path{}
			}
			r.Fate, r.Many = r.Fate.Through(w.fate), r.Many || w.run.Many
			r.Turns, r.Lone = r.Turns || w.run.Turns, r.Lone || w.run.Lone
			e.open = append(e.open, open{run: r, through: &by, leaves: leaves})
		}
	}
}

// functional reports whether v is a function, or a container or an interface
// that holds functions.
func (a *analysis) functional(v ssa.Value) bool {
	return callback.Carries(ssautil.Unwrap(v).Type())
}

// params returns the function-typed parameters that v can be.
func (a *analysis) params(v ssa.Value) []accesspath.Path {
	if v == nil {
		return nil
	}
	switch v = ssautil.Unwrap(v); v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Builtin:
		return nil
	}
	var out []accesspath.Path
	for _, src := range a.sources(v) {
		if p, ok := src.(*ssa.Parameter); ok {
			out = append(out, a.Paths.Of(p))
		}
	}
	return out
}

// through returns the callee that runs the function, with the locks that it takes
// around it.
func (a *analysis) through(e *effect, w way) *target {
	var t, inner target
	if w.callee != nil {
		t = *w.callee
		t.sum = nil
		a.within(&inner, summary.Run{Held: w.run.Held}, *w.callee, e.instr)
	}
	if w.key.Known() {
		inner.inside(locks.Reached().Acquire(w.key, locks.Write, locks.Section(1).Of()))
	}
	inner.section(a.numbering(e.id))
	if !inner.around.IsTop() {
		if !t.around.IsTop() {
			inner.inside(t.around)
		}
		t.around = inner.around
	} else if w.callee == nil {
		return nil
	}
	return &t
}

// ways returns how a call runs its i-th argument.
func (a *analysis) ways(e *effect, own []target, args []ssa.Value, i int) []way {
	switch e.model.Kind {
	case model.Spawn:
		return []way{{fate: callback.Goroutine}}
	case model.Register:
		return []way{{fate: callback.Goroutine, run: summary.Run{Many: true}}}
	case model.Once:
		return []way{{fate: callback.Once}}
	case model.Flight, model.FlightApart:
		// One caller at a time for each key, which comes before the function: a lock on the key.
		key := args[e.model.Arg-1]
		path := a.dep.KeyOf(key)
		if k := constantOf(key); k != nil {
			path = a.Paths.Of(k)
		}
		lock := a.Paths.Elem(a.Paths.Of(args[0]), path)
		if e.model.Kind == model.FlightApart {
			return []way{{fate: callback.Goroutine, key: lock}}
		}
		return []way{{fate: callback.Now, key: lock}}
	case model.Turn:
		return []way{{fate: callback.Goroutine, key: a.actor(e, args)}}
	case model.TurnAwaited:
		return []way{{fate: callback.Now, key: a.actor(e, args)}}
	case model.None:
	default:
		return []way{{fate: callback.Now}}
	}
	var out []way
	known := false
	for j := range own {
		callee := &own[j]
		if callee.sum == nil {
			known = known || callee.closure
			continue
		}
		known = true
		param := a.Paths.ParamOf(callee.key, i)
		for _, r := range callee.sum.Runs {
			if r.Func == param {
				r = a.doubted(a.lone(r, callee.args), args[0])
				out = append(out, way{fate: r.Fate, run: r, callee: callee})
			}
		}
	}
	switch {
	case len(out) == 0 && body(args[i]):
		return []way{{fate: callback.Now}} // the body of a range-over-func loop
	case known:
		return out
	case a.unanalysed(e.call):
		return nil // of a recursive component; the next round knows more
	}
	return []way{{fate: callback.Likely}}
}

// constantOf returns the constant that a value is each time: one that a function of the package
// gives, which returns no other; nil if it is another one.
func constantOf(v ssa.Value) *ssa.Const {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return nil
	}
	var only *ssa.Const
	for _, r := range depend.Returns(call.Call.StaticCallee()) {
		k, ok := ssautil.ResultAt(r, 0).(*ssa.Const)
		if !ok || k.Value == nil || only != nil && !constant.Compare(k.Value, token.EQL, only.Value) {
			return nil
		}
		only = k
	}
	return only
}

// asHandler returns how a function runs that is given to one of which nothing is known: a
// handler in a goroutine of the library, unless what gives it serves a request itself, with
// whose goroutine it may go on.
func (a *analysis) asHandler(t *target, w way) way {
	if w.fate != callback.Likely {
		return w
	}
	h, several := a.Handler(t.key)
	if h == nil {
		return w
	}
	for fn := a.fn; fn != nil; fn = fn.Parent() {
		if by, _ := a.Handler(accesspath.FuncKey(fn)); by != nil {
			return w
		}
	}
	w.fate, w.run.Many, t.registered = callback.Goroutine, several, several
	if !several {
		t.queue = h.Queue()
	}
	return w
}

// body reports whether v is the body of a loop over an iterator: whatever the
// iterator is, the loop runs it.
func body(v ssa.Value) bool {
	lit := ssautil.Literal(v)
	return lit != nil && lit.Synthetic == "range-over-func yield"
}

// unanalysed reports whether a call runs a function of this package whose
// summary is still to come.
func (a *analysis) unanalysed(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn != nil && fn.Pkg != nil && fn.Pkg == callback.Outermost(a.fn).Pkg && fn.Blocks != nil && a.Summary(accesspath.FuncKey(fn)) == nil
}

// along returns the target that an argument is when it is run that way; false
// if this call is not where it runs.
func (a *analysis) along(e *effect, t target, w way) (target, bool) {
	t.fate = w.fate
	switch w.fate {
	case callback.Now:
		t.kind = summary.Direct
	case callback.Deferred:
		t.kind = summary.Direct // deferred in the callee, whose end the caller awaits
	case callback.Once:
		t.kind = summary.OnceOnly
	case callback.Goroutine, callback.Awaited:
		t.kind, t.many, t.turns, t.lone = summary.Goroutine, w.run.Many, w.run.Turns, w.run.Lone
	case callback.Likely:
		// A literal that an unknown function gets most likely runs at
		// once, and so does a method value that is asked for something, as
		// those that compare are; one that is told something is kept.
		t.sure = guessed
		if !t.closure && !t.asked() {
			t.kind, t.fate = summary.Escaped, callback.Kept
		}
	case callback.Returned:
		call, ok := e.instr.(*ssa.Call)
		fate := callback.Kept
		if ok {
			fate = a.resultFate(call)
		}
		if !fate.Leaves() {
			return target{}, false // it runs where the result does
		}
		t.kind, t.fate = summary.Escaped, fate
	default:
		t.kind, t.tended = summary.Escaped, w.run.Tended
	}
	if w.callee != nil {
		a.within(&t, w.run, *w.callee, e.instr)
	}
	t.section(a.numbering(e.id))
	if w.key.Known() {
		t.inside(locks.Reached().Acquire(w.key, locks.Write, a.section(e.id, 0).Of()))
	}
	return t, true
}

// resultFate joins what becomes of the functions among a call's results.
func (a *analysis) resultFate(call *ssa.Call) callback.Fate {
	flow := a.Flow(a.fn)
	fate := callback.NotRun
	for _, v := range a.resultValues(call) {
		if v != nil && callback.Carries(v.Type()) {
			fate = fate.Join(flow.Fate(v))
		}
	}
	if fate.Has(callback.Sent) {
		return fate&^callback.Sent | callback.Kept
	}
	return fate
}

// runs works out what the function does with the functions that it gets.
func (a *analysis) runs() {
	if !a.getsFunctions() {
		return
	}
	deferred := make(map[*ssa.Defer]locks.State)
	var runs []opened
	for i, b := range a.fn.Blocks {
		s := a.in[i]
		if s.IsTop() {
			continue
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call:
				runs = a.opens(runs, s, a.effects[instr])
			case *ssa.RunDefers:
				a.atDefers(s, deferred)
			case *ssa.Go:
				runs = a.opens(runs, locks.Reached(), a.startedOpen(instr))
			case *ssa.MakeClosure:
				a.opensLeaving(instr)
			}
			if a.locks {
				s = a.step(s, instr)
			}
		}
	}
	for _, d := range a.defers {
		if s, ok := deferred[d]; ok {
			runs = a.opens(runs, s, a.effects[d])
		}
	}
	a.addOpened(runs)
	for _, p := range a.fn.Params {
		if callback.Carries(p.Type()) {
			if fate, around := a.leavesAs(p); fate != callback.NotRun {
				a.sum.AddRun(summary.Run{Func: a.Paths.Of(p), Fate: fate, Held: around, Tended: a.Flow(a.fn).Tended(p)})
			}
		}
	}
	a.sum.CrowdRuns()
	a.flies()
}

// getsFunctions reports whether the function, or one around it, has parameters
// that are functions.
func (a *analysis) getsFunctions() bool {
	for fn := a.fn; fn != nil; fn = fn.Parent() {
		if slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return callback.Carries(p.Type()) }) {
			return true
		}
	}
	return false
}

// opens adds the runs of a call under the locks held there.
func (a *analysis) opens(runs []opened, s locks.State, e *effect) []opened {
	if e == nil {
		return runs
	}
	for _, o := range e.open {
		held, r := s, o.run
		a.endsBy(e.instr, &o, &r)
		if r.Fate.Within(callback.Kept | callback.Returned | callback.Goroutine | callback.Awaited) {
			held = locks.Reached() // but for what is taken around the run
		}
		if o.called {
			r.Given, r.Checks = a.given(e), a.checksOf(e.instr, e.call.Args)
		}
		if o.through != nil {
			t := *o.through
			if o.through.sum != nil {
				a.within(&t, o.run, t, e.instr)
			}
			r.Given = slices.Clone(r.Given)
			for i := range r.Given {
				r.Given[i].Arg = a.substitute(r.Given[i].Arg, t, e.instr)
			}
			held = t.enter(held)
		}
		r.Held = held
		r.Tended = r.Tended && !a.reach.InLoop(e.instr)
		runs = append(runs, opened{at: e.instr, run: r, common: a.inCommon(held, e.instr)})
	}
	return runs
}

// given returns what a call passes, and what the fields of a struct that is
// made for the call hold.
func (a *analysis) given(e *effect) []summary.Binding {
	var out []summary.Binding
	for i, arg := range e.call.Args {
		param, p := a.Paths.Root(summary.RanParam(i)), a.Paths.Of(arg)
		fields := a.filled(ssautil.Unwrap(arg), param, e.instr)
		b := summary.Binding{Param: param, Arg: p}
		if len(fields) == 0 && a.own.Of(p, e.instr) == ownership.Owned {
			b.Own = ownership.Owned
		}
		out = append(append(out, b), fields...)
	}
	return out
}

// filled returns the fields of a struct made here, which a runner passes as
// param, that lead to objects which others know.
func (a *analysis) filled(v ssa.Value, param accesspath.Path, at ssa.Instruction) []summary.Binding {
	made, ok := v.(*ssa.Alloc)
	if !ok {
		return nil
	}
	st, ok := ssautil.Pointee(made.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []summary.Binding
	for _, r := range *made.Referrers() {
		f, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range *f.Referrers() {
			s, ok := r.(*ssa.Store)
			if !ok || s.Addr != ssa.Value(f) || depend.Pure(s.Val.Type()) {
				continue
			}
			if p := a.Paths.Of(s.Val); a.own.Of(p, at) != ownership.Owned {
				out = append(out, summary.Binding{Param: a.Paths.Field(param, st.Field(f.Field)), Arg: p})
			}
		}
	}
	return out
}

// opensLeaving notes what a literal that is kept or returned does with the
// functions that this function gets: they run when it does, under its locks.
func (a *analysis) opensLeaving(lit *ssa.MakeClosure) {
	t, ok := a.functionValue(lit)
	fate, around := a.leavesAs(lit)
	if !ok || t.sum == nil || !t.closure || fate == callback.NotRun {
		return
	}
	for _, r := range t.sum.Runs {
		if r.Func.Root().Fn != t.key {
			if r.Fate.Within(callback.Now | callback.Deferred | callback.Once) {
				r.Held = around.Then(r.Held)
			}
			r.Tended = a.Flow(a.fn).Tended(lit) && r.Fate.Within(callback.Now|callback.Deferred)
			r.Fate = r.Fate.Through(fate)
			a.sum.AddRun(r)
		}
	}
}

// goEffect works out what a go statement runs; all of it runs in the goroutine.
func (a *analysis) goEffect(instr *ssa.Go) *effect {
	fn, args := ssautil.Callee(&instr.Call)
	e := &effect{instr: instr, call: &instr.Call, model: a.Model.Lookup(fn), targets: a.targets(&instr.Call, fn, args)}
	if _, builtin := instr.Call.Value.(*ssa.Builtin); !builtin {
		a.functionArgs(e, args)
	}
	return e
}
