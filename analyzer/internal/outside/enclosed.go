package outside

// Enclosed reports whether the module comes to some functions only with a lock held for writing: at least
// one of its goroutines, of a server's or of code that no record shows does, and each call on the way from
// there, or one before it, stands in a critical section. What its start does without a lock is over by then.
// That other modules call the functions otherwise is an assumption, and programs which show how the module
// is used may do so. Which lock it is, and of which object, is not asked. Complexity: linear in the runs that
// lead there, which are bounded.
func (v *View) Enclosed(fns []Name) bool {
	fns = v.places(fns)
	return v.noneComes(fns, func(r Run) bool { return !r.Under }) && !v.noneComes(fns, func(Run) bool { return true })
}

// Application reports whether the module is an application: see applied.
func (v *View) Application() bool { return v.s.solver.application }

// noneComes reports whether no thread leads to some functions by runs that count, but for the program's
// start; false as well where the functions that lead there are too many, or not all known.
func (v *View) noneComes(fns []Name, counts func(Run) bool) bool {
	type step struct {
		fn      Name
		endless bool
	}
	s := v.s.solver
	var start []step
	for _, fn := range fns {
		start = append(start, step{fn: fn})
	}
	return rise(start, func(at step, next func(step)) bool {
		switch thread := s.begin(at.fn); {
		case thread == Main && (at.fn == "" || !at.endless), v.assume && s.unused(at.fn), s.inShow(at.fn):
			return true
		case thread != "", s.served[at.fn], s.strangers(at.fn), !s.whole(at.fn):
			return false
		}
		for _, r := range s.runs[at.fn] {
			if counts(r) {
				next(step{r.From, at.endless || r.Endless})
			}
		}
		return true
	})
}

// inShow reports whether a function, or a goroutine that begins in it, belongs to a program that
// is there to show how the module is used.
func (s *solver) inShow(fn Name) bool { return s.shows[s.pkgs[s.code(fn)]] }

// whole reports whether the module of a function was analysed as a whole, or no other package can call it.
func (s *solver) whole(fn Name) bool {
	d, declared := s.decls[fn]
	return !declared || !d.Exported || s.scope.Whole(s.pkgs[fn])
}
