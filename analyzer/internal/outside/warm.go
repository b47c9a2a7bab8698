package outside

import (
	"maps"
	"slices"
)

// onlyFilled is OnlyStart where some of the changes are made only for the lack of a variable's value that the program's
// start has given it before any thread begins which comes to the accesses: no one makes those later.
func (v *View) onlyFilled(changes, own, accesses []Name) bool {
	lacks := v.lacking(changes)
	if len(lacks) == 0 || !v.told(changes) {
		return false
	}
	all := slices.Concat(changes, accesses)
	lacks = slices.DeleteFunc(lacks, func(lack Name) bool { return !v.filledFirst(lack, all) || v.begunFilling(lack, changes, all) })
	if len(lacks) == 0 {
		return false
	}
	w := v.without(lacks)
	later := slices.DeleteFunc(slices.Clone(changes), func(fn Name) bool { return !w.stillMade(fn, v) })
	return len(later) == 0 || w.onlyStart(later, own, accesses)
}

// lacking returns the variables for the lack of whose value functions are run on the ways to some changes.
func (v *View) lacking(changes []Name) (lacks []Name) {
	s := v.s.solver
	for fn := range s.leadsTo(changes) {
		for _, r := range s.runs[fn] {
			if r.Lack != "" && !slices.Contains(lacks, r.Lack) {
				lacks = append(lacks, r.Lack)
			}
		}
	}
	slices.Sort(lacks)
	return lacks
}

// told reports whether the records show all that comes to some functions: not where other modules may call what leads
// there, which find the variable without its value.
func (v *View) told(fns []Name) bool {
	s := v.s.solver
	return rise(fns, func(fn Name, next func(Name)) bool {
		switch {
		case s.begin(fn) != "", v.assume && s.unused(fn):
			return true
		case s.api[fn] && !v.assume, s.strangers(fn) && !s.takenInSight(fn):
			return false
		}
		for _, r := range s.runs[fn] {
			next(r.From)
		}
		return true
	})
}

// takenInSight reports whether code that no record shows has nothing of a function but its value, and the records show where that
// is taken.
func (s *solver) takenInSight(fn Name) bool {
	if d, declared := s.decls[fn]; declared && s.open[fn] && d.Exported && !s.barely[fn] {
		return false
	}
	return len(s.takers[fn]) > 0 && !slices.ContainsFunc(s.takers[fn], func(r Run) bool { return r.From == Sometime })
}

// without returns a view in which nothing is done for the lack of some variables' values.
func (v *View) without(lacks []Name) *View {
	lacking := func(r Run) bool { return r.Lack != "" && slices.Contains(lacks, r.Lack) }
	solution, solver := *v.s, *v.s.solver
	solver.runs, solver.within = make(map[Name][]Run, len(v.s.solver.runs)), nil
	for fn, runs := range v.s.solver.runs {
		if slices.ContainsFunc(runs, lacking) {
			runs = slices.DeleteFunc(slices.Clone(runs), lacking)
		}
		solver.runs[fn] = runs
	}
	solution.solver, solution.awaiting = &solver, nil
	return &View{s: &solution, assume: v.assume}
}

// stillMade reports whether something comes to a change in a view without some of the runs of another one.
func (v *View) stillMade(change Name, all *View) bool {
	s := v.s.solver
	return !rise([]Name{change}, func(fn Name, next func(Name)) bool {
		if s.begin(fn) != "" || len(all.s.solver.runs[fn]) == 0 || s.handed(fn) {
			return false
		}
		for _, r := range s.runs[fn] {
			next(r.From)
		}
		return true
	})
}

// filledFirst reports whether a variable has its value whenever a thread begins that comes to some functions, from what
// the main goroutine has done in any case.
func (v *View) filledFirst(lack Name, fns []Name) bool {
	s := v.s.solver
	begins, comes, fills := s.beginning(fns, true), s.leadsTo(fns), s.filling(lack)
	var roots []Name
	for fn := range begins.at {
		if s.begin(fn) == Main {
			roots = append(roots, fn)
		}
	}
	return len(roots) > 0 && rise(roots, func(fn Name, next func(Name)) bool {
		runs, given := s.runsIn()[fn], s.gives(fn, begins)
		if fn == "" { // code outside calls nothing while the program is initialised
			given = slices.DeleteFunc(given, func(r Run) bool { return !begins.passed[r.To] })
		}
		for _, r := range slices.Concat(runs, given) {
			if !begins.at[r.To] || slices.ContainsFunc(runs, func(by Run) bool { return by.ahead(&r) && fills(by.To) }) {
				continue
			}
			_, there := comes[r.To]
			if there && (s.begin(r.To) != "" || s.leaves(r.To) || begins.passed[r.To]) {
				return false // it begins without the value
			}
			next(r.To)
		}
		return true
	})
}

// begunFilling reports whether a thread that comes to some accesses may begin while changes are made for the lack of a
// variable's value: it finds that, which is given by then, but what found none before goes on.
func (v *View) begunFilling(lack Name, changes, accesses []Name) bool {
	s := v.s.solver
	begins, leads := s.beginning(accesses, true), s.leadsTo(changes)
	filling := make(map[Name]bool) // what is run for the lack
	for work := slices.Collect(maps.Keys(leads)); len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range s.runsIn()[fn] {
			if _, to := leads[r.To]; !to || r.Lack != lack && !filling[fn] {
				continue
			}
			if s.beginsAhead(fn, &r, begins) {
				return true
			}
			if !filling[r.To] {
				filling[r.To] = true
				work = append(work, r.To)
			}
		}
	}
	return false
}

// beginsAhead reports whether a function may begin a thread before it makes a run, other than by that one.
func (s *solver) beginsAhead(fn Name, then *Run, begins beginnings) bool {
	return slices.ContainsFunc(slices.Concat(s.runsIn()[fn], s.gives(fn, begins)), func(first Run) bool {
		return begins.at[first.To] && first.Order <= then.Order && (first.To != then.To || first.Order != then.Order)
	})
}

// ahead reports whether a call has returned wherever its caller makes another run.
func (r *Run) ahead(o *Run) bool {
	return r.Named && r.Span.Holds(o.Span) && (r.Span != o.Span || r.Order < o.Order)
}

// filling returns what tells whether a variable has a value when a function returns, as far as the functions tell that it
// calls in any case.
func (s *solver) filling(lack Name) func(fn Name) bool {
	known := make(map[Name]bool)
	var fills func(fn Name) bool
	fills = func(fn Name) bool {
		if yes, ok := known[fn]; ok {
			return yes
		}
		known[fn] = false
		known[fn] = slices.Contains(s.fills[fn], lack) || slices.ContainsFunc(s.runsIn()[fn], func(r Run) bool { return r.Always && fills(r.To) })
		return known[fn]
	}
	return fills
}
