package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
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
	// bound are the parameters that args leaves open: of a function value that
	// another function made, and what the runner passes.
	bound []summary.Binding
	// around is what the runner of the closure does to the locks before it
	// runs it; the top state if that is nothing.
	around locks.State
	sure   certainty
	// fate tells of an escaped one what becomes of it, and many of one in
	// goroutines that are awaited that several run it at once.
	fate callback.Fate
	many bool
	// turns: several run it, one after the other, under a lock of the runner's.
	turns bool
	// lone: there could be several, but the call gives the number 1 for them.
	lone bool
	// registered: a server runs it several times at once. queue names the goroutine
	// of a library that runs it in turn with others.
	registered bool
	queue      string
	// tended: it is kept where one goroutine calls it.
	tended bool
	// slot is one more than the argument that it is, 0 for the callee: what
	// two arguments do are two things.
	slot int32
	// listed: it is many for it may be several times in the list that slot says.
	listed bool
}

// results are the types of what the target gives, nil if they are not known.
func (t *target) results() *types.Tuple {
	switch fn := t.key.(type) {
	case *types.Func:
		return fn.Signature().Results()
	case *ssa.Function:
		return fn.Signature.Results()
	}
	return nil
}

// asked reports whether the target gives its caller something, and not only how
// it went.
func (t *target) asked() bool {
	results := t.results()
	return results.Len() > 0 && !ssautil.IsError(results.At(0).Type())
}

// A certainty says how well it is known that a call runs a target.
type certainty uint8

const (
	// certain: the call runs it.
	certain certainty = iota
	// either: the call runs it or another one.
	either
	// guessed: the callee may keep the function instead of running it at once.
	guessed
)

// enter returns the locks that are held when the target starts, given those
// held at the call. Of one that runs at any time, only the runner's are known.
func (t *target) enter(s locks.State) locks.State {
	if t.kind == summary.Escaped {
		s = locks.Reached()
	}
	if t.around.IsTop() {
		return s
	}
	return s.Then(t.around)
}

// section makes the runner's locks critical sections of one call.
func (t *target) section(number func(locks.Section) locks.Section) {
	if t.around.IsTop() {
		return
	}
	t.around = t.around.Map(locks.Subst{
		Lock:    func(p accesspath.Path) accesspath.Path { return p },
		Cond:    func(c locks.Cond) (locks.Cond, locks.Verdict) { return c, locks.If },
		Section: number,
	})
}

// inside puts the target into what another function does around it.
func (t *target) inside(around locks.State) {
	if around.Trivial() {
		return
	}
	if !t.around.IsTop() {
		around = around.Then(t.around)
	}
	t.around = around
}

// boundTo returns what a parameter stands for that is not among the arguments.
func (t *target) boundTo(r accesspath.Root) (summary.Binding, bool) {
	if r.Kind != accesspath.Param {
		return summary.Binding{}, false
	}
	for _, b := range t.bound {
		if b.Param.Depth() == 0 && b.Param.Root() == r {
			return b, true
		}
	}
	return summary.Binding{}, false
}

// targets returns the functions that the call itself may run.
func (a *Env) targets(call *ssa.CallCommon, fn *types.Func, args []ssa.Value) []target {
	if call.IsInvoke() {
		return a.implementing(fn, args)
	}
	if fn != nil {
		if t, ok := a.served(call); ok {
			return []target{t}
		}
		key := any(fn.Origin())
		if sum := a.Summary(key); sum != nil && !a.Model.Listed(fn) {
			return []target{{key: key, sum: sum, args: args}}
		}
		return a.methodsRun(fn, args)
	}
	if lit := ssautil.Literal(call.Value); lit != nil {
		return []target{{key: lit, sum: a.Summary(lit), args: args, closure: true}}
	}
	if _, builtin := call.Value.(*ssa.Builtin); builtin || call.Value == nil {
		return nil
	}
	ts := a.resolve(call.Value, 0)
	for i := range ts {
		ts[i].args = append(slices.Clone(ts[i].args), args...)
		if len(ts) > 1 {
			ts[i].sure = max(ts[i].sure, either)
		}
	}
	return ts
}

// implementing returns the functions that an interface's method can be, with the arguments that
// they get.
func (a *Env) implementing(method *types.Func, args []ssa.Value) []target {
	var ts []target
	for _, impl := range a.Implementers(method) {
		key := accesspath.FuncKey(impl)
		if sum := a.Summary(key); sum != nil {
			ts = append(ts, target{key: key, sum: sum, args: args})
		}
	}
	return ts
}

// served returns the function that works out the answer to what a call sends, as if
// the call ran it, in the turn of the goroutine that does.
func (a *Env) served(call *ssa.CallCommon) (target, bool) {
	key, args, turn := a.Served(call)
	if key == nil || !turn.Known() {
		return target{}, false
	}
	t := target{key: key, sum: a.Summary(key), args: args}
	t.inside(locks.Reached().Acquire(turn, locks.Write, locks.Section(1).Of()))
	return t, t.sum != nil
}

// methodsRun returns the methods that a library function calls on its argument,
// as heap.Push calls those of the heap: they run in the caller's context.
func (a *Env) methodsRun(fn *types.Func, args []ssa.Value) []target {
	var ts []target
	for _, m := range MethodsRun(fn, args) {
		if sum := a.Summary(any(m)); sum != nil {
			recv := args[0].(*ssa.MakeInterface).X
			ts = append(ts, target{key: m, sum: sum, args: append([]ssa.Value{recv}, args[1:]...), sure: either})
		}
	}
	return ts
}

// MethodsRun returns the declared methods of the first argument that a library
// function calls. Of promoted ones nothing is said: they work on a part of it.
func MethodsRun(fn *types.Func, args []ssa.Value) []*types.Func {
	names := model.Methods(fn)
	if len(names) == 0 || len(args) == 0 {
		return nil
	}
	recv, ok := args[0].(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	var out []*types.Func
	for _, name := range names {
		obj, index, _ := types.LookupFieldOrMethod(recv.X.Type(), false, fn.Pkg(), name)
		if m, ok := obj.(*types.Func); ok && len(index) == 1 {
			out = append(out, m.Origin())
		}
	}
	return out
}

// Flow returns where the function values of fn's nest go.
func (a *Env) Flow(fn *ssa.Function) *callback.Flow {
	fn = callback.Outermost(fn)
	f := a.flows[fn]
	if f == nil {
		if a.flows == nil {
			a.flows = make(map[*ssa.Function]*callback.Flow)
		}
		f = callback.Of(fn, a.Holds)
		a.flows[fn] = f
	}
	return f
}

// maxMakers bounds the functions that a function value is followed through, each
// of which returns what the one before has made.
const maxMakers = 3

// resolve returns the functions that v can be and of which something is known.
func (a *Env) resolve(v ssa.Value, depth int) []target {
	v = ssautil.Unwrap(v)
	if ts := a.functionValues(v); len(ts) > 0 {
		return ts
	}
	if depth > maxMakers {
		return nil
	}
	var out []target
	for _, src := range a.sources(v) {
		switch src := src.(type) {
		case *ssa.Call:
			out = append(out, a.returnedBy(src, 0, depth)...)
		case *ssa.Extract:
			if c, ok := src.Tuple.(*ssa.Call); ok {
				out = append(out, a.returnedBy(c, src.Index, depth)...)
			}
		default:
			out = append(out, a.functionValues(src)...)
		}
	}
	return out
}

// sources returns the function values that v can be.
func (a *Env) sources(v ssa.Value) []ssa.Value {
	in, ok := v.(interface{ Parent() *ssa.Function })
	if !ok || in.Parent() == nil {
		return nil
	}
	return a.Flow(in.Parent()).Reaching(v)
}

// returnedBy returns the functions that a result of a call can be: those that
// the callee makes, and those that it gets and hands back, perhaps within one
// that takes locks around them.
func (a *Env) returnedBy(c *ssa.Call, index, depth int) []target {
	fn, args := ssautil.Callee(&c.Call)
	var out []target
	for _, m := range a.makers(c, fn, args, depth) {
		if m.sum == nil {
			continue
		}
		if index < len(m.sum.Results) {
			for _, v := range m.sum.Results[index].Funcs {
				if t, ok := a.made(v, m, c); ok {
					out = append(out, t)
				}
			}
		}
		for _, r := range m.sum.Runs {
			i := r.Func.Root().Index
			if r.Fate != callback.Returned || r.Func.Root().Fn != m.key || i >= len(args) {
				continue
			}
			for _, t := range a.resolve(args[i], depth+1) {
				a.within(&t, r, m, c)
				out = append(out, t)
			}
		}
	}
	return out
}

// makers returns the functions whose results a call gives.
func (a *Env) makers(c *ssa.Call, fn *types.Func, args []ssa.Value, depth int) []target {
	if fn != nil || c.Call.IsInvoke() || ssautil.Literal(c.Call.Value) != nil {
		return a.targets(&c.Call, fn, args)
	}
	return a.resolve(c.Call.Value, depth+1)
}

// made returns the function value v, which the maker m returns at call c.
func (a *Env) made(v summary.FuncValue, m target, c *ssa.Call) (target, bool) {
	t := target{key: v.Key, sum: a.Summary(v.Key)}
	if t.sum == nil {
		return target{}, false
	}
	_, literal := v.Key.(*ssa.Function)
	t.closure = literal && m.closure
	for _, b := range v.Bound {
		b.Own = ownership.Unreached
		if b.Arg = a.substitute(b.Arg, m, c); b.Arg.Known() {
			t.bound = append(t.bound, b)
		}
	}
	return t, true
}

// within adds to a target what its runner does around it, as the run r of the
// callee says: locks that it takes and lets go, and what it passes.
func (a *Env) within(t *target, r summary.Run, callee target, at ssa.Instruction) {
	terms := locks.Subst{
		Lock:    func(p accesspath.Path) accesspath.Path { return a.runnersLock(p, callee, at) },
		Each:    func(p accesspath.Path) []accesspath.Path { return a.namesAt(p, callee, at) },
		Reading: func(p accesspath.Path) bool { return a.readLock(p, callee) },
		Cond:    func(c locks.Cond) (locks.Cond, locks.Verdict) { return a.runWhen(c, callee) },
		Section: func(s locks.Section) locks.Section { return s },
	}
	around := r.Held.Map(terms)
	if around.IsTop() { // it is not run here: nothing is gained by that
		terms.Cond = func(c locks.Cond) (locks.Cond, locks.Verdict) { return c, locks.Unknown }
		around = r.Held.Map(terms)
	}
	t.inside(around)
	for _, b := range r.Given {
		b.Arg = a.substitute(b.Arg, callee, at)
		b.Param = a.Paths.Rebase(b.Param, a.Paths.Root(b.Param.Root()), a.Paths.ParamOf(t.key, len(t.args)+b.Param.Root().Index))
		if b.Param.Known() && (b.Arg.Known() || b.Own == ownership.Owned) {
			t.bound = append(t.bound, b)
		}
	}
}

// functionValues returns the functions that a value names: several where it is the method of an
// interface (x.M, I.M).
func (a *Env) functionValues(v ssa.Value) []target {
	v = ssautil.Unwrap(v)
	if recv, m := ssautil.BoundMethod(v); m != nil && types.IsInterface(recv.Type()) {
		return a.implementing(m, []ssa.Value{recv})
	}
	if m := ssautil.Expression(v); m != nil && types.IsInterface(m.Signature().Recv().Type()) {
		return a.implementing(m, nil)
	}
	if t, ok := a.functionValue(v); ok {
		return []target{t}
	}
	return nil
}

// functionValue resolves v to a function whose body or summary is known.
func (a *Env) functionValue(v ssa.Value) (target, bool) {
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
