package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An outline is what walks look at in a function: its own accesses, and the calls worth
// following. Many walks come to the same functions, so that what
// does not depend on the way there is worked out once.
type outline struct {
	accesses []viewed
	calls    []lead
}

// A viewed is an access with its place.
type viewed struct {
	access *access.Access
	place  *place
}

// A lead is a call that a walk follows.
type lead struct {
	call  *summary.Call
	index int // among the function's calls
	to    *infer.Func
	place *place
	// listings are the structs that are made for the call.
	listings []listing
}

// A place is a state of a function in which it does something.
type place struct {
	state locks.State
	held  []locks.Held // in that state, by callers, too
	asks  bool         // the state depends on a parameter
}

// outline returns that of a function.
func (t *Theory) outline(f *infer.Func) *outline {
	if o := t.outlines[f]; o != nil {
		return o
	}
	o := new(outline)
	t.outlines[f] = o
	places := make(map[locks.State]*place)
	at := func(s locks.State) *place {
		p := places[s]
		if p == nil {
			p = &place{s, f.EffectiveState(s), asks(s, f)}
			places[s] = p
		}
		return p
	}
	for i := range f.Accesses {
		if a := &f.Accesses[i]; infer.Own(a) {
			o.accesses = append(o.accesses, viewed{a, at(a.Held)})
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if c.Kind == summary.OnceOnly || !c.Kind.SameThread() {
			continue
		}
		if g := t.pkg.Lookup(c.Callee); g != nil && t.useful[g] {
			o.calls = append(o.calls, lead{c, i, g, at(c.Held), listingsOf(c.Point.Instr(f.SSA), g)})
		}
	}
	return o
}

// asks reports whether arguments can decide a condition of a state.
func asks(s locks.State, f *infer.Func) bool {
	return slices.ContainsFunc(s.Cases(), func(c locks.Case) bool {
		return slices.ContainsFunc(c.When, func(c locks.Cond) bool { return onParam(c, f) })
	})
}
