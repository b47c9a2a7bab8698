package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An object that a call makes may come with a lock held to which one of its fields leads, as a transaction does. The caller knows
// that lock by the name that it has for the call, and so it names it when the object lets it go.

// asGiven names what a field of an object leads to that the function makes as the callers know it: by what the field is given
// at first.
func (a *analysis) asGiven(p accesspath.Path) accesspath.Path {
	made, ok := p.Root().Val.(*ssa.Alloc)
	first := firstStep(p)
	if !ok || made.Parent() != a.fn || first.LastField() == nil {
		return p
	}
	if given, ok := ssautil.AtFirst(made, first.LastField()); ok && given != nil {
		return a.Paths.Rebase(p, first, a.Paths.Of(given))
	}
	return p
}

// firstStep returns the part of a path that is one step from its root, or the root.
func firstStep(p accesspath.Path) accesspath.Path {
	for p.Depth() > 1 {
		p = p.Parent()
	}
	return p
}

// asBrought names a lock, to which a field of an object leads that a call has given, as the call has taken it; if it has, and keeps
// it.
func (a *Env) asBrought(lock accesspath.Path) accesspath.Path {
	call, index := ssautil.CallResult(lock.Root().Val)
	first := firstStep(lock)
	if call == nil || call.Call.IsInvoke() || lock.Depth() < 2 || first.LastField() == nil {
		return lock
	}
	fn, args := ssautil.Callee(&call.Call)
	for _, t := range a.targets(&call.Call, fn, args) {
		if t.sum == nil || index >= len(t.sum.Results) {
			continue
		}
		for _, l := range t.sum.Results[index].Leads {
			inside := a.Paths.Rebase(lock, first, l.To)
			takes := func(h locks.Held) bool { return h.Lock == inside }
			if l.Field == first.LastField() && slices.ContainsFunc(t.sum.Effect.Takes(), takes) {
				if q := a.substitute(inside, t, call); q.Known() {
					return q
				}
			}
		}
	}
	return lock
}

// resultLeads returns what the fields of a result lead to, if each return that gives one gives an object made for it, all alike.
func (a *analysis) resultLeads(rets []*ssa.Return, i int) []summary.Lead {
	if !leadsToLock(a.fn.Signature.Results().At(i).Type()) {
		return nil
	}
	var all []summary.Lead
	some := false
	for _, r := range rets {
		v := ssautil.Returned(r, i)
		if ssautil.IsNil(v) {
			continue
		}
		leads := a.leadsOf(v)
		if some {
			leads = slices.DeleteFunc(leads, func(l summary.Lead) bool { return !slices.Contains(all, l) })
		}
		all, some = leads, true
	}
	return all
}

// leadsOf returns what the fields of an object lead to that is made here, or by a function that is called here.
func (a *analysis) leadsOf(v ssa.Value) (out []summary.Lead) {
	add := func(field *types.Var, to accesspath.Path) {
		if k := to.Root().Kind; k == accesspath.Param || k == accesspath.Global {
			out = append(out, summary.Lead{Field: field, To: to})
		}
	}
	if made, ok := v.(*ssa.Alloc); ok {
		st, _ := ssautil.Pointee(made.Type()).Underlying().(*types.Struct)
		for i := range st.NumFields() {
			if given, ok := ssautil.AtFirst(made, st.Field(i)); ok && given != nil && hasLock(given.Type()) {
				add(st.Field(i).Origin(), a.Paths.Of(given))
			}
		}
		return out
	}
	call, index := ssautil.CallResult(v)
	if call == nil || call.Call.StaticCallee() == nil {
		return nil
	}
	t := target{key: accesspath.FuncKey(call.Call.StaticCallee()), args: call.Call.Args}
	if t.sum = a.Summary(t.key); t.sum != nil && index < len(t.sum.Results) {
		for _, l := range t.sum.Results[index].Leads {
			add(l.Field, a.substitute(l.To, t, call))
		}
	}
	return out
}

// leadsToLock reports whether a type is that of pointers to structs with a field that leads to a lock.
func leadsToLock(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return false
	}
	st, ok := ssautil.Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if hasLock(f.Type()) {
			return true
		}
	}
	return false
}

// hasLock reports whether a type is that of pointers to structs with a lock, or to a lock.
func hasLock(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return false
	}
	t = ssautil.Pointee(t)
	if model.IsMutex(t) {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if model.IsMutex(f.Type()) {
			return true
		}
	}
	return false
}
