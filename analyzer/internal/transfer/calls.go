package transfer

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An effect is all that one call instruction does, worked out once.
type effect struct {
	instr   ssa.CallInstruction
	call    *ssa.CallCommon
	id      int32 // its number in the function
	model   model.Effect
	recv    ssa.Value // the receiver, for modelled methods
	targets []target
	own     int // the first so many targets are the called function itself
	builtin string

	does []locks.Effect // to the locks, one after the other
	wait locks.Section  // of a condition variable: all write locks are retaken
}

// A target is one function that a call may run.
type target struct {
	key  any
	sum  *summary.Func // nil if unknown
	args []ssa.Value
	kind summary.CallKind
	// closure: its paths are those of this function.
	closure bool
	// extra are the locks that the runner of the closure holds.
	extra []locks.Held
	// unsure: the callee may keep the function instead of running it at once.
	unsure bool
}

// effectOf works out what a call does; nil if nothing that matters.
func (a *analysis) effectOf(instr ssa.CallInstruction, call *ssa.CallCommon, id int32) *effect {
	e := &effect{instr: instr, call: call, id: id}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		e.builtin = b.Name()
		if mapBuiltin(b.Name()) && len(call.Args) > 0 && ssautil.IsMap(call.Args[0].Type()) {
			return e
		}
		return nil
	}
	fn, args := ssautil.Callee(call)
	e.model = model.Lookup(fn)
	if len(args) > 0 {
		e.recv = args[0]
	}
	e.targets = a.targets(call, fn, args)
	e.own = len(e.targets)
	a.functionArgs(e, args)
	if onlyLock(e.model.Kind, e.recv) || !a.fromSummaries(e) {
		a.fromModel(e)
	}
	if e.model.Kind == model.None && len(e.targets) == 0 && !e.changesLocks() {
		return nil
	}
	return e
}

func mapBuiltin(name string) bool { return name == "delete" || name == "clear" || name == "len" }

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
			lock := a.Paths.Elem(a.Paths.Of(args[0]), a.dep.KeyOf(args[1]))
			t.extra = append(t.extra, locks.Held{Lock: lock, Mode: locks.Write, Sec: a.section(e.id, 0).Of()})
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
				h.Lock, h.Sec = p, h.Sec.Map(func(x locks.Section) locks.Section { return a.section(e.id, x) })
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

// copiedLock reports whether the lock at addr lies in a local copy of a
// struct: such a lock protects nothing.
func copiedLock(addr ssa.Value) bool {
	for range accesspath.MaxSteps {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			if _, ok := ssautil.Pointee(v.X.Type()).Underlying().(*types.Array); !ok {
				return false
			}
			addr = v.X
		case *ssa.Alloc:
			for _, r := range *v.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) && model.HoldsLock(st.Val.Type()) {
					if _, zero := st.Val.(*ssa.Const); !zero {
						return true
					}
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// substitute expresses a path of the callee in the caller's terms.
func (a *Env) substitute(p accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
	return a.Paths.Substitute(p, a.fallbackKey(t, at), func(r accesspath.Root) (accesspath.Path, bool) {
		switch r.Kind {
		case accesspath.Param:
			if r.Fn == t.key {
				if r.Index < len(t.args) {
					return a.Paths.Of(t.args[r.Index]), true
				}
				return accesspath.Path{}, false
			}
			return a.Paths.Root(r), t.closure
		case accesspath.Global, accesspath.Const, accesspath.Place:
			return a.Paths.Root(r), true
		}
		return a.Paths.Root(r), t.closure
	})
}

// fallbackKey names an element whose key only the callee knows. Calls of one
// accessor with equal arguments, in one function, name the same element.
func (a *Env) fallbackKey(t target, at ssa.Instruction) accesspath.Path {
	v, ok := at.(ssa.Value)
	if !ok {
		return accesspath.Path{}
	}
	var id strings.Builder
	fmt.Fprintf(&id, "%p %p", at.Parent(), t.key)
	for _, arg := range t.args {
		fmt.Fprintf(&id, " %d", a.Paths.Of(arg).ID())
	}
	if a.accessors == nil {
		a.accessors = make(map[string]ssa.Value)
	}
	if first, ok := a.accessors[id.String()]; ok {
		v = first
	} else {
		a.accessors[id.String()] = v
	}
	return a.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: v})
}

// ResultPath returns the storage that a call's result denotes, if the callee
// is an accessor. It serves as the path builder's Result.
func (a *Env) ResultPath(call *ssa.Call, index int) accesspath.Path {
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || call.Call.IsInvoke() {
		return accesspath.Path{}
	}
	switch k := model.Lookup(fn).Kind; k {
	case model.RLocker:
		return a.Paths.Elem(a.Paths.Of(args[0]), a.Paths.Root(accesspath.Root{Kind: accesspath.Const, Const: model.RLockerKey}))
	case model.ConcurrentLoad, model.ConcurrentAtomic:
		if index == 0 && len(args) > 1 {
			return a.Paths.Elem(a.Paths.Of(args[0]), a.Paths.Of(args[1]))
		}
	}
	key := any(fn.Origin())
	sum := a.Summary(key)
	if sum == nil || index >= len(sum.Results) || !sum.Results[index].Path.Known() {
		return accesspath.Path{}
	}
	return a.substitute(sum.Results[index].Path, target{key: key, sum: sum, args: args}, call)
}
