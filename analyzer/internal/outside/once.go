package outside

import "slices"

// maxOnce bounds the calls that lead from where a thread begins to what it does once.
const maxOnce = 40

// Once reports whether all that the module shows to make each of some accesses is one way of calls, none of them in a
// loop that nothing bounds, from where a thread begins that is not started several times there; and no function on the way
// begins a thread first that comes to one of the others. With assume, other modules do not count, nor what they alone could
// bring to run. A function with which a goroutine begins is no part of what that does once: it is its work. Complexity:
// linear in the calls on the ways, which are bounded.
func (v *View) Once(fns, others []Name) bool {
	fns = v.places(fns)
	return len(fns) > 0 && !slices.ContainsFunc(fns, func(fn Name) bool { return !v.onceIn(fn) }) && !v.begunBefore(fns, v.places(others))
}

func (v *View) onceIn(at Name) bool {
	s, called := v.s.solver, false
	for range maxOnce {
		if thread := s.begin(at); thread != "" {
			return called || thread == Main
		}
		runs := slices.DeleteFunc(slices.Clone(s.runs[at]), func(r Run) bool {
			return v.assume && s.unused(r.From) || s.abstract(r.From) && len(s.runs[r.From]) == 0
		})
		if len(runs) != 1 || runs[0].Endless || s.starts[runs[0].From].Many || s.loosely(s.declared(at), v.assume) {
			return false
		}
		called = called || s.begin(runs[0].From) == "" && s.code(runs[0].From) != s.declared(at)
		at = runs[0].From
	}
	return false
}

// Recurs reports whether the module shows that some accesses are made again and again: a request leads to one, a loop that
// nothing bounds, or a goroutine. That others can call it is no sign of that. Complexity: linear in the calls that lead
// there, which are bounded.
func (v *View) Recurs(fns []Name) bool {
	s := v.s.solver
	return !rise(v.places(fns), func(at Name, next func(Name)) bool {
		switch thread := s.begin(at); {
		case thread == Main, v.assume && s.unused(at):
			return true
		case thread != "", s.served[at] && !s.idle[at], IsValue(at), s.wild[at]:
			return false
		}
		if _, declared := s.decls[at]; declared && len(s.runs[at]) == 0 {
			return false // what calls it does not show
		}
		for _, r := range s.runs[at] {
			if r.Endless {
				return false
			}
			next(r.From)
		}
		return true
	})
}
