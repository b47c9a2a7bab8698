package outside

import (
	"maps"
	"slices"
)

// Main is the program's own start, as a thread: initialisation and main.
const Main Name = "main"

// A Who are the threads that run a function.
type Who struct {
	// Any: there may be others than the module shows.
	Any bool
	// Threads are the places where they begin, in order.
	Threads []Name
	// Own: where they run the function, they do so on the object for which they were
	// started, or a part of it.
	Own bool
}

// maxWho bounds the functions through which it is followed who runs one.
const maxWho = 200

// A visit is a function on the way up, and whether it works on the thread's own object.
type visit struct {
	fn  Name
	own bool
}

// Who returns the threads that run a function, of the module's; with assume, other
// modules do not count. It follows the calls up to where goroutines begin, through
// interfaces of the module, too. Complexity: linear in what is followed, which is
// bounded.
func (s *Solution) Who(fn Name, assume bool) Who {
	w := Who{Own: true}
	threads, seen := make(map[Name]bool), make(map[visit]bool)
	work := []visit{{fn, true}}
	for len(work) > 0 && !w.Any {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxWho {
			w.Any = true
			break
		}
		if thread := s.solver.begin(at.fn); thread != "" {
			threads[thread] = true
			w.Own = w.Own && at.own
			continue
		}
		if s.solver.loosely(at.fn, assume) {
			w.Any = true
		}
		for _, r := range s.solver.runs[at.fn] {
			work = append(work, visit{r.From, at.own && r.Own})
		}
	}
	w.Threads = slices.Sorted(maps.Keys(threads))
	w.Any = w.Any || len(threads) == 0
	return w
}

// A View is what a solution knows of threads; with assume, other modules do not count.
type View struct {
	s      *Solution
	assume bool
}

// View returns what the solution knows of threads.
func (s *Solution) View(assume bool) *View { return &View{s, assume} }

// Sole returns the thread that alone runs some functions, and whether it works there on
// the object for which it was started: there is one in the program, or one for each object.
func (v *View) Sole(fns []Name) (thread Name, own, ok bool) {
	own = true
	for i, fn := range fns {
		w := v.s.Who(fn, v.assume)
		if w.Any || len(w.Threads) != 1 || i > 0 && w.Threads[0] != thread {
			return "", false, false
		}
		thread, own = w.Threads[0], own && w.Own
	}
	switch {
	case len(fns) == 0:
		return "", false, false
	case v.s.Once(thread, v.assume):
		return thread, false, true
	}
	return thread, true, own && v.s.PerObject(thread)
}

// begin returns the thread that begins with a function, if one does.
func (s *solver) begin(fn Name) Name {
	if fn == "" || s.program[fn] {
		return Main
	}
	if _, ok := s.starts[fn]; ok {
		return fn
	}
	return ""
}

// loosely reports whether a function may be run by threads that no record shows.
func (s *solver) loosely(fn Name, assume bool) bool {
	switch d, declared := s.decls[fn]; {
	case fn == Anyone:
		return true
	case !declared:
		return len(s.runs[fn]) == 0 && !s.byWay[fn]
	case s.wild[fn], s.open[fn] && d.Exported, s.api[fn] && (!assume || s.alone[fn]):
		return true
	}
	return len(s.runs[fn]) == 0
}

// Once reports whether a thread exists once in the program: what starts it does so
// outside of loops, and is itself called at one place, by what runs once.
func (s *Solution) Once(thread Name, assume bool) bool {
	seen := make(map[Name]bool)
	for fn := thread; ; {
		if thread == Main || s.solver.begin(fn) == Main {
			return true
		}
		runs := s.solver.runs[fn]
		start, isStart := s.solver.starts[fn]
		if !isStart && s.solver.loosely(fn, assume) {
			return false
		}
		if seen[fn] || start.Many || len(runs) != 1 || runs[0].Looped {
			return false
		}
		seen[fn] = true
		fn = runs[0].From
	}
}

// PerObject reports whether there is one such thread for an object: it serves it, and
// nothing starts it twice there, as far as the module shows.
func (s *Solution) PerObject(thread Name) bool {
	start, ok := s.solver.starts[thread]
	if !ok || start.Many || !start.Serves {
		return false
	}
	seen := map[Name]bool{thread: true}
	work := []Name{thread}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		callers := make(map[Name]bool)
		for _, r := range s.solver.runs[fn] {
			if r.Again || callers[r.From] || len(seen) > maxWho {
				return false
			}
			callers[r.From] = true
			if r.Own && !seen[r.From] {
				seen[r.From] = true
				work = append(work, r.From)
			}
		}
	}
	return true
}

// joinRuns gathers what runs what, where it runs: by function, with the calls through
// interfaces as calls of each method that they can mean.
func (s *solver) joinRuns() {
	s.runs, s.starts = make(map[Name][]Run), make(map[Name]Start)
	s.program, s.wild, s.byWay = make(map[Name]bool), make(map[Name]bool), make(map[Name]bool)
	for _, r := range s.records {
		maps.Copy(s.starts, r.Starts)
		for _, ref := range r.Refs {
			if ref.From == "" && ref.Loose && s.decls[ref.To].Short == "main" && !s.decls[ref.To].Exported {
				s.program[ref.To] = true
			} else if ref.Loose && !ref.Shown && s.live[ref.From] {
				s.wild[ref.To] = true
			}
		}
	}
	for _, r := range s.records {
		for _, run := range r.Runs {
			if s.runsAtAll(run.From) {
				s.runs[run.To] = append(s.runs[run.To], run)
			}
		}
	}
	for w := range s.ways {
		s.byWay[w.called] = true
		s.runs[w.method] = append(s.runs[w.method], Run{From: w.called, To: w.method, Own: true})
		s.wild[w.method] = s.wild[w.method] || s.wild[w.called]
	}
}

// runsAtAll reports whether code runs: it is not in a function that nothing refers to.
func (s *solver) runsAtAll(from Name) bool {
	if start, ok := s.starts[from]; ok {
		from = start.Owner
	}
	_, declared := s.decls[from]
	return !declared || s.live[from]
}
