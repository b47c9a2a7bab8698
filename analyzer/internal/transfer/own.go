package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// owns works out who owns what, at each point of the function.
func (a *analysis) owns() {
	a.own = a.analyzeOwn()
	a.sum.Own = a.own.Summary().Filled()
	for _, cut := range a.own.Cuts() {
		a.sum.Cut(cut)
	}
}

func (a *analysis) analyzeOwn() *ownership.Result {
	if a.carriers == nil {
		a.carriers = make(ownership.Carriers)
	}
	return ownership.Analyze(a.fn, &ownership.Env{Paths: a.Paths, Call: a.ownCall, Reached: a.Reached, Carriers: a.carriers}, a.interesting)
}

// Ownership returns what a call of fn does to who owns what, and nothing else. What
// only calls give that are not known yet is left unreached.
func Ownership(fn *ssa.Function, env *Env) *ownership.Func {
	a := &analysis{Env: env, fn: fn, key: accesspath.FuncKey(fn), sum: newSummary(fn)}
	a.reach = a.Component.reachOf(fn)
	a.dep = a.dependences()
	a.prepare()
	return a.analyzeOwn().Summary()
}

// ownCall describes a call to the theory of ownership.
func (a *analysis) ownCall(instr ssa.CallInstruction) *ownership.Call {
	if g, ok := instr.(*ssa.Go); ok {
		return a.ownGo(g)
	}
	e := a.effects[instr]
	unknown := e == nil || len(e.targets) == 0 && e.model.Kind == model.None
	handler := a.keepsHandler(instr)
	switch {
	case unknown && (handler || registersIn(instr)):
		return &ownership.Call{Keeps: true}
	case e == nil:
		return nil
	}
	fn, _ := ssautil.Callee(instr.Common())
	c := &ownership.Call{Copies: model.Copies(fn), Keeps: handler}
	switch e.model.Kind {
	case model.None:
	case model.ConcurrentStore, model.ConcurrentAtomic:
		c.Stores = true
	case model.Register, model.Keep:
		c.Keeps = true
	case model.Renew:
		c.New = true
	default:
		c.Harmless = true
	}
	for i := range e.targets {
		t := &e.targets[i]
		oc := a.ownCallee(t)
		if oc.Passed = i >= e.own; !oc.Passed {
			oc.Lent = a.lentTo(t)
		}
		switch {
		case t.kind == summary.Goroutine && t.fate == callback.Awaited:
			oc.How = ownership.Ends
		case t.kind == summary.Goroutine:
			oc.How = ownership.Starts
		case t.kind == summary.Escaped && t.fate.Has(callback.Kept) && e.own > 0 && e.targets[0].sum != nil:
			continue // what the callee does with its parameter tells
		case t.kind == summary.Escaped || t.sure == guessed && !t.closure:
			oc.How = ownership.Keeps // a literal most likely runs at once
		}
		c.Callees = append(c.Callees, oc)
	}
	return c
}

// lentTo returns the literals among the arguments of a callee that it runs before it returns, in goroutines for which it
// waits, and does nothing else with.
func (a *analysis) lentTo(t *target) (lent ownership.Set) {
	if t.sum == nil {
		return 0
	}
	for i, arg := range t.args {
		in, ok := ownership.Input(i)
		if _, literal := ssautil.Unwrap(arg).(*ssa.MakeClosure); !ok || !literal {
			continue
		}
		fate, param := callback.NotRun, a.Paths.ParamOf(t.key, i)
		for _, r := range t.sum.Runs {
			if r.Func == param {
				fate = fate.Join(r.Fate)
			}
		}
		if fate.Has(callback.Awaited) && fate.Within(callback.Now|callback.Deferred|callback.Once|callback.Awaited) {
			lent |= in
		}
	}
	return lent
}

// registersIn reports whether a call gives a method of an interface, a registry by its name, something that it can call
// later: it gets a value of another interface of methods, that an object has which a goroutine gets here as well, and gives
// nothing back but an error. Of others the function may mean to be the only one that knows the object until it is done.
func registersIn(instr ssa.CallInstruction) bool {
	c := instr.Common()
	if !c.IsInvoke() || role.Named(c.Method)&(role.Setter|role.Registration) == 0 {
		return false
	}
	return slices.ContainsFunc(c.Args, func(arg ssa.Value) bool {
		made, ok := arg.(*ssa.MakeInterface)
		if !ok {
			return false
		}
		iface, ok := made.Type().Underlying().(*types.Interface)
		named, isNamed := types.Unalias(made.Type()).(*types.Named)
		calls := ok && isNamed && iface.NumMethods() > 0 && named.Obj().Pkg() != nil
		return calls && slices.ContainsFunc(partsOf(made.X), func(v ssa.Value) bool { return goes(v, instr.Parent()) })
	})
}

// partsOf returns an object, and what is put into its fields if it is made here.
func partsOf(object ssa.Value) []ssa.Value {
	if made, ok := object.(*ssa.Alloc); ok {
		return append(ssautil.PutIn(made), object)
	}
	return []ssa.Value{object}
}

// goes reports whether a function hands a value to a goroutine.
func goes(v ssa.Value, fn *ssa.Function) bool {
	return v.Parent() == fn && v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		g, ok := r.(*ssa.Go)
		return ok && slices.Contains(ssautil.HandedOver(g.Common()), v)
	})
}

// ownGo describes a go statement: all that it names runs in the goroutine.
func (a *analysis) ownGo(g *ssa.Go) *ownership.Call {
	c := new(ownership.Call)
	e := a.goEffect(g)
	for i := range e.targets {
		oc := a.ownCallee(&e.targets[i])
		if oc.How = ownership.Starts; a.awaitsAll {
			oc.How = ownership.Ends
		}
		c.Callees = append(c.Callees, oc)
	}
	return c
}

// lends tells callers that goroutines have what they get for the time of the call only, where the function waits for all that it
// starts, whatever way it returns: within the function others know it meanwhile.
func (a *analysis) lends() {
	some := false
	for _, st := range a.starts {
		if _, plain := st.instr.(*ssa.Go); !plain {
			continue
		}
		if some = true; a.sum.Calls[st.call].Leaves {
			return
		}
	}
	if !some {
		return
	}
	a.awaitsAll = true
	own := a.analyzeOwn().Summary().Filled()
	a.sum.Own.Inputs, a.sum.Own.Results = own.Inputs, own.Results
	a.awaitsAll = false
}

func (a *analysis) ownCallee(t *target) ownership.Callee {
	oc := ownership.Callee{Key: t.key, Args: t.args}
	if t.sum == nil || t.sum.Own == nil {
		return oc
	}
	oc.Sum = t.sum.Own
	if len(t.bound) == 0 {
		return oc
	}
	for i := range oc.Sum.Params() {
		p := a.Paths.ParamOf(t.key, i)
		if i < len(t.args) {
			p = a.Paths.Of(t.args[i])
		} else if b, ok := t.boundTo(p.Root()); ok {
			p = b.Arg
		} else {
			p = accesspath.Path{}
		}
		oc.Inputs = append(oc.Inputs, p)
	}
	for _, p := range oc.Sum.Captured {
		if b, ok := t.boundTo(p.Root()); ok {
			p = b.Arg
		}
		oc.Inputs = append(oc.Inputs, p)
	}
	return oc
}

// boundAt returns who can reach what a parameter is bound to.
func (a *analysis) boundAt(b summary.Binding, instr ssa.Instruction) ownership.Fate {
	if b.Own == ownership.Owned {
		return ownership.Fate{Own: ownership.Owned}
	}
	return a.own.Captures(instr, []accesspath.Path{b.Arg})[0]
}

// ownedAt notes who can reach the map of an event.
func (a *analysis) ownedAt(e *event) {
	acc := &e.acc
	before := acc.Own
	switch {
	case e.addr != nil && (acc.Op == access.Assign || acc.Op == access.NilTest):
		acc.Own = a.own.Storage(acc.Path, e.addr, e.instr)
	default:
		acc.Own = a.own.Of(acc.Path, e.instr)
	}
	acc.Taken = ownership.Shared
	if e.val != nil {
		acc.Taken = a.own.Taken(e.val, e.instr)
		if acc.Taken == ownership.Shared {
			acc.Off = a.takenOff(e)
		}
		acc.Earlier = a.foundEarlier(e.val, e.instr)
	}
	if acc.Lifted && before == ownership.Shared {
		acc.Own = ownership.Shared // the callee publishes it before
	}
	if acc.Op == access.Assign && !acc.Lifted {
		acc.Put, acc.PutUnder = a.fillsPut(e.addr, e.instr)
	}
	acc.Kept = a.own.Holder(acc.Path, e.instr) == ownership.Owned
	acc.Fresh = acc.Fresh || acc.Own == ownership.Owned || acc.Taken == ownership.Owned
}

// owning notes who owns what a callee gets. A goroutine owns what is handed
// over to it; several that run one function have what it gets in common.
func (a *analysis) owning(c *summary.Call, t *target, instr ssa.Instruction) {
	var captured []accesspath.Path
	if t.sum != nil && t.sum.Own != nil {
		captured = slices.Clone(t.sum.Own.Captured)
	}
	switch {
	case t.sure == guessed && !t.closure || c.Kind == summary.Escaped, c.Kind == summary.Goroutine && a.inSeveral(t, instr):
		c.Owned, c.Captured = shared(len(t.args)), shared(len(captured))
	case c.Kind == summary.Goroutine:
		c.Owned, c.Captured = a.own.HandedOver(instr, t.args, captured)
	default:
		c.Owned, c.Captured = a.own.Args(instr, t.args), a.own.Captures(instr, captured)
		for i, p := range captured {
			if b, ok := t.boundTo(p.Root()); ok {
				c.Captured[i] = a.boundAt(b, instr)
			}
		}
	}
}

// inSeveral reports whether several goroutines run the function that a call gets: those of a
// server, or of the callee.
func (a *analysis) inSeveral(t *target, instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	e := a.effects[call]
	return t.registered || t.many || e != nil && e.model.Kind == model.Register
}

func shared(n int) []ownership.Fate {
	return slices.Repeat([]ownership.Fate{{Own: ownership.Shared}}, n)
}
