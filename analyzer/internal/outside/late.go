package outside

// Late reports whether the module shows a thread besides the program's start that runs one
// of some functions: a goroutine, a function whose caller no record shows, or code outside
// the module which calls a method. What other modules alone could call shows none: that they
// do so while the program runs, rather than at its start, is an assumption. Complexity:
// linear in the runs that lead there, which are bounded.
func (v *View) Late(fns []Name) bool {
	s, seen := v.s.solver, make(map[Name]bool)
	for work := append([]Name(nil), fns...); len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[fn] {
			continue
		}
		if seen[fn] = true; len(seen) > maxWho {
			return true
		}
		switch thread := s.begin(fn); {
		case thread == Main:
			continue
		case thread != "" || s.strangers(fn):
			return true
		}
		for _, r := range s.runs[fn] {
			work = append(work, r.From)
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
