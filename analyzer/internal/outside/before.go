package outside

import "slices"

// Sometime takes the functions of which nothing tells when a thread may begin with them.
const Sometime Name = "??"

// maxBegun bounds the functions in which it is looked for where threads begin.
const maxBegun = 1000

// Before reports whether the program's main goroutine alone runs some functions, and is
// done with them when a thread begins that runs others: a goroutine, or one that calls a
// function whose value is taken before. What the main goroutine itself runs of the
// others does not count. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) Before(first, then []Name) bool {
	s := v.s.solver
	first, then = v.places(first), v.places(then)
	if w := v.of(first, every); w.Any || len(w.Threads) != 1 || w.Threads[0] != Main {
		return false
	}
	begins, ok := v.begins(then)
	if !ok {
		return false
	}
	leads := s.leadsTo(first)
	up, ok := s.above(begins)
	if !ok {
		return false
	}
	for fn := range up {
		if s.begin(fn) == Main && !s.comparable(fn, leads) || !s.doneIn(fn, leads, up) {
			return false
		}
	}
	return true
}

// begins returns where threads other than the main goroutine begin that run some functions,
// false if there may be more of them.
func (v *View) begins(fns []Name) (out []Name, ok bool) {
	s := v.s.solver
	seen := make(map[Name]bool)
	for work := slices.Clone(fns); len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[fn] {
			continue
		}
		if seen[fn] = true; len(seen) > maxWho {
			return nil, false
		}
		if th := s.begin(fn); th != "" {
			if th != Main {
				out = append(out, fn)
			}
			continue
		}
		switch taken := s.handed(fn); {
		case taken && len(s.takers[fn]) > 0:
			out = append(out, fn)
		case taken, s.loosely(fn, v.assume):
			return nil, false
		}
		for _, r := range s.runs[fn] {
			if r.From != Anyone {
				work = append(work, r.From)
			}
		}
	}
	return out, true
}

// handed reports whether code that no record shows may call a function where its value is taken: the
// value does not stay in the module, or a server has it.
func (s *solver) handed(fn Name) bool {
	return s.served[fn] || s.offered[fn] || s.handedOut(fn)
}

// handedOut is handed for code that is no server.
func (s *solver) handedOut(fn Name) bool {
	return s.wild[fn] || slices.ContainsFunc(s.runs[fn], byAnyone)
}

// above returns the functions in which threads begin, or which lead to those, in any thread.
func (s *solver) above(begins []Name) (map[Name]bool, bool) {
	out := make(map[Name]bool)
	for work := slices.Clone(begins); len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if fn == Sometime {
			return nil, false
		}
		if out[fn] {
			continue
		}
		if out[fn] = true; len(out) > maxBegun {
			return nil, false
		}
		if s.begin(fn) == Main {
			continue
		}
		for _, r := range s.runs[fn] {
			if r.From != Anyone {
				work = append(work, r.From)
			}
		}
		for _, r := range s.takers[fn] {
			work = append(work, r.From)
		}
	}
	return out, true
}

// comparable reports whether the order of runs tells what comes first: the main goroutine
// begins with a function that leads to some others, too; or they never run in one process,
// as two programs, or two commands.
func (s *solver) comparable(root Name, leads reaching) bool {
	known := root != ""
	if _, ok := leads[root]; ok == known {
		return ok
	}
	for fn := range leads {
		if fn == root || fn == "" || s.begin(fn) != Main {
			continue
		}
		if s.program[fn] != s.program[root] || s.commands[fn] != s.commands[root] {
			return false
		}
	}
	return true
}

// doneIn reports whether all that a function runs of that which leads somewhere is over when
// it runs, or takes the value of, what is above the beginning of a thread; or is the same run,
// which is asked about in turn.
func (s *solver) doneIn(fn Name, leads reaching, up map[Name]bool) bool {
	itself, leading := leads[fn]
	if itself {
		return false // nothing tells when
	}
	if !leading {
		return true
	}
	runs := s.runsIn()[fn]
	for _, later := range append(slices.Clone(runs), s.taken[fn]...) {
		if !up[later.To] {
			continue
		}
		for _, r := range runs {
			_, leads := leads[r.To]
			if same := r == later && !r.Looped; leads && !same && r.Order >= later.Order {
				return false
			}
		}
	}
	return true
}

// goesOn reports whether a function that leads to the beginnings of threads may do, behind one of
// them, something that leads to others.
func (s *solver) goesOn(fn Name, begins, leads reaching) bool {
	return !rise([]Name{fn}, func(at Name, next func(Name)) bool {
		if _, gives := begins[at]; !gives || s.begin(at) != "" {
			return true
		}
		for _, start := range s.runsIn()[at] {
			if _, gives := begins[start.To]; !gives {
				continue
			}
			_, there := leads[start.To]
			if start.Looped && there || !s.overBefore(start, leads) {
				return false
			}
			next(start.To)
		}
		return true
	})
}
