package outside

import "slices"

// Enclosed reports whether the module comes to some functions only with a lock held for writing: at least
// one of its goroutines, of a server's or of code that no record shows does, and each call on the way from
// there, or one before it, stands in a critical section of which no function on the way lets go. What its
// start does without a lock must be over when those begin that come to the functions.
// That other modules call the functions otherwise is an assumption, and programs which show how the module
// is used may do so. Which lock it is, and of which object, is not asked. Complexity: linear in the runs that
// lead there, which are bounded.
func (v *View) Enclosed(fns []Name) bool {
	fns = v.places(fns)
	none, start := v.noneComes(fns, false)
	if !none || start && (v.anyUntimed(fns) || v.begunBefore(fns, fns)) {
		return false
	}
	none, _ = v.noneComes(fns, true)
	return !none
}

// untimed reports whether a function is a server's handler of which nothing tells when it begins: it is
// no value of a function.
func (s *solver) untimed(fn Name) bool { return s.served[fn] && len(s.takers[fn]) == 0 }

// anyUntimed reports whether such a handler leads to some functions.
func (v *View) anyUntimed(fns []Name) bool {
	for fn := range v.s.solver.leadsTo(fns) {
		if v.s.solver.untimed(fn) {
			return true
		}
	}
	return false
}

// Application reports whether the module is an application: see applied.
func (v *View) Application() bool { return v.s.Application() }

// Programs reports whether the module has programs, other than those that show how it is used.
func (v *View) Programs() bool {
	return slices.ContainsFunc(v.s.solver.records, func(r *Record) bool { return r.Program && !r.Shows })
}

// noneComes reports whether no thread leads to some functions without a lock, or under some all the same, but
// for the program's start, which start tells; false as well where the functions that lead there are too many, or
// not all known.
func (v *View) noneComes(fns []Name, under bool) (none, start bool) {
	type step struct {
		fn            Name
		endless, left bool
	}
	s := v.s.solver
	var from []step
	for _, fn := range fns {
		from = append(from, step{fn: fn})
	}
	none = rise(from, func(at step, next func(step)) bool {
		switch thread := s.begin(at.fn); {
		case thread == Main && (at.fn == "" || !at.endless):
			start = start || at.fn != ""
			return true
		case v.assume && s.unused(at.fn), s.inShow(at.fn):
			return true
		case thread != "", s.served[at.fn], s.strangers(at.fn), s.open[at.fn] && s.decls[at.fn].Exported && !s.stays(at.fn), !s.whole(at.fn):
			return false
		}
		for _, r := range s.runs[at.fn] {
			if under || !r.Under || at.left {
				next(step{r.From, at.endless || r.Endless, at.left || r.Left})
			}
		}
		return true
	})
	return none, start
}

// inShow reports whether a function, or a goroutine that begins in it, belongs to a program that
// is there to show how the module is used.
func (s *solver) inShow(fn Name) bool { return s.shows[s.pkgs[s.code(fn)]] }

// whole reports whether the module of a function was analysed as a whole, or no other package can call it.
func (s *solver) whole(fn Name) bool {
	d, declared := s.decls[fn]
	return !declared || !d.Exported || s.scope.Whole(s.pkgs[fn])
}
