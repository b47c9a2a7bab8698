package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// passed notes who can reach what the runner gives to a function.
func (a *analysis) passed(c *summary.Call, t *target, instr ssa.Instruction) {
	if len(t.bound) == 0 || t.sure == guessed || c.Kind == summary.Goroutine || c.Kind == summary.Escaped {
		return
	}
	c.Bound = slices.Clone(t.bound)
	for i := range c.Bound {
		c.Bound[i].Own = a.boundAt(c.Bound[i], instr).Own
	}
}

// leaving notes the functions that the value v is, when they leave: they may
// run at any time, or when the caller says.
func (a *analysis) leaving(v ssa.Value, ts []target) {
	fate, around := a.leavesAs(v)
	switch fate {
	case callback.NotRun:
		return
	case callback.Now:
		fate = callback.Kept // only what it runs for others is awaited
	}
	for _, t := range ts {
		t.inside(around)
		t.fate, t.kind = fate, summary.Escaped
		c := summary.Call{Callee: t.key, Kind: summary.Escaped, Pos: v.Pos(), Point: a.at, Held: t.enter(locks.Reached()), Bound: t.bound, Fate: t.fate, Option: option(v), Tended: a.Flow(a.fn).Tended(v)}
		for _, arg := range t.args {
			c.Args = append(c.Args, a.Paths.Of(arg))
		}
		c.Owned = shared(len(t.args))
		a.sum.Calls = append(a.sum.Calls, c)
	}
}

// leavingPlain notes the literals that capture nothing and leave.
func (a *analysis) leavingPlain() {
	for _, lit := range a.fn.AnonFuncs {
		if len(lit.FreeVars) > 0 {
			continue
		}
		if t, ok := a.functionValue(lit); ok {
			a.leaving(lit, []target{t})
		}
	}
}

// leavingResult notes the functions that a call returns and that this function
// keeps or returns in turn.
func (a *analysis) leavingResult(call *ssa.Call) {
	if !givesFunctions(call.Type()) {
		return
	}
	for i, v := range a.resultValues(call) {
		if v != nil && callback.Carries(v.Type()) {
			a.leaving(v, a.returnedBy(call, i, 0))
		}
	}
}

func givesFunctions(t types.Type) bool {
	tup, ok := t.(*types.Tuple)
	if !ok {
		return callback.Carries(t)
	}
	for v := range tup.Variables() {
		if callback.Carries(v.Type()) {
			return true
		}
	}
	return false
}

// resultFuncs returns the functions that result i can be.
func (a *analysis) resultFuncs(rets []*ssa.Return, i int) []summary.FuncValue {
	if _, ok := a.fn.Signature.Results().At(i).Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	var out []summary.FuncValue
	for _, r := range rets {
		for _, t := range a.resolve(ssautil.Returned(r, i), 0) {
			if !t.around.IsTop() || slices.ContainsFunc(out, func(v summary.FuncValue) bool { return v.Key == t.key }) {
				continue
			}
			v := summary.FuncValue{Key: t.key}
			for j, arg := range t.args {
				v.Bound = append(v.Bound, summary.Binding{Param: a.Paths.ParamOf(t.key, j), Arg: a.Paths.Of(arg)})
			}
			if t.closure {
				for j := range a.fn.Params {
					p := a.Paths.ParamOf(a.key, j)
					v.Bound = append(v.Bound, summary.Binding{Param: p, Arg: p})
				}
			}
			v.Bound = append(v.Bound, t.bound...)
			out = append(out, v)
		}
	}
	return out
}

// closure notes a function literal or a method value that leaves: it may run
// at any time.
func (a *analysis) closure(instr *ssa.MakeClosure) {
	if ts := a.functionValues(instr); len(ts) > 0 {
		a.leaving(instr, ts)
	}
}

// option reports whether a function value is only returned, as a value of a
// named function type, as functional options are: they are applied to an object
// under construction.
func option(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.ChangeType:
			if !optional(r.Type()) || !returnedOnly(r) {
				return false
			}
		case *ssa.Return:
			res := r.Parent().Signature.Results()
			if res.Len() == 0 || !optional(res.At(0).Type()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// optional reports whether t can be the type of options: it has a name, and is
// no iterator, which gets a function.
func optional(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	sig, ok := named.Underlying().(*types.Signature)
	return !ok || sig.Params().Len() != 1 || !callback.Carries(sig.Params().At(0).Type())
}

func returnedOnly(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.Return, *ssa.MakeInterface, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
