package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A handed is a parameter that code outside the package decides on.
type handed struct {
	f     *infer.Func
	param int
}

// A reached is what the callers reach: functions, and parameters that hold an
// object on which they call methods. What of it is not asked for is not made.
type reached struct {
	t     *Theory
	seeds []*infer.Func
	// over is the goroutine that is asked about: calls that come after a wait for it are
	// left out. It may be nil.
	over   *Thread
	isOpen map[*infer.Func]bool
	// handed is by whether no lock may be held on the way.
	handed [2]map[handed]bool
}

// callersReach returns what the callers reach while a goroutine runs: all that
// the entries lead to, but for those that only bring the goroutine up.
func (t *Theory) callersReach(th *Thread) *reached {
	r := t.up(th)
	if r.callers != nil {
		return r.callers
	}
	if th.Kind == Server && th.Times != Many { // who calls the handler is this server
		r.callers = t.reachBut(map[*infer.Func]bool{th.Starter: true})
		return r.callers
	}
	if t.awaited(th) {
		r.callers = t.reachBut(r.before)
		r.callers.over = th
		r.callers.seeds = slices.DeleteFunc(r.callers.seeds, func(f *infer.Func) bool { return t.CalledAfter(f, th) })
		return r.callers
	}
	only := make([]*infer.Func, 0, 1) // the entries that are left out
	for _, f := range t.pkg.Funcs {
		if r.before[f] && t.entry[f] {
			only = append(only, f)
		}
	}
	switch {
	case len(only) == 0:
		r.callers = t.everything()
	case len(only) == 1 && t.but[only[0]] != nil:
		r.callers = t.but[only[0]]
	default:
		r.callers = t.reachBut(r.before)
		if len(only) == 1 {
			t.but[only[0]] = r.callers
		}
	}
	return r.callers
}

// awaited reports whether some call comes after a wait for a goroutine.
func (t *Theory) awaited(th *Thread) bool {
	if th.call == nil || th.call.Signals.Any || len(th.call.Signals.On) == 0 {
		return false
	}
	return slices.ContainsFunc(t.pkg.Funcs, func(f *infer.Func) bool {
		return t.CalledAfter(f, th) || slices.ContainsFunc(f.Calls, func(c summary.Call) bool { return t.endedBy(th, c.Waits) })
	})
}

// WaitsFor reports whether a function has waited for a goroutine wherever it returns.
func (t *Theory) WaitsFor(f *infer.Func, th *Thread) bool { return t.endedBy(th, f.Waits) }

// CalledAfter reports whether those who call f from other packages have each called a method on its object before that
// waits for a goroutine, and have not started another one since; and whether all who call it here have waited, too.
func (t *Theory) CalledAfter(f *infer.Func, th *Thread) bool {
	waits := func(earlier *infer.Func) bool { return t.WaitsFor(earlier, th) }
	return t.pkg.CalledBehind(f, waits, func(since *infer.Func) bool { return !t.up(th).all[since] }) &&
		all(t.pkg.CallersOf(f), func(s infer.CallSite) bool { return s.Call.Kind.SameThread() && t.endedBy(th, s.Call.Waits) })
}

func (t *Theory) everything() *reached {
	if t.all == nil {
		t.all = t.reachBut(nil)
	}
	return t.all
}

func (t *Theory) reachBut(not map[*infer.Func]bool) *reached {
	r := &reached{t: t}
	for _, f := range t.pkg.Funcs {
		if t.entry[f] && !not[f] && !f.Is(role.NotConcurrent) {
			r.seeds = append(r.seeds, f) // the others are over before, or their callers see to it
		}
	}
	return r
}

// open reports whether callers reach f.
func (r *reached) open(f *infer.Func) bool {
	if r.isOpen == nil {
		r.isOpen = make(map[*infer.Func]bool)
		work := slices.Clone(r.seeds)
		for _, f := range work {
			r.isOpen[f] = true
		}
		for len(work) > 0 {
			f := work[len(work)-1]
			work = work[:len(work)-1]
			for i := range f.Calls {
				if g := r.t.pkg.Lookup(f.Calls[i].Callee); g != nil && !r.isOpen[g] && r.follows(&f.Calls[i]) {
					r.isOpen[g] = true
					work = append(work, g)
				}
			}
		}
	}
	return r.isOpen[f]
}

// gets reports whether callers decide on a parameter; without holding a lock on
// the way, if free.
func (r *reached) gets(h handed, free bool) bool {
	i := 0
	if free {
		i = 1
	}
	if r.handed[i] == nil {
		var seeds []handed
		for _, f := range r.seeds {
			if f.SSA.Signature.Recv() != nil && (f.Is(role.Method) || r.t.keptValue(f)) {
				seeds = append(seeds, handed{f, 0})
			}
		}
		r.handed[i] = r.handOver(seeds, free)
	}
	return r.handed[i][h]
}

// handOver follows the objects that code outside calls methods on to what these
// pass on; without holding a lock, if free.
func (r *reached) handOver(seeds []handed, free bool) map[handed]bool {
	out := make(map[handed]bool)
	var work []handed
	add := func(h handed) {
		if !out[h] {
			out[h] = true
			work = append(work, h)
		}
	}
	for _, h := range seeds {
		add(h)
	}
	for len(work) > 0 {
		h := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range h.f.Calls {
			c := &h.f.Calls[i]
			g := r.t.pkg.Lookup(c.Callee)
			if g == nil || c.Kind == summary.OnceOnly || !r.follows(c) || free && len(h.f.EffectiveState(c.Held)) > 0 {
				continue
			}
			for j, arg := range c.Args {
				if from := arg.Root(); from.Kind == accesspath.Param && from.Fn == h.f.Key && from.Index == h.param {
					add(handed{g, j})
				}
			}
		}
	}
	return out
}

// follows reports whether a call is made in its caller's thread, and before a wait for
// the goroutine that is asked about.
func (r *reached) follows(c *summary.Call) bool {
	return c.Kind.SameThread() && (r.over == nil || !r.t.endedBy(r.over, c.Waits))
}

// handedAt returns the parameter that an access of f starts at, of f itself or
// of the function that it stands in.
func (t *Theory) handedAt(f *infer.Func, path accesspath.Path) (handed, bool) {
	r := path.Root()
	if r.Kind != accesspath.Param {
		return handed{}, false
	}
	for f.Key != r.Fn {
		if f.SSA.Parent() == nil {
			return handed{}, false
		}
		if f = t.pkg.Lookup(accesspath.FuncKey(f.SSA.Parent())); f == nil {
			return handed{}, false // a literal in an initialiser
		}
	}
	return handed{f, r.Index}, true
}

// rest returns what a function does, itself and in what it calls, while a
// goroutine that it starts or leaves running at the call goes on.
func (t *Theory) restOf(fr *frame) map[*access.Access][]spot {
	if fr.call == nil {
		return nil
	}
	if m, ok := t.rest[fr.call]; ok {
		return m
	}
	out := make(map[*access.Access][]spot)
	t.rest[fr.call] = out
	for _, i := range fr.call.Beside {
		if a := &fr.f.Accesses[i]; counts(a) && !a.Joined && !t.gotAnew(fr.f, fr.call.Point, a.Path, a.Point) {
			out[a] = append(out[a], spot{path: a.Path, held: fr.f.Effective(a), claim: a.Claim})
		}
	}
	w := &walk{t: t, from: fr.f, since: true, visit: func(_ *infer.Func, a *access.Access, at spot) {
		if !a.Joined {
			out[a] = append(out[a], at)
		}
	}}
	self := &stop{g: fr.f, itself: true}
	for i := range fr.f.SSA.Params {
		self.args = append(self.args, t.pkg.Paths.ParamOf(fr.f.Key, i))
	}
	var first []*stop
	for _, l := range t.outline(fr.f).calls {
		both := l.call.Kind == summary.Deferred && fr.call.Point.Deferred // the one may run before the other
		if l.call == fr.call || !both && !slices.Contains(fr.call.After, l.index) {
			continue
		}
		if next, ok := w.callee(l, self); ok && next != nil {
			for i, arg := range next.args {
				other := slices.Contains(fr.call.Others, summary.Arg{Call: l.index, Index: i})
				if other || t.gotAnew(fr.f, fr.call.Point, arg, l.call.Point) {
					next.args[i] = accesspath.Path{}
				}
			}
			first = append(first, next)
		}
	}
	w.enter(first...)
	return out
}

// counts reports whether an access can meet another at all, if what it has waited for is not all that comes to the map.
func counts(a *access.Access) bool {
	return !a.Fresh && !a.Once && !a.Spawned && a.Op != access.Grow
}
