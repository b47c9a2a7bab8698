package outside

import (
	"slices"
	"strings"
)

// maxOnce bounds the calls that lead from where a thread begins to what it does once.
const maxOnce = 40

// Once reports whether all that the module shows to run each of some functions is one way of calls, none of them in a
// loop that nothing bounds, from where a thread begins that is not started several times there. With assume, other modules
// do not count, nor what they alone could bring to run. A function with which a goroutine begins is no part of what that
// does once: it is its work. Complexity: linear in the calls on the ways, which are bounded.
func (v *View) Once(fns []Name) bool {
	return len(fns) > 0 && !slices.ContainsFunc(fns, func(access Name) bool {
		fn, _, _ := strings.Cut(string(access), placeSign)
		return !v.onceIn(Name(fn))
	})
}

func (v *View) onceIn(at Name) bool {
	s, called := v.s.solver, false
	for range maxOnce {
		if thread := s.begin(at); thread != "" {
			return called || thread == Main
		}
		runs := slices.DeleteFunc(slices.Clone(s.runs[at]), func(r Run) bool {
			_, declared := s.decls[r.From]
			return v.assume && s.unused(r.From) || !declared && s.byWay[r.From] && len(s.runs[r.From]) == 0
		})
		if len(runs) != 1 || runs[0].Endless || s.starts[runs[0].From].Many || s.loosely(at, v.assume) {
			return false
		}
		called = called || s.begin(runs[0].From) == "" && s.code(runs[0].From) != s.code(at)
		at = runs[0].From
	}
	return false
}

// Recurs reports whether the module shows that some functions run again and again: a request leads to one, a loop that
// nothing bounds, or several goroutines of one start; or a goroutine begins with it. Others can call it is no sign of that.
// Complexity: linear in the calls that lead there, which are bounded.
func (v *View) Recurs(fns []Name) bool {
	type step struct {
		fn     Name
		called bool
	}
	s := v.s.solver
	var start []step
	for _, access := range fns {
		fn, _, _ := strings.Cut(string(access), placeSign)
		start = append(start, step{fn: Name(fn)})
	}
	return !rise(start, func(at step, next func(step)) bool {
		started, begins := s.starts[at.fn]
		switch {
		case s.begin(at.fn) == Main, v.assume && s.unused(at.fn):
			return true
		case begins && (!at.called || started.Many || started.Several || started.Accepted), s.served[at.fn] && !s.idle[at.fn]:
			return false
		}
		for _, r := range s.runs[at.fn] {
			if r.Endless {
				return false
			}
			_, inside := s.starts[r.From]
			next(step{r.From, at.called || !inside && s.code(r.From) != s.code(at.fn)})
		}
		return true
	})
}
