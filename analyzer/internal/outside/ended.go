package outside

import "slices"

// Ended reports whether the module shows that some functions run once the threads are over that run others, as what
// closes a service does when it has waited for its goroutines: each way up to the former comes by one function, which
// has started such threads and waited for them, or has called what did; and all ways up to the latter come by it, too. That function is called
// at one place, outside of loops; or each of its callers has made the object for the call, and no one else knows that yet: own tells
// then that this holds for what the former do with parts of the object. That the threads of one object leave the others alone
// is an assumption. What the maker of an object runs while no other thread can reach it does not
// count. That the function does not run twice on one object, where it is called once, is an assumption. Complexity:
// linear in the runs that lead there, which are bounded.
func (v *View) Ended(late, early []Name) (own, ok bool) {
	late, early = v.places(late), v.places(early)
	e := ending{s: v.s.solver, assume: v.assume, own: true}
	begins, ok := v.begins(early)
	if !ok || len(begins) == 0 {
		return false, false
	}
	if e.up, ok = e.s.above(early); !ok {
		return false, false
	}
	if e.threads, ok = e.s.above(begins); !ok {
		return false, false
	}
	if !e.ordered(late) || !e.passed(early) {
		return false, false
	}
	if e.once(e.by) {
		return false, true
	}
	return true, e.own && e.each()
}

// An ending looks for the function that has waited for threads.
type ending struct {
	s      *solver
	assume bool
	// up are the functions that lead to what the threads run, and threads those that lead to where these begin.
	up, threads map[Name]bool
	by          Name
	// own: what it leads to works on its own receiver, or on parts of that.
	own bool
}

// ordered finds the one function by which each way up from some comes, and which has waited before.
func (e *ending) ordered(late []Name) bool {
	return rise(late, func(at Name, next func(Name)) bool {
		if e.assume && e.s.rests(at) {
			return true
		}
		if e.unknown(at) {
			return false
		}
		for _, r := range e.s.runs[at] {
			e.own = e.own && r.Own && !r.Made
			switch waited, ok := e.waited(r); {
			case !ok, waited && e.by != "" && e.by != r.From:
				return false
			case waited:
				e.by = r.From
			default:
				next(r.From)
			}
		}
		return true
	}) && e.by != ""
}

// unknown reports whether a way ends at a function: a program begins with it, or code that no record shows calls it.
func (e *ending) unknown(at Name) bool {
	return e.s.begin(at) == Main || e.s.strangers(at) || e.s.handed(at) || e.s.loosely(at, e.assume)
}

// waited reports whether the caller of a run has waited before for threads that run the others; ok is false if one may go on.
// What else the caller does itself comes in turn.
func (e *ending) waited(r Run) (waited, ok bool) {
	begins := func(r Run) bool { _, starts := e.s.starts[r.To]; return starts }
	for _, o := range e.s.runsIn()[r.From] {
		same := o == r
		switch over := e.s.starts[o.To].Over; {
		case !e.up[o.To], same && !(begins(r) && r.Looped):
		case begins(o) && over > 0 && over < r.Order:
			waited = true
		case !begins(o) && e.threads[o.To] && o.Order < r.Order:
			waited = true
		case begins(o) && o.Order <= r.Order, begins(r) && o.Order >= r.Order:
			return false, false
		}
	}
	return waited, true
}

// each reports whether the function has an object to itself whenever it runs: who calls it has made that for the call.
func (e *ending) each() bool {
	return !e.unknown(e.by) && !slices.ContainsFunc(e.s.runs[e.by], func(r Run) bool { return !r.Own || !r.Made || !r.Private || r.Again })
}

// once reports whether a function is called at one place, outside of loops, as are those who call it, as far as one does.
func (e *ending) once(fn Name) bool {
	for range maxOnce {
		runs := e.s.runs[fn]
		switch {
		case e.s.begin(fn) == Main, IsValue(fn):
			return true
		case len(runs) == 0, e.unknown(fn), e.s.starts[fn].Many:
			return false
		case len(runs) > 1:
			return e.s.begin(fn) == "" && fn != e.by
		case runs[0].Looped, slices.ContainsFunc(e.s.takers[fn], func(r Run) bool { return r.Looped }):
			return false
		}
		fn = runs[0].From
	}
	return false
}

// passed reports whether all ways up from some functions come by the one that waits, and the threads on them are over when
// what starts them returns; but for the one itself, of which [ending.waited] asks.
func (e *ending) passed(early []Name) bool {
	return rise(early, func(at Name, next func(Name)) bool {
		if at == e.by || e.assume && e.s.rests(at) {
			return true
		}
		if e.unknown(at) {
			return false
		}
		start, begins := e.s.starts[at]
		for _, r := range e.s.runs[at] {
			switch {
			case r.Private:
				continue
			case begins && !start.Awaited && r.From != e.by:
				return false
			}
			next(r.From)
		}
		return true
	})
}
