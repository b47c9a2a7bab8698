package outside

import (
	"maps"
	"slices"
	"strings"
)

// InTurns reports whether the module comes to some functions only by the methods of an object that a library calls, no
// two of them at a time: see [Run.Turn]. Who else calls these does so with a lock held for writing, or is the program's
// start, before the library: what stands in for the library sees to the order by itself, also where one goroutine brings it
// into service. That it does not run beside the library is an assumption. The object must be handed over at one place, to
// which the program comes once: two objects are called at one time. Goroutines that are awaited are a part of who waits, if
// they come to none of the changes. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) InTurns(fns, changes []Name) bool {
	s := v.s.solver
	if len(s.driven) == 0 {
		return false
	}
	fns = v.places(fns)
	if s.awaitedApart(fns, v.places(changes)) {
		v = v.awaiting()
		s = v.s.solver
	}
	w := &turns{View: v, begins: s.beginning(fns, true), ways: make(reaching)}
	var from []turnStep
	for _, fn := range fns {
		from, w.ways[fn] = append(from, turnStep{fn: fn}), true
	}
	if !rise(from, w.visit) || w.thread == "" || !v.s.once(w.thread, v.assume) {
		return false
	}
	return !w.started || w.overBefore()
}

// A turnStep is a function on the way up from some others. It is passed once a driven method was.
type turnStep struct {
	fn                    Name
	endless, left, passed bool
	standsIn              bool // it has come through a method of what stands in for the library since
}

// turns are the ways that lead to some functions.
type turns struct {
	*View
	begins beginnings
	// thread is that in which the library calls the methods, ways the functions on the ways; the program's start took one
	// if it started.
	thread  Name
	ways    reaching
	started bool
}

// visit goes on from a function to what runs it, but for the library and, once a driven method was passed, what holds a
// lock. It reports whether no thread does but the program's start.
func (w *turns) visit(at turnStep, next func(turnStep)) bool {
	s := w.s.solver
	thread := s.begin(at.fn)
	switch {
	case s.inShow(at.fn), w.assume && s.unused(at.fn):
		return true
	case thread == Main && (at.fn == "" || !at.endless):
		w.ways[at.fn] = w.ways[at.fn]
		w.started = w.started || at.fn != ""
		return true
	case thread != "" && at.standsIn && w.s.once(at.fn, w.assume):
		return true // what brings it into service
	case thread != "", s.served[at.fn], s.comeAnyhow(at.fn):
		return false
	}
	at.passed = at.passed || s.driven[at.fn]
	at.standsIn = at.standsIn || at.passed && s.standIns[receiverOf(at.fn)]
	if !at.standsIn {
		w.ways[at.fn] = w.ways[at.fn]
	}
	for _, r := range s.runs[at.fn] {
		switch {
		case r.Turn && w.thread != "" && w.thread != r.From:
			return false
		case r.Turn:
			w.thread = r.From
		case !at.passed || !r.Under || at.left:
			next(turnStep{r.From, at.endless || r.Endless && w.begins.at[r.To], at.left || r.Left, at.passed, at.standsIn})
		}
	}
	return true
}

// overBefore reports whether what the start does is over when the library gets the object, in each function that leads to
// both. All other threads come by the object's methods, so that they have no turn before.
func (w *turns) overBefore() bool {
	s := w.s.solver
	begins := s.leadsTo([]Name{w.thread})
	for fn, itself := range w.ways {
		for _, first := range s.runsIn()[fn] {
			if _, ok := begins[first.To]; !ok {
				continue
			}
			if itself || slices.ContainsFunc(s.runsIn()[fn], func(then Run) bool {
				_, on := w.ways[then.To]
				return on && then != first && first.Order <= then.Order
			}) {
				return false
			}
		}
	}
	return true
}

// comeAnyhow reports whether code that no record shows comes to a function.
func (s *solver) comeAnyhow(fn Name) bool {
	return s.strangers(fn) || s.open[fn] && s.decls[fn].Exported && !s.stays(fn) || !s.whole(fn)
}

// drivenMethods returns the methods of interfaces by which a library calls objects in turn, and those of the types that
// become such an interface.
func (s *solver) drivenMethods() map[Name]bool {
	out := make(map[Name]bool)
	for _, r := range s.records {
		for i := range r.Runs {
			if run := &r.Runs[i]; run.Turn && strings.Contains(string(run.To), "#") {
				out[run.To] = true
			}
		}
	}
	for w := range s.ways {
		if out[w.called] {
			out[w.method] = true
		}
	}
	return out
}

// findStandIns returns the types whose methods hold a lock for writing where they call driven methods, directly or not.
func (s *solver) findStandIns() map[string]bool {
	out := make(map[string]bool)
	rise(slices.Collect(maps.Keys(s.driven)), func(at Name, next func(Name)) bool {
		for _, r := range s.runs[at] {
			switch {
			case s.begin(at) != "" || r.Turn:
			case !r.Under:
				next(r.From)
			case receiverOf(r.From) != "" && !s.driven[r.From]:
				out[receiverOf(r.From)] = true
			}
		}
		return true
	})
	return out
}

// awaitedApart reports whether goroutines that are over when the function returns that starts them come to some functions,
// and as a part of that one make no change, and nothing besides them comes there: they read while it waits.
func (s *solver) awaitedApart(fns, changes []Name) bool {
	comes, changing, some := s.leadsTo(fns), s.leadsTo(changes), false
	for fn := range comes {
		if !s.starts[fn].Awaited {
			continue
		}
		if _, changes := changing[fn]; changes {
			return false
		}
		some = true
		for _, by := range s.runs[fn] {
			for _, r := range s.runsIn()[by.From] {
				if _, also := comes[r.To]; also && r.To != fn {
					return false
				}
			}
		}
	}
	return some
}
