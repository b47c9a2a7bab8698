package outside

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
const maxWho = 2000

// Who returns the threads that run a function, of the module's; with assume, other
// modules do not count. It follows the calls up to where goroutines begin, through
// interfaces of the module, too. Complexity: linear in what is followed, which is
// bounded.
func (s *Solution) Who(fn Name, assume bool) Who { return s.who(fn, assume, every) }

// counting tells which runs count; own says that the way from there works on the object of the callee.
type counting func(r Run, own bool) bool

// who is Who, by those runs that count.
func (s *Solution) who(fn Name, assume bool, counts counting) Who {
	w, spared := Who{Own: true}, false
	threads, seen := make(map[Name]bool), make(map[visit]bool)
	work, typ := []visit{{fn, 0, true}}, receiverOf(fn)
	for len(work) > 0 && !w.Any {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] || !at.of(typ) {
			continue
		}
		if seen[at] = true; len(seen) > maxWho {
			w.Any = true
			break
		}
		if assume && s.solver.rests(at.fn) {
			spared = true
			continue // no thread of an application does, or none at all
		}
		if thread := s.solver.begin(at.fn); thread != "" {
			threads[thread] = true
			w.Own = w.Own && at.at == 0
			continue
		}
		if s.solver.loosely(at.fn, assume) {
			w.Any = true
		}
		for _, r := range s.solver.runs[at.fn] {
			if counts(r, at.at == 0) {
				work = append(work, r.caller(at))
			}
		}
	}
	w.Threads = slices.Sorted(maps.Keys(threads))
	w.Any = w.Any || len(threads) == 0 && !spared
	return w
}

// A View is what a solution knows of threads; with assume, other modules do not count.
type View struct {
	s      *Solution
	assume bool
}

// View returns what the solution knows of threads.
func (s *Solution) View(assume bool) *View { return &View{s, assume} }

// Idle reports whether nothing calls a function, see [Solution.Idle], and other modules do not count.
func (v *View) Idle(fn Name) bool { return v != nil && v.assume && v.s.Idle(fn) }

// Sole reports whether one thread at a time runs some functions, and whether each works
// there on the object for which it was started: there is one in the program, or one for
// each object; or they are there once, and what runs the functions before another one
// begins is over by then.
func (v *View) Sole(fns []Name) (own, ok bool) {
	fns = v.places(fns)
	if w := v.of(fns, every); !w.Any && v.s.inTurn(fns, w.Threads, v.assume) {
		return false, true
	}
	if v.assume && v.shownInTurn(fns) {
		return false, true
	}
	w := v.of(fns, func(r Run, own bool) bool { return !r.Private || !own })
	if w.Any || len(w.Threads) == 0 {
		return false, false
	}
	begins, leads := v.s.solver.leadsTo(w.Threads), v.s.solver.leadsTo(fns)
	w = v.of(fns, func(r Run, own bool) bool {
		return !r.Private || !own || v.s.solver.goesOn(r.To, begins, leads) // with the object, once the thread has begun
	})
	return true, !w.Any && w.Own && (len(w.Threads) == 1 && v.s.PerObject(w.Threads[0]) || v.s.solver.bornWith(w.Threads, leads))
}

// bornWith reports whether each of several threads works on an object that is made where the
// thread begins, once, by another function for each: no two of them have one object. leads are the
// functions that lead to what they do with it.
func (s *solver) bornWith(threads []Name, leads reaching) bool {
	starters := make(map[Name]bool)
	for _, th := range threads {
		start, ok := s.starts[th]
		if !ok || start.Many || len(s.runs[th]) != 1 {
			return false
		}
		r := s.runs[th][0]
		if r.Again || starters[start.Owner] || !r.Made && !s.madeIn(th, leads) {
			return false
		}
		starters[start.Owner] = true
	}
	return len(threads) > 0
}

// madeIn reports whether a thread begins with a literal that goes on only with objects that the function
// around it has made.
func (s *solver) madeIn(thread Name, leads reaching) bool {
	some := false
	for _, first := range s.runsIn()[thread] {
		for _, r := range s.runsIn()[first.To] {
			if _, on := leads[r.To]; !on {
				continue
			}
			if !r.Own || !r.Made {
				return false
			}
			some = true
		}
	}
	return some
}

// shownInTurn reports whether the module shows a thread that runs each of some functions, the same
// one, and nothing starts it several times: others of its functions that lead there are for other
// modules to call, which the module itself does not.
func (v *View) shownInTurn(fns []Name) bool {
	known := func(r Run, _ bool) bool { return !v.s.solver.alone[r.From] }
	var thread Name
	for _, fn := range fns {
		w := v.s.who(fn, true, known)
		if !w.Any && len(w.Threads) == 0 {
			continue // nothing runs it
		}
		if w.Any || len(w.Threads) != 1 || thread != "" && w.Threads[0] != thread {
			return false
		}
		thread = w.Threads[0]
	}
	return thread != "" && thread != Main && v.s.single(thread)
}

// single reports whether nothing on the ways to where a thread begins does so several times: a
// loop, a server, or a thread that is there several times itself. Complexity: linear in the runs
// that lead there, which are bounded.
func (s *Solution) single(thread Name) bool {
	seen := map[Name]bool{thread: true}
	for work := []Name{thread}; len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		several := s.solver.starts[fn].Many || s.solver.served[fn] || s.solver.wild[fn] || fn == Anyone
		if several || len(seen) > maxWho {
			return false
		}
		for _, r := range s.solver.runs[fn] {
			if r.Looped {
				return false
			}
			if !seen[r.From] {
				seen[r.From] = true
				work = append(work, r.From)
			}
		}
	}
	return true
}

func every(Run, bool) bool { return true }

// of returns the threads that run some functions, by those runs that count.
func (v *View) of(fns []Name, counts counting) Who {
	all := Who{Own: true, Any: len(fns) == 0}
	for _, fn := range fns {
		w := v.s.who(fn, v.assume, counts)
		all.Any, all.Own = all.Any || w.Any, all.Own && w.Own
		for _, th := range w.Threads {
			if !slices.Contains(all.Threads, th) {
				all.Threads = append(all.Threads, th)
			}
		}
	}
	return all
}

// begin returns the thread that begins with a function, if one does.
func (s *solver) begin(fn Name) Name {
	if fn == "" || fn == Actions && len(s.runs[fn]) == 0 || s.program[fn] || s.commands[fn] {
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
	case IsValue(fn):
		return false
	case !declared:
		return len(s.runs[fn]) == 0 && !s.byWay[fn]
	case s.wild[fn], s.api[fn] && (!assume || s.alone[fn]):
		return true
	case s.open[fn] && d.Exported && !s.barely[fn]:
		return true // what is barely open shows no further thread
	}
	return len(s.runs[fn]) == 0
}

// chain returns the runs that lead to a thread that exists once, from it up to where
// the program begins: what starts it does so outside of loops, and is itself called at
// one place, by what runs once.
func (s *Solution) chain(thread Name, assume bool) (up []Run, ok bool) {
	seen := make(map[Name]bool)
	for fn := thread; ; {
		if thread == Main || s.solver.begin(fn) == Main {
			return up, true
		}
		runs := s.solver.runs[fn]
		start, isStart := s.solver.starts[fn]
		if !isStart && s.solver.loosely(fn, assume) {
			return nil, false
		}
		if seen[fn] || start.Many || len(runs) != 1 || runs[0].Looped {
			return nil, false
		}
		seen[fn] = true
		up = append(up, runs[0])
		fn = runs[0].From
	}
}

// inTurn reports whether threads that run some functions exist once each, and do so one
// after the other, or one of them at most.
func (s *Solution) inTurn(fns, threads []Name, assume bool) bool {
	chains := make([][]Run, len(threads))
	for i, th := range threads {
		up, ok := s.chain(th, assume)
		if !ok {
			return false
		}
		chains[i] = up
	}
	if len(threads) == 1 {
		return true
	}
	leads := s.solver.leadsTo(fns)
	for i, a := range threads {
		for j, b := range threads[:i] {
			if !s.solver.alternatives[PairOf(a, b)] && !s.over(a, chains[j], leads) && !s.over(b, chains[i], leads) {
				return false
			}
		}
	}
	return true
}

// over reports whether a thread is a starter of the one to which a chain of runs leads,
// and what it does of that which leads to some functions is over when that one begins.
func (s *Solution) over(thread Name, chain []Run, leads reaching) bool {
	if len(chain) > 0 && thread == Main && !s.solver.comparable(chain[len(chain)-1].From, leads) {
		return false
	}
	starter := thread == Main
	for _, up := range chain {
		starter = starter || up.From == thread
		if !s.solver.overBefore(up, leads) {
			return false
		}
		if starter && thread != Main {
			return true // what is above runs in other threads
		}
	}
	return starter
}

// A reaching tells how functions lead to others: they are some of those themselves, or
// run them in the same thread.
type reaching map[Name]bool

// leadsTo returns the functions that lead to others. The value is true for those
// themselves.
func (s *solver) leadsTo(fns []Name) reaching {
	out := make(reaching)
	for _, fn := range fns {
		out[fn] = true
	}
	for work := slices.Clone(fns); len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if s.begin(fn) != "" && !out[fn] {
			continue
		}
		for _, r := range s.runs[fn] {
			if _, seen := out[r.From]; !seen {
				out[r.From] = false
				work = append(work, r.From)
			}
		}
	}
	return out
}

// overBefore reports whether what a function runs of that which leads somewhere is over
// when it makes a run, or is a part of that.
func (s *solver) overBefore(run Run, leads reaching) bool {
	itself, leading := leads[run.From]
	if itself {
		return false // nothing tells when
	}
	if !leading {
		return true
	}
	for _, r := range s.runsIn()[run.From] {
		if _, leads := leads[r.To]; leads && r != run && r.Order >= run.Order {
			return false
		}
	}
	return true
}

// runsIn returns what each function runs.
func (s *solver) runsIn() map[Name][]Run {
	if s.within == nil {
		s.within = make(map[Name][]Run)
		for _, runs := range s.runs {
			for _, r := range runs {
				s.within[r.From] = append(s.within[r.From], r)
			}
		}
	}
	return s.within
}

// PerObject reports whether there is one such thread for an object: it serves it, and
// nothing starts it twice there, as far as the module shows; in branches that exclude each other it may.
func (s *Solution) PerObject(thread Name) bool {
	start, ok := s.solver.starts[thread]
	if !ok || start.Many || !start.Serves {
		return false
	}
	seen, callers := map[Name]bool{thread: true}, make(map[Name][]Run)
	work := []Name{thread}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range s.solver.runs[fn] {
			others := callers[r.From]
			twice := slices.ContainsFunc(others, func(o Run) bool { return !r.excludes(&o) })
			if r.Again || twice || seen[r.From] && len(others) == 0 || len(seen) > maxWho {
				return false // it may come there twice: by two ways, or by itself
			}
			callers[r.From] = append(others, r)
			if r.Own && !r.Made && !seen[r.From] {
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
	s.runs, s.starts, s.alternatives = make(map[Name][]Run), make(map[Name]Start), make(map[Pair]bool)
	s.program, s.wild, s.byWay = make(map[Name]bool), make(map[Name]bool), make(map[Name]bool)
	s.served, s.commands, s.takers, s.taken = make(map[Name]bool), make(map[Name]bool), make(map[Name][]Run), make(map[Name][]Run)
	s.fills = make(map[Name][]Name)
	s.joinFeeds()
	for _, r := range s.records {
		for _, t := range r.Takes {
			s.takers[t.To] = append(s.takers[t.To], t)
			s.taken[t.From] = append(s.taken[t.From], t)
		}
		maps.Copy(s.starts, r.Starts)
		maps.Copy(s.fills, r.Fills)
		maps.Copy(s.alternatives, r.Alternatives)
		maps.Copy(s.commands, r.Commands)
		maps.Copy(s.served, r.Served)
		for _, ref := range r.Refs {
			if ref.From == "" && ref.Loose && s.decls[ref.To].Short == "main" && !s.decls[ref.To].Exported {
				s.program[ref.To] = true
			} else if ref.Loose && !ref.Shown && s.live[ref.From] {
				s.wild[ref.To] = true
			}
		}
	}
	s.joinOffers()
	told := s.joinByType()
	s.follow()
	for _, w := range s.waysInOrder() {
		s.byWay[w.called] = true
		if !told[w.called] || len(s.runs[w.called]) > 0 {
			s.runs[w.method] = append(s.runs[w.method], Run{From: w.called, To: w.method, Own: true, Part: true, Through: true})
		}
		s.wild[w.method] = s.wild[w.method] || s.wild[w.called]
	}
	maps.DeleteFunc(s.served, func(fn Name, _ bool) bool { return s.withheld(fn) || s.calledWithin(fn) })
}

// waysInOrder returns the ways in an order of their own: what is bounded on the way up depends on the order of the runs.
func (s *solver) waysInOrder() []way {
	return slices.SortedFunc(maps.Keys(s.ways), func(a, b way) int {
		return cmp.Or(cmp.Compare(a.called, b.called), cmp.Compare(a.method, b.method))
	})
}

// joinByType gathers the runs of what runs, those by an interface as runs of the methods that its
// receiver can have, where that is known. It returns the methods of interfaces for which it is.
func (s *solver) joinByType() (told map[Name]bool) {
	told, s.unmeant = make(map[Name]bool), make(map[way]bool)
	h := s.holder()
	for _, r := range s.records {
		for _, run := range r.Runs {
			if !s.runsAtAll(run.From) {
				continue
			}
			meant, ok := h.meant(run)
			if !ok {
				if _, short, invoked := strings.Cut(string(run.To), "#"); invoked {
					s.unmeant[way{starter(run.From), Name(short)}] = true
				}
				s.runs[run.To] = append(s.runs[run.To], run)
				continue
			}
			told[run.To] = told[run.To] || h.told(run.To)
			for _, to := range meant {
				run.To = to
				s.runs[to] = append(s.runs[to], run)
			}
		}
	}
	return told
}

// starter returns the function in whose code a goroutine begins; the function itself if it is none.
func starter(from Name) Name {
	thread, ok := strings.CutPrefix(string(from), threadPrefix)
	if !ok {
		return from
	}
	return Name(thread[:strings.LastIndexByte(thread, ' ')])
}

// runsAtAll reports whether code runs: it is not in a function that nothing refers to.
func (s *solver) runsAtAll(from Name) bool {
	from = s.owner(from)
	_, declared := s.decls[from]
	return !declared || s.live[from]
}
