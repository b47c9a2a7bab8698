package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// owns works out who owns what, at each point of the function.
func (a *analysis) owns() {
	if a.carriers == nil {
		a.carriers = make(ownership.Carriers)
	}
	a.own = ownership.Analyze(a.fn, &ownership.Env{Paths: a.Paths, Call: a.ownCall, Reached: a.Reached, Carriers: a.carriers}, a.interesting)
	a.sum.Own = a.own.Summary()
}

// ownCall describes a call to the theory of ownership.
func (a *analysis) ownCall(instr ssa.CallInstruction) *ownership.Call {
	if g, ok := instr.(*ssa.Go); ok {
		return a.ownGo(g)
	}
	e := a.effects[instr]
	if e == nil {
		return nil
	}
	c := new(ownership.Call)
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
		oc := ownership.Callee{Key: t.key, Args: t.args, Passed: a.passed(e, t)}
		if t.sum != nil {
			oc.Sum = t.sum.Own
		}
		switch {
		case t.kind == summary.Goroutine:
			oc.How = ownership.Starts
		case t.kind == summary.Escaped && e.targets[0].sum != nil && !a.passed(e, &e.targets[0]):
			continue // what the callee does with its parameter tells
		case t.kind == summary.Escaped || t.unsure && !t.closure:
			oc.How = ownership.Keeps // a literal most likely runs at once
		}
		c.Callees = append(c.Callees, oc)
	}
	return c
}

// passed reports whether a target is an argument of the call.
func (a *analysis) passed(e *effect, t *target) bool {
	if e.call.IsInvoke() {
		return false
	}
	if fn, _ := ssautil.Callee(e.call); fn != nil {
		return t.key != any(fn.Origin())
	}
	lit := ssautil.Literal(e.call.Value)
	return lit == nil || t.key != any(lit)
}

func (a *analysis) ownGo(g *ssa.Go) *ownership.Call {
	c := new(ownership.Call)
	fn, args := ssautil.Callee(&g.Call)
	targets := a.targets(&g.Call, fn, args)
	if len(targets) == 0 {
		return c
	}
	for _, arg := range args {
		if t, ok := a.functionValue(arg); ok {
			targets = append(targets, t)
		}
	}
	for i := range targets {
		c.Callees = append(c.Callees, ownership.Callee{Key: targets[i].key, Args: targets[i].args, How: ownership.Starts})
	}
	return c
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
	if e.val != nil && !acc.Lifted {
		acc.Taken = a.own.Taken(e.val, e.instr)
	}
	if acc.Lifted && before == ownership.Shared {
		acc.Own = ownership.Shared // the callee publishes it before
	}
	acc.Fresh = acc.Fresh || acc.Own == ownership.Owned || acc.Taken == ownership.Owned
}

// given notes who owns what a callee gets. A goroutine owns what is handed over
// to it.
func (a *analysis) given(c *summary.Call, t *target, instr ssa.Instruction) {
	var captured []accesspath.Path
	if t.closure && t.sum != nil && t.sum.Own != nil {
		captured = t.sum.Own.Captured
	}
	switch {
	case t.unsure && !t.closure || c.Kind == summary.Escaped:
		c.Owned = a.shared(len(t.args))
		c.Captured = a.shared(len(captured))
	case c.Kind == summary.Goroutine:
		c.Owned, c.Captured = a.own.HandedOver(instr, t.args, captured)
	default:
		c.Owned, c.Captured = a.own.Args(instr, t.args), a.own.Captures(instr, captured)
	}
}

func (a *analysis) shared(n int) []ownership.Fate {
	out := make([]ownership.Fate, n)
	for i := range out {
		out[i].Own = ownership.Shared
	}
	return out
}
