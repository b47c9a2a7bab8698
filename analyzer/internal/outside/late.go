package outside

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
