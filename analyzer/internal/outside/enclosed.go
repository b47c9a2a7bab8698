package outside

import "slices"

// Enclosed reports whether the module comes to some functions only with a lock held for writing: at least
// one of its goroutines, of a server's or of code that no record shows does, and each call on the way from
// there, or one before it, stands in a critical section of which no function on the way lets go. What its
// start does without a lock must be over when those begin that come to the functions.
// That other modules call the functions otherwise is an assumption, and programs which show how the module
// is used may do so. Which lock it is, and of which object, is not asked. With own, what the functions do there
// concerns their receiver's own parts, so that who comes by an object that it alone has meets no one.
// Complexity: linear in the runs that lead there, which are bounded.
func (v *View) Enclosed(fns []Name, own bool) bool {
	fns = v.places(fns)
	begins := v.s.solver.beginning(fns, true)
	return v.enclosed(fns, begins, func(Run) bool { return false }) || own && v.enclosed(fns, begins, v.s.solver.apart(fns))
}

// enclosed is Enclosed with some runs left out.
func (v *View) enclosed(fns []Name, begins beginnings, apart func(Run) bool) bool {
	none, start := v.noneComes(fns, begins, false, apart)
	if !none || start != nil && (v.anyUntimed(fns) || v.begunOn(start, fns)) {
		return false
	}
	none, _ = v.noneComes(fns, begins, true, apart)
	return !none
}

// apart tells of which runs the receiver stays one that no other thread reaches: none can when the run begins,
// and in what is run no thread begins that leads to some functions, and no handler is taken.
func (s *solver) apart(fns []Name) func(Run) bool {
	leads := s.leadsTo(fns)
	var from []Name
	for to := range leads {
		if s.begin(to) != "" {
			for _, r := range s.runs[to] {
				from = append(from, r.From)
			}
		}
		for _, t := range s.takers[to] {
			from = append(from, t.From)
		}
	}
	begins := s.leadsTo(from)
	return func(r Run) bool {
		_, gives := begins[r.To]
		return r.Private && !gives
	}
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
// for the program's start, of which start has the ways; false as well where the functions that lead there are too
// many, or not all known. A loop that nothing bounds is a part of the start where it begins no thread that comes
// there, too. Runs that are apart lead to no object of these threads.
func (v *View) noneComes(fns []Name, begins beginnings, under bool, apart func(Run) bool) (none bool, start reaching) {
	type step struct {
		fn                 Name
		endless, left, own bool
	}
	s := v.s.solver
	ways, started := make(reaching), false
	come := func(fn Name) { ways[fn] = slices.Contains(fns, fn) }
	var from []step
	for _, fn := range fns {
		from, ways[fn] = append(from, step{fn: fn, own: true}), true
	}
	none = rise(from, func(at step, next func(step)) bool {
		switch thread := s.begin(at.fn); {
		case s.inShow(at.fn):
			return true
		case thread == Main && (at.fn == "" || !at.endless):
			come(at.fn)
			started = started || at.fn != ""
			return true
		case v.assume && s.unused(at.fn):
			return true
		case thread != "", s.served[at.fn], s.strangers(at.fn), s.open[at.fn] && s.decls[at.fn].Exported && !s.stays(at.fn), !s.whole(at.fn):
			return false
		}
		come(at.fn)
		for _, r := range s.runs[at.fn] {
			if (under || !r.Under || at.left) && !(at.own && apart(r)) {
				next(step{r.From, at.endless || r.Endless && (under || begins.at[r.To]), at.left || r.Left, at.own && r.Own})
			}
		}
		return true
	})
	if started {
		start = ways
	}
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
