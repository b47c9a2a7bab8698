package outside

import "slices"

// Late reports whether the module shows a thread besides the program's start that runs one
// of some functions: a goroutine, a loop of the main goroutine, a function whose caller no
// record shows, or code outside the module which calls a method. What other modules alone
// could call shows none: that they do so while the program runs, rather than at its start, is
// an assumption. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) Late(fns []Name) bool {
	type step struct {
		fn     Name
		looped bool
	}
	s, seen := v.s.solver, make(map[step]bool)
	var work []step
	for _, fn := range fns {
		work = append(work, step{fn: fn})
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxWho {
			return true
		}
		switch thread := s.begin(at.fn); {
		case thread == Main && (at.fn == "" || !at.looped):
			continue
		case thread != "" || s.strangers(at.fn):
			return true
		}
		for _, r := range s.runs[at.fn] {
			work = append(work, step{r.From, at.looped || r.Looped})
		}
	}
	return false
}

// strangers reports whether code that no record shows calls a function, other modules
// aside.
func (s *solver) strangers(fn Name) bool {
	if _, declared := s.decls[fn]; !declared {
		return fn == Anyone || len(s.runs[fn]) == 0 && !s.byWay[fn]
	}
	return s.wild[fn] || s.open[fn] && s.decls[fn].Exported && !s.barely[fn]
}

// OnlyStart reports whether the module shows changes of a map, all by the program's start, and
// none behind the beginning of a thread that comes to one of some accesses: the functions that
// make the changes, and those that make the accesses. Complexity: linear in the runs that lead
// there, which are bounded.
func (v *View) OnlyStart(changes, accesses []Name) bool {
	return v.byMain(changes) && !v.Late(changes) && !v.begunBefore(changes, accesses)
}

// byMain reports whether the records show that the main goroutine comes to one of some
// functions.
func (v *View) byMain(fns []Name) bool {
	s := v.s.solver
	for fn := range s.leadsTo(fns) {
		if s.begin(fn) == Main {
			return true
		}
	}
	return false
}

// begunBefore reports whether a thread that comes to some accesses begins before a change, or
// may do so, in a function that leads to both.
func (v *View) begunBefore(changes, accesses []Name) bool {
	s := v.s.solver
	begins := s.beginning(accesses)
	leads := s.leadsTo(changes)
	for fn, itself := range leads {
		for _, first := range append(slices.Clone(s.runsIn()[fn]), s.taken[fn]...) {
			if !begins[first.To] {
				continue
			}
			if itself {
				return true // nothing tells when
			}
			for _, then := range s.runsIn()[fn] {
				if _, to := leads[then.To]; to && then != first && first.Order <= then.Order {
					return true
				}
			}
		}
	}
	return false
}

// beginning returns the functions with which threads begin that come to some functions, the
// main goroutine aside, and those that lead to such a beginning.
func (s *solver) beginning(fns []Name) map[Name]bool {
	out := make(map[Name]bool)
	seen := make(map[Name]bool)
	type step struct {
		fn    Name
		begun bool
	}
	var work []step
	for _, fn := range fns {
		work = append(work, step{fn: fn})
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if th := s.begin(at.fn); th != "" && th != Main || len(s.takers[at.fn]) > 0 {
			at.begun = true // where its value is taken, too: code outside may call it from then on
		}
		if seen[at.fn] && (!at.begun || out[at.fn]) {
			continue
		}
		seen[at.fn] = true
		if at.begun {
			out[at.fn] = true
		}
		if s.begin(at.fn) == Main {
			continue
		}
		for _, r := range append(slices.Clone(s.runs[at.fn]), s.takers[at.fn]...) {
			work = append(work, step{r.From, at.begun})
		}
	}
	return out
}
