package outside

import "slices"

// Late reports whether the module shows a thread besides the program's start that runs one
// of some functions: a goroutine, a loop of the main goroutine that nothing bounds, a function whose caller no
// record shows, or code outside the module which calls a method. What other modules alone
// could call shows none: that they do so while the program runs, rather than at its start, is
// an assumption. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) Late(fns []Name) bool { return v.late(v.places(fns), "") }

// late is Late, where one goroutine may be a part of the program's start.
func (v *View) late(fns []Name, early Name) bool {
	type step struct {
		fn      Name
		endless bool
	}
	s := v.s.solver
	var start []step
	for _, fn := range fns {
		start = append(start, step{fn: fn})
	}
	return !rise(start, func(at step, next func(step)) bool {
		switch thread := s.begin(at.fn); {
		case thread == Main && (at.fn == "" || !at.endless), thread != "" && thread == early && !at.endless,
			v.assume && s.unused(at.fn):
			return true
		case thread != "" || s.strangers(at.fn):
			return false
		}
		for _, r := range s.runs[at.fn] {
			next(step{r.From, at.endless || r.Endless})
		}
		return true
	})
}

// strangers reports whether code that no record shows calls a function, other modules
// aside.
func (s *solver) strangers(fn Name) bool {
	if _, declared := s.decls[fn]; !declared {
		return fn == Anyone || !IsValue(fn) && len(s.runs[fn]) == 0 && !s.byWay[fn]
	}
	return s.wild[fn] || s.open[fn] && s.decls[fn].Exported && !s.barely[fn]
}

// OnlyStart reports whether the module shows changes of a map, all by the program's start, and
// none behind the beginning of a thread that comes to one of some accesses: the functions that
// make the changes, and those that make the accesses, of which the own are those that matter. A
// goroutine that exists once, and does not make them in such a loop, is a part of the start; so are
// goroutines that are over when the call returns that starts them, if none of them makes one of the
// own accesses. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) OnlyStart(changes, own, accesses []Name) bool {
	changes, own, accesses = v.places(changes), v.places(own), v.places(accesses)
	return v.onlyStart(changes, own, accesses) || v.onlyFilled(changes, own, accesses)
}

func (v *View) onlyStart(changes, own, accesses []Name) bool {
	if leads := v.s.solver.leadsTo(own); v.anyAwaited(changes, leads) {
		return false
	}
	v = v.awaiting()
	early, ok := v.early(changes)
	if !ok || v.late(changes, early) || v.begunBefore(changes, accesses) {
		return false
	}
	return early == "" || !v.begunBeside(early, accesses)
}

// anyAwaited reports whether a goroutine that is awaited makes a change, and comes to what
// leads elsewhere.
func (v *View) anyAwaited(changes []Name, leads reaching) bool {
	s := v.s.solver
	for fn := range s.leadsTo(changes) {
		if _, comes := leads[fn]; comes && s.starts[fn].Awaited {
			return true
		}
	}
	return false
}

// awaiting returns a view in which goroutines that are awaited are a part of what starts them.
func (v *View) awaiting() *View {
	if v.s.awaiting == nil {
		v.s.awaiting = v.s.withoutAwaited()
	}
	return &View{s: v.s.awaiting, assume: v.assume}
}

func (s *Solution) withoutAwaited() *Solution {
	awaited, starts := make(map[Name]bool), make(map[Name]Start)
	for thread, start := range s.solver.starts {
		if start.Awaited {
			awaited[thread] = true
		} else {
			starts[thread] = start
		}
	}
	if len(awaited) == 0 {
		return s
	}
	solution, solver := *s, *s.solver
	solver.starts, solver.awaited, solution.solver = starts, awaited, &solver
	return &solution
}

// early returns the goroutine, if there is one, that makes some changes as a part of the
// program's start; false if neither that nor the main goroutine makes any.
func (v *View) early(changes []Name) (thread Name, ok bool) {
	s := v.s.solver
	for fn := range s.leadsTo(changes) {
		switch th := s.begin(fn); {
		case th == "":
			continue
		case th != Main && (thread != "" && th != thread || !v.s.once(th, v.assume)):
			return "", false
		case th != Main:
			thread = th
		}
		ok = true
	}
	return thread, ok
}

// once reports whether a thread exists once in a process, at most: each way that leads to where
// it begins is outside of loops, and begins where no other does, or with another command.
func (s *Solution) once(thread Name, assume bool) bool {
	roots := make(map[Name]bool)
	work := []Name{thread}
	for steps := 0; len(work) > 0; steps++ {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if s.solver.begin(fn) == Main {
			if roots[fn] {
				return false
			}
			roots[fn] = true
			continue
		}
		start, starts := s.solver.starts[fn]
		if steps > maxWho || start.Many || !starts && s.solver.loosely(fn, assume) {
			return false
		}
		for _, r := range s.solver.runs[fn] {
			if r.Looped {
				return false
			}
			work = append(work, r.From)
		}
	}
	for root := range roots {
		if len(roots) > 1 && !s.solver.commands[root] {
			return false
		}
	}
	return len(roots) > 0
}

// begunBeside reports whether other threads may come to some accesses while a thread that
// exists once runs: one that begins in a function that leads to where that one begins, in any
// order, the thread of that function itself, unless it has done so before, or other modules.
// What that one begins itself does not count.
func (v *View) begunBeside(thread Name, accesses []Name) bool {
	s := v.s.solver
	begins, comes, leads := s.beginning(accesses, true), s.leadsTo(accesses), s.leadsTo([]Name{thread})
	for fn := range comes {
		if s.api[fn] || s.untimed(fn) {
			return true
		}
	}
	for fn := range leads {
		switch {
		case fn == thread:
			continue
		case comes[fn]:
			return true // nothing tells when
		}
		others := append(slices.Clone(s.runsIn()[fn]), s.gives(fn, begins)...)
		for _, then := range s.runsIn()[fn] {
			_, to := leads[then.To]
			if to && slices.ContainsFunc(others, func(other Run) bool {
				_, itself := comes[other.To]
				return other != then && (begins.at[other.To] || itself && other.Order >= then.Order)
			}) {
				return true
			}
		}
	}
	return false
}

// begunBefore reports whether a thread that comes to some accesses begins before a change, or
// may do so, in a function that leads to both. Where the function waits for a goroutine that makes
// the change, nothing tells.
func (v *View) begunBefore(changes, accesses []Name) bool {
	return v.begunOn(v.s.solver.leadsTo(changes), accesses)
}

// begunOn is begunBefore for some of the ways that lead to the changes.
func (v *View) begunOn(leads reaching, accesses []Name) bool {
	s := v.s.solver
	begins, begun := s.beginning(accesses, true), s.beginning(accesses, false)
	initial := slices.ContainsFunc(s.runsIn()[""], func(r Run) bool { return begun.at[r.To] })
	for fn, itself := range leads {
		if v.assume && s.rests(fn) {
			continue // no thread of an application comes here
		}
		if initial && fn != "" && s.begin(fn) == Main {
			return true // what the program's initialisation begins runs before its main function does
		}
		for _, first := range append(slices.Clone(s.runsIn()[fn]), s.gives(fn, begins)...) {
			if fn == "" && !begun.at[first.To] || !begins.at[first.To] {
				continue // code outside calls nothing while the program is initialised
			}
			if itself {
				return true // nothing tells when
			}
			for _, then := range s.runsIn()[fn] {
				if _, to := leads[then.To]; to && then != first && (first.Order <= then.Order || s.awaited[then.To]) {
					return true
				}
			}
		}
	}
	return false
}

// beginnings are the functions with which threads begin that come to some functions, the main
// goroutine aside, and those that lead to such a beginning.
type beginnings struct {
	at map[Name]bool
	// passed are those of which a helper in the module gets the value, and runs it in a goroutine.
	passed map[Name]bool
}

// gives returns where a function takes the values of others that leave the module, or that a
// helper is passed which begins a thread with them.
func (s *solver) gives(fn Name, b beginnings) []Run {
	return slices.DeleteFunc(slices.Clone(s.taken[fn]), func(r Run) bool { return !s.leaves(r.To) && !b.passed[r.To] })
}

// leaves reports whether code that no record shows may call a function from where its value is taken on. Of
// a value that the module keeps and calls, the runs tell by which threads.
func (s *solver) leaves(fn Name) bool { return s.handed(fn) || len(s.runs[fn]) == 0 }

// maxPassed bounds the steps in which it is told for which function value a thread begins.
const maxPassed = 20_000

// beginning returns where threads begin that come to some functions. With taken, code outside may
// begin one where it gets a function's value; and what runs a function that it is passed, in a
// goroutine, begins that for those who pass it, not for all who pass it something.
func (s *solver) beginning(fns []Name, taken bool) beginnings {
	return s.beginningBut(fns, taken, func(Name) bool { return false })
}

// beginningBut is beginning without some threads.
func (s *solver) beginningBut(fns []Name, taken bool, but func(thread Name) bool) beginnings {
	out := beginnings{at: make(map[Name]bool), passed: make(map[Name]bool)}
	type step struct {
		fn    Name
		begun bool
		value Name // the function that is run by its value
	}
	seen := make(map[step]bool)
	var work []step
	for _, fn := range fns {
		work = append(work, step{fn: fn})
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		th := s.begin(at.fn)
		starts := th != "" && th != Main
		if starts && but(th) {
			continue
		}
		given := taken && len(s.takers[at.fn]) > 0 && s.leaves(at.fn)
		if starts || given {
			at.begun = true // where its value is taken, too: code outside may call it from then on
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		if at.begun {
			out.at[at.fn] = true
		}
		if th == Main {
			continue
		}
		if starts && at.value != "" {
			out.at[at.value], out.passed[at.value] = true, true
			for _, r := range s.takers[at.value] {
				work = append(work, step{fn: r.From, begun: true})
			}
			continue
		}
		for _, r := range s.runs[at.fn] {
			next := step{r.From, at.begun, at.value}
			switch {
			case isVariable(r.From):
				next.value = "" // it is kept: what begins a thread there is another call
			case IsValue(r.From) && !IsValue(at.fn):
				if next.value = ""; taken && len(seen) < maxPassed && s.passed(at.fn) {
					next.value = at.fn
				}
			}
			work = append(work, next)
		}
		if given {
			for _, r := range s.takers[at.fn] {
				work = append(work, step{fn: r.From, begun: true})
			}
		}
	}
	return out
}

// passed reports whether the records show where the value of a function is taken, and that is not
// while the program is initialised: it is not run before.
func (s *solver) passed(fn Name) bool {
	early := func(r Run) bool { return r.From == "" || r.From == Sometime }
	return len(s.takers[fn]) > 0 && !slices.ContainsFunc(s.takers[fn], early)
}
