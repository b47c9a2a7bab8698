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
