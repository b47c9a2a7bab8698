package outside

import (
	"maps"
	"slices"
	"strings"
)

// reach marks what runs.
func (s *solver) reach() {
	start := []Name{""}
	for name := range s.decls {
		if s.open[name] || s.api[name] {
			start = append(start, name)
		}
	}
	s.live = s.from(start)
	for from := range s.live {
		for _, ref := range s.refs[from] {
			s.loose[ref.To] = s.loose[ref.To] || ref.Loose
		}
	}
}

// from returns what code refers to, directly or not, itself included.
func (s *solver) from(start []Name) map[Name]bool {
	return spread(start, func(from Name, reach func(Name)) {
		for _, ref := range s.refs[from] {
			reach(ref.To)
		}
	})
}

// spread returns what some nodes of a graph lead to, themselves included; next tells where
// one leads directly. Complexity: linear in what is reached.
func spread[N comparable](start []N, next func(from N, reach func(N))) map[N]bool {
	out := make(map[N]bool)
	var work []N
	reach := func(n N) {
		if !out[n] {
			out[n] = true
			work = append(work, n)
		}
	}
	for _, n := range start {
		reach(n)
	}
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		next(from, reach)
	}
	return out
}

// rise visits some nodes, and those to which each visit leads, until one says to stop. It reports
// whether none did, and all were visited: there are not too many of them.
func rise[N comparable](start []N, visit func(at N, next func(N)) bool) bool {
	seen := make(map[N]bool)
	work := slices.Clone(start)
	next := func(n N) { work = append(work, n) }
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxWho || !visit(at, next) {
			return false
		}
	}
	return true
}

// reached returns what programs and code outside the module come to, other modules' own
// calls aside.
func (s *solver) reached() map[Name]bool {
	start := []Name{""}
	for name, open := range s.open {
		if open {
			start = append(start, name)
		}
	}
	return s.from(start)
}

// boxers returns the functions in which values that have a method become those of an interface.
func (s *solver) boxers() map[Name][]Name {
	out := make(map[Name][]Name)
	for _, r := range s.records {
		for m, by := range r.Boxers {
			out[m] = append(out[m], by...)
		}
	}
	return out
}

// reachedBy is reached where a method is called by an interface only once a function is reached
// that makes such a value, as in rapid type analysis (Bacon and Sweeney, 1996); and where code
// outside looks in the values that it gets for those methods alone that it is known to look for.
// Programs that only show how to use the module, or test it, do not count: see [Record.Shows].
func (s *solver) reachedBy(boxers map[Name][]Name) map[Name]bool {
	start := []Name{""}
	for name := range s.open {
		if s.mentioned[name] && !(s.decls[name].Method && s.barely[name]) {
			start = append(start, name)
		}
	}
	return s.reachedFrom(start, s.initial(), boxers)
}

// reachedFrom is reachedBy, from some functions, and from what initialisation refers to if it is one of them.
func (s *solver) reachedFrom(start []Name, initial []Ref, boxers map[Name][]Name) map[Name]bool {
	out := make(map[Name]bool)
	waiting := make(map[Name][]Name) // by the function that is to be reached
	var work []Name
	reach := func(name Name) {
		if !out[name] {
			out[name] = true
			work = append(work, name)
		}
	}
	boxed := func(m Name) {
		by := boxers[m]
		if len(by) == 0 || slices.ContainsFunc(by, func(fn Name) bool { return out[fn] }) {
			reach(m)
			return
		}
		for _, fn := range by {
			waiting[fn] = append(waiting[fn], m)
		}
	}
	for _, name := range start {
		reach(name)
	}
	for name := range s.open {
		if s.mentioned[name] || s.calledOutside[name] || s.decls[name].Sought {
			boxed(name)
		}
	}
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range waiting[from] {
			reach(m)
		}
		refs := s.refs[from]
		if from == "" {
			refs = initial
		}
		for _, ref := range refs {
			if s.ways[way{from, ref.To}] {
				boxed(ref.To)
			} else {
				reach(ref.To)
			}
		}
	}
	return out
}

// initial returns what the initialisation of those packages refers to that programs of the module
// import, directly or not, or files that were not analysed: what others initialise, no program does.
// Programs that only show how to use the module do not count.
func (s *solver) initial() []Ref {
	return s.initialOf(s.programPaths())
}

// programPaths returns the packages of programs, but for those that only show how to use the module, and those that files
// import which were not analysed.
func (s *solver) programPaths() (programs []string) {
	for _, r := range s.records {
		if r.Program && !r.Shows || s.scope.Mentions(r.Path, "", false) != Unmentioned {
			programs = append(programs, r.Path)
		}
	}
	return programs
}

// linkedBy returns the packages that some import, directly or not, and themselves.
func (s *solver) linkedBy(programs []string) map[string]bool {
	imports := make(map[string][]string)
	for _, r := range s.records {
		imports[r.Path] = r.Imports
	}
	return spread(programs, func(from string, reach func(string)) {
		for _, to := range imports[from] {
			reach(to)
		}
	})
}

// notLinked returns the packages of an application that none of its programs has in it: mocks, say, which tests alone import.
func (s *solver) notLinked() map[string]bool {
	out := make(map[string]bool)
	if !s.application {
		return out
	}
	linked := s.linkedBy(s.programPaths())
	for _, r := range s.records {
		out[r.Path] = !linked[r.Path]
	}
	return out
}

// initialOf returns what the initialisation of some packages refers to, and of those that they import.
func (s *solver) initialOf(programs []string) (refs []Ref) {
	linked := s.linkedBy(programs)
	for _, r := range s.records {
		if linked[r.Path] {
			refs = append(refs, slices.DeleteFunc(slices.Clone(r.Refs), func(ref Ref) bool { return ref.From != "" })...)
		}
	}
	return refs
}

// unreached returns the live functions that are not reached.
func (s *solver) unreached(reached map[Name]bool) map[Name]bool {
	out := make(map[Name]bool)
	for name := range s.decls {
		out[name] = s.live[name] && !reached[name]
	}
	return out
}

// applied reports whether the module is an application: its programs and what code outside
// calls come to a good part of the functions
// that other modules could call, a third of them or more, and the programs by themselves
// to a quarter; and both to nine tenths of what the package offers that its own path names, if others can
// import that. Programs that show how to use the module do not count, and there must be others; nor do functions that
// a tool has written, such as what it makes of a schema: it writes them all, whatever the module needs; nor mocks and
// what else is there for tests.
func (s *solver) applied(reached map[Name]bool) bool {
	programs := s.reachedFrom(s.programs(), s.initial(), s.boxed)
	run, used, all := 0, 0, 0
	for name, api := range s.api {
		if !api || s.open[name] || s.decls[name].Aside {
			continue
		}
		all++
		if reached[name] {
			used++
		}
		if programs[name] {
			run++
		}
	}
	return len(s.programs()) > 0 && 3*used >= all && 4*run >= all && !s.library(reached)
}

// programs returns the main functions of the module's programs, and their initialisation.
func (s *solver) programs() (mains []Name) {
	for _, r := range s.records {
		if main := r.main(); main != "" {
			mains = append(mains, main)
		}
	}
	if len(mains) > 0 {
		mains = append(mains, "")
	}
	return mains
}

// main returns the main function of a program, "" if the package is none, or one that shows how the module is used.
func (r *Record) main() Name {
	for name, d := range r.Funcs {
		if !r.Shows && !d.Exported && !d.Method && d.Short == "main" {
			return name
		}
	}
	return ""
}

// library reports whether other modules can import the package that all others lie
// below, and a tenth or more of that is for them alone. One that offers nothing, but documentation say, tells
// as little as none.
func (s *solver) library(reached map[Name]bool) bool {
	if len(s.records) == 0 {
		return true
	}
	top := s.records[0].Path // the first in order
	if s.scope.Closed(top) || slices.ContainsFunc(s.records[1:], func(r *Record) bool { return !strings.HasPrefix(r.Path, top+"/") }) {
		return false
	}
	used, all := 0, 0
	for name, d := range s.records[0].Funcs {
		if s.api[name] && !d.Aside {
			all++
			if reached[name] {
				used++
			}
		}
	}
	return all > 0 && 10*used <= 9*all
}

// reflect returns the methods of what those methods return that code outside can find in a value that it
// gets, and of what these return, and so on; where the module executes templates, also those of the value's parts. Where it
// executes none, nor calls methods by reflection, only those count that code outside is likely to look for, here and there: see
// sought; but for values that are registered with code of other modules, which may look for any.
func (s *solver) reflect() map[Name]bool {
	given, lent := make(map[Name][]Name), make(map[Name]bool)
	templates := slices.ContainsFunc(s.records, func(r *Record) bool { return r.Templates })
	byName := templates || slices.ContainsFunc(s.records, func(r *Record) bool { return r.ByName })
	var start []Name
	for _, r := range s.records {
		maps.Copy(given, r.Given)
		maps.Copy(lent, r.Lent)
		if templates {
			start = slices.AppendSeq(start, maps.Keys(r.Parts))
		}
	}
	lent = spread(slices.Collect(maps.Keys(lent)), func(from Name, reach func(Name)) {
		for _, to := range given[from] {
			reach(to)
		}
	})
	finds := func(name Name) bool { return byName || lent[name] || s.calledOutside[name] || s.sought(name) }
	next := func(from Name, reach func(Name)) {
		for _, to := range given[from] {
			if finds(to) {
				reach(to)
			}
		}
	}
	for name := range given {
		if s.found[name] && finds(name) {
			next(name, func(to Name) { start = append(start, to) })
		}
	}
	return spread(start, next)
}

func (s *solver) uncalled() map[Name]bool {
	referred := make(map[Name]bool)
	for from, refs := range s.refs {
		for _, ref := range refs {
			referred[ref.To] = referred[ref.To] || s.live[from] && from != ref.To
		}
	}
	out := make(map[Name]bool)
	for name := range s.decls {
		out[name] = s.api[name] && !s.open[name] && !referred[name]
	}
	return out
}
