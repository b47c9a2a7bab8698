package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A target is one function that a call may run.
type target struct {
	key  any
	sum  *summary.Func // nil if unknown
	args []ssa.Value
	kind summary.CallKind
	// closure: its paths are those of this function.
	closure bool
	// extra are the locks that the runner of the closure holds.
	extra []lockset.Held
	// unsure: the callee may keep the function instead of running it at once.
	unsure bool
}

// targets returns the functions that the call itself may run.
func (a *analysis) targets(call *ssa.CallCommon, fn *types.Func, args []ssa.Value) []target {
	if call.IsInvoke() {
		var ts []target
		for _, impl := range a.Implementers(fn) {
			key := accesspath.FuncKey(impl)
			if sum := a.Summary(key); sum != nil {
				ts = append(ts, target{key: key, sum: sum, args: args})
			}
		}
		return ts
	}
	if fn != nil {
		key := any(fn.Origin())
		if sum := a.Summary(key); sum != nil && !model.Listed(fn) {
			return []target{{key: key, sum: sum, args: args}}
		}
		return nil
	}
	if lit := ssautil.Literal(call.Value); lit != nil {
		return []target{{key: lit, sum: a.Summary(lit), args: args, closure: true}}
	}
	return nil
}

// functionArgs adds the functions among the arguments that the callee runs:
// at once, in a goroutine, once, or at a time unknown.
func (a *analysis) functionArgs(e *effect, args []ssa.Value) {
	for i, arg := range args {
		t, ok := a.functionValue(arg)
		if !ok {
			continue
		}
		t.kind = summary.Direct
		switch {
		case e.model.Kind == model.Spawn, e.model.Kind == model.Register:
			t.kind = summary.Goroutine
		case e.model.Kind == model.Once:
			t.kind = summary.OnceOnly
		case e.model.Kind == model.Flight:
			// One caller at a time for each key: a lock on the key.
			lock := a.Paths.Elem(a.Paths.Of(args[0]), a.keyOf(args[1]))
			t.extra = append(t.extra, lockset.Held{Lock: lock, Mode: lockset.Write, Acq: e.acq})
		case len(e.targets) > 0 && e.targets[0].sum != nil && !e.targets[0].closure:
			a.runBy(e, &t, i)
		default:
			// A literal that an unknown function gets most likely runs at
			// once; a method value most likely is kept.
			t.unsure = e.model.Kind == model.None
			if t.unsure && !t.closure {
				t.kind = summary.Escaped
			}
		}
		e.targets = append(e.targets, t)
	}
}

// runBy decides how a known callee runs the function that it gets as its i-th
// argument.
func (a *analysis) runBy(e *effect, t *target, i int) {
	callee := e.targets[0]
	t.kind = summary.Escaped
	for _, r := range callee.sum.Runs {
		if r.Param != i {
			continue
		}
		t.kind = r.Kind
		for _, h := range r.Held.Held() {
			if p := a.substituteLock(h.Lock, callee, e.instr); p.Known() {
				h.Lock, h.Acq = p, e.acq
				t.extra = append(t.extra, h)
			}
		}
		return
	}
}

// functionValue resolves v to a function whose body or summary is known.
func (a *analysis) functionValue(v ssa.Value) (target, bool) {
	v = ssautil.Unwrap(v)
	if lit := ssautil.Literal(v); lit != nil {
		return target{key: lit, sum: a.Summary(lit), closure: true}, true
	}
	if recv, m := ssautil.BoundMethod(v); m != nil {
		key := any(m.Origin())
		if sum := a.Summary(key); sum != nil {
			return target{key: key, sum: sum, args: []ssa.Value{recv}}, true
		}
		return target{}, false
	}
	if fn, ok := v.(*ssa.Function); ok {
		key := accesspath.FuncKey(fn)
		if sum := a.Summary(key); sum != nil {
			return target{key: key, sum: sum}, true
		}
	}
	return target{}, false
}
