package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A literal that gets the entries of a map, as the body of a loop over an
// iterator or as the argument of a function that walks, leaves what it finds in
// variables that it captures. These carry the outcome of the look.

// throughBodies adds to a walk what literals leave that are called with its
// entries: those that its outcome, an iterator, is called with.
func (a *analysis) throughBodies(e *event) {
	if e.acc.Op != access.Range && e.acc.Op != access.Visit {
		return
	}
	for _, v := range slices.Clone(e.outcomes) {
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, r := range *refs {
			if c, ok := r.(*ssa.Call); ok && c.Call.Value == v {
				for _, arg := range c.Call.Args {
					a.throughBody(e, arg)
				}
			}
		}
	}
}

// throughRuns adds to a callee's i-th access what the literals leave that the
// callee runs because of it.
func (a *analysis) throughRuns(ev *event, e *effect, t *target, i int) {
	for _, r := range t.sum.Runs {
		root := r.Func.Root()
		if !slices.Contains(r.Checks, i) || root.Fn != t.key {
			continue
		}
		if n := root.Index - (len(t.args) - len(e.call.Args)); n >= 0 && n < len(e.call.Args) {
			a.throughBody(ev, e.call.Args[n])
		}
	}
}

// throughBody adds what one literal leaves in the variables that it captures.
// One that compares the key looks for an entry.
func (a *analysis) throughBody(e *event, arg ssa.Value) {
	mc, ok := arg.(*ssa.MakeClosure)
	if !ok {
		return
	}
	lit := mc.Fn.(*ssa.Function)
	if len(lit.Params) == 0 || len(lit.Blocks) == 0 {
		return
	}
	body := depend.NewFunc(a.dep.Env, lit, ssautil.NewReach(lit))
	finds, sought := body.Finds([]ssa.Value{lit.Params[0]})
	if e.senses == nil {
		e.senses = make(map[ssa.Value]depend.Sense)
	}
	for i, bound := range mc.Bindings {
		stores := storesTo(lit.FreeVars[i])
		if len(stores) == 0 || slices.Contains(e.outcomes, bound) {
			continue
		}
		e.outcomes = append(e.outcomes, bound)
		if body.SetWhereFound(finds, stores) && !body.KeepsEntry(lit.Params[1:], stores) {
			e.presence = append(e.presence, bound)
		}
		if v, ok := bound.(*ssa.Alloc); ok {
			body.Flags(e.senses, finds, v, stores)
		}
	}
	var given []ssa.Value
	for _, p := range lit.Params {
		given = append(given, p)
	}
	if sought != nil && !e.acc.Key.Known() && body.Seeks(finds, given) {
		e.acc.Key = a.dep.KeyOf(sought)
	}
}

// storesTo returns the stores to a captured variable.
func storesTo(v *ssa.FreeVar) []*ssa.Store {
	var out []*ssa.Store
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) {
			out = append(out, st)
		}
	}
	return out
}

// checksOf returns the looks on which a call depends, or whose outcome it gets.
func (a *analysis) checksOf(call ssa.Instruction, args []ssa.Value) []int {
	var out []int
	for i := range a.events {
		c := a.events[i]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 || len(out) >= maxSlices {
			continue
		}
		s := a.dep.Slice(c.look())
		if s.Controls(call) || slices.ContainsFunc(args, s.Has) {
			out = append(out, i)
		}
	}
	return out
}

// copied notes how what a copy of the map tells is asked for: a look-up in it,
// or whether it holds a key.
func (a *analysis) copied(e *event) {
	senses, sought, only := a.dep.InCopy(e.outcomes)
	if len(senses) == 0 {
		return
	}
	e.senses = senses
	if only {
		e.acc.Key = a.dep.KeyOf(sought)
	}
}
