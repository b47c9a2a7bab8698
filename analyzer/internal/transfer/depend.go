package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// effectful reports whether a call changes something that others wait for: it
// does not only lock, look, log or format.
func (a *analysis) effectful(c *ssa.Call) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	if a.handsOn(c) {
		return true
	}
	if e := a.effects[c]; e != nil && (e.model.Kind != model.None || e.changesLocks()) {
		return false
	}
	fn, _ := ssautil.Callee(&c.Call)
	return fn == nil || !role.Harmless(fn) && !asksOnly(c)
}

// asksOnly reports whether the result of a call is used for nothing but to ask
// it: client.Scales(ns).Get(name).
func asksOnly(c *ssa.Call) bool {
	refs := *c.Referrers()
	for _, r := range refs {
		use, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		fn, args := ssautil.Callee(&use.Call)
		if fn == nil || len(args) == 0 || args[0] != ssa.Value(c) || !role.Harmless(fn) {
			return false
		}
	}
	return len(refs) > 0
}

// tidies reports whether all that is known of a call's effect is that it
// changes the map at path.
func (a *analysis) tidies(c *ssa.Call, path accesspath.Path) bool {
	e := a.effects[c]
	if e == nil || len(e.targets) != 1 || e.targets[0].sum == nil {
		return false
	}
	t := e.targets[0]
	for _, i := range t.sum.Visible {
		if a.substitute(t.sum.Accesses[i].Path, t, c) != path {
			return false
		}
	}
	return len(t.sum.Visible) > 0 && len(t.sum.Calls) == 0 && !t.sum.Spawns
}

// startsOne reports whether a call starts a goroutine, as far as is known.
func (a *analysis) startsOne(c *ssa.Call) bool {
	e := a.effects[c]
	return e != nil && slices.ContainsFunc(e.targets, func(t target) bool { return t.sum != nil && t.sum.Spawns })
}

// handsOn reports whether a call hands a function to a library that runs it in a goroutine, or
// calls it later.
func (a *analysis) handsOn(c *ssa.Call) bool {
	e := a.effects[c]
	return e != nil && (e.model.Kind == model.Spawn || e.model.Kind == model.Register)
}

// lasting reports whether a call starts a goroutine, counts, or registers something: made
// twice, it leaves two behind.
func (a *analysis) lasting(c *ssa.Call) bool {
	fn, _ := ssautil.Callee(&c.Call)
	return a.handsOn(c) || a.startsOne(c) || model.Flag(fn) == model.FlagCount
}

// dependences returns the theory of dependence for the function at hand.
func (a *analysis) dependences() *depend.Func {
	env := &depend.Env{
		Paths: a.Paths, Effectful: a.effectful, Tidies: a.tidies, Changes: a.Changes, Starts: a.startsOne, Lasting: a.lasting,
		Volatile: a.volatile, Counter: a.counterOf,
		SameSection: func(x, y ssa.Instruction) bool {
			s, t := a.stateAt(x), a.stateAt(y)
			return len(s.Held()) > 0 && locks.SameSections(s, t) || locks.SameInEachCase(s, t)
		},
	}
	return depend.NewFunc(env, a.fn, a.reach)
}

// Drawn reports whether a function gives another value each time, for the names
// of keys.
func (a *Env) Drawn(fn *types.Func) bool { return model.Volatile(fn) || a.volatile(fn.Origin()) }

func (a *Env) volatile(fn *types.Func) bool {
	sum := a.Summary(fn)
	return sum != nil && slices.ContainsFunc(sum.Results, func(r summary.Result) bool { return r.Volatile })
}
