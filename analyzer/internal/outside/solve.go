package outside

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Scope says what of the program the records show.
type Scope interface {
	// Closed reports whether only code that the records show, and files that
	// Mentions knows of, can import the package.
	Closed(pkg string) bool
	// Whole reports whether all packages of the package's module were analysed,
	// apart from files that Mentions knows of.
	Whole(pkg string) bool
	// Mentions reports whether a file that was not analysed mentions a function of the
	// package by its name: one that imports the package or, of a method, that can get
	// a value from one that does. An empty name asks whether one imports the package.
	Mentions(pkg, name string, method bool) Mention
}

// A Mention is where a file stands that mentions a function.
type Mention uint8

const (
	// Unmentioned: there is none.
	Unmentioned Mention = iota
	// LeftOut: in a file that this build leaves out, or of another module.
	LeftOut
	// BuiltIn: in one that is a part of the program.
	BuiltIn
)

// A Solution knows the contexts of functions.
type Solution struct {
	contexts map[Name]*Context
	// assumed are those that the module alone gives.
	assumed  map[Name]*Context
	uncalled map[Name]bool
	solver   *solver
	web      func() *web            // made when it is first asked for
	programs func() map[Name]uint64 // as web: see programsOf
	awaiting *Solution              // see View.awaiting, made when it is first asked for
}

// Unused reports whether the module is an application, and neither its programs nor code
// outside come to a function that other modules can call, directly or not. The programs of
// a library use of it what they happen to need.
func (s *Solution) Unused(fn Name) bool { return s.solver.unused(fn) }

func (s *solver) unused(fn Name) bool {
	fn = s.owner(fn)
	return s.application && (s.alone[fn] || s.spared[fn]) && !s.reflected[fn]
}

// rests reports whether no thread of an application comes to a function, or none at all.
func (s *solver) rests(fn Name) bool { return s.unused(fn) || s.idle[s.owner(fn)] }

// owner returns the declared function in which a thread begins; a function's own name otherwise.
func (s *solver) owner(fn Name) Name {
	if start, begins := s.starts[fn]; begins {
		return start.Owner
	}
	return fn
}

// Application reports whether the module is an application: see applied.
func (s *Solution) Application() bool { return s.solver.application }

// Idle reports whether nothing calls a function: it is not exported, and nothing in its
// package refers to it but what the compiler leaves out, tests, and functions that nothing calls either.
func (s *Solution) Idle(fn Name) bool { return s.solver.idle[fn] }

// Uncalled reports whether other modules alone can call a function: nothing in this
// one does, which was analysed as a whole.
func (s *Solution) Uncalled(fn Name) bool { return s.uncalled[fn] }

// Of returns what is known of the calls of a function in other packages, nil if
// there can be more than the records show. With assume, it is also what the module
// does with functions that other modules can call, too.
func (s *Solution) Of(fn Name, assume bool) *Context {
	if assume {
		return s.assumed[fn]
	}
	if ctx := s.contexts[fn]; ctx != nil && !ctx.Assumed {
		return ctx
	}
	return nil
}

// Solve finds what runs, and gives each function the calls of those callers that
// do. A function runs if code runs that refers to it, or if code that no record
// shows can call it. More references, and more ways for a method to be called,
// never take a call away. Complexity: linear in the records.
//
// exposed are the methods of closed packages that other modules can call all the
// same, on values that they get.
func Solve(records []*Record, scope Scope, exposed map[Name]bool) *Solution {
	s := solved(records, scope, exposed)
	contexts := s.contexts()
	return &Solution{
		contexts: s.over(contexts, false), assumed: s.over(contexts, true),
		uncalled: s.alone, solver: s, web: sync.OnceValue(s.web), programs: sync.OnceValue(s.programsOf),
	}
}

// solved returns a solver that knows what runs.
func solved(records []*Record, scope Scope, exposed map[Name]bool) *solver {
	s := &solver{
		exposed: exposed, pkgs: make(map[Name]string), shows: make(map[string]bool), scope: scope, records: slices.Clone(records),
		decls: make(map[Name]Decl), open: make(map[Name]bool), barely: make(map[Name]bool), api: make(map[Name]bool),
		calledBy: make(map[Name][]Name), refs: make(map[Name][]Ref), live: make(map[Name]bool), loose: make(map[Name]bool), calls: make(map[Name][]*Call), ways: make(map[way]bool),
		mentioned: make(map[Name]bool), calledOutside: make(map[Name]bool), found: make(map[Name]bool),
		referrers: make(map[Name][]Name), meant: make(map[Name]bool), idle: make(map[Name]bool),
	}
	slices.SortStableFunc(s.records, func(a, b *Record) int { return cmp.Compare(a.Path, b.Path) })
	s.index()
	s.interfaces()
	s.idlers()
	s.reach()
	s.alone, s.boxed = s.uncalled(), s.boxers()
	s.application, s.spared, s.reflected = s.applied(s.reached()), s.unreached(s.reachedBy(s.boxed)), s.reflect()
	s.unlinked = s.notLinked()
	s.means()
	s.join()
	s.joinRuns()
	return s
}

// A way is a method that is called where an interface's method is.
type way struct{ called, method Name }

type solver struct {
	scope   Scope
	records []*Record
	decls   map[Name]Decl
	refs    map[Name][]Ref // by where they stand
	open    map[Name]bool  // code that no record shows calls it
	// barely are those of open which only files that the build leaves out mention, or
	// which code outside would have to find in a value: see sought.
	barely map[Name]bool
	api    map[Name]bool // other modules can call it
	// calledBy are the methods of the module's interfaces by which methods are called.
	calledBy map[Name][]Name
	live     map[Name]bool
	loose    map[Name]bool // live code does not only call it
	calls    map[Name][]*Call
	ways     map[way]bool
	exposed  map[Name]bool
	// mentioned are those of open that code mentions which no record shows, and calledOutside
	// those that are methods of an interface of code outside.
	mentioned, calledOutside map[Name]bool
	// found are the methods of values that code outside gets.
	found map[Name]bool
	pkgs  map[Name]string
	shows map[string]bool // the packages of programs that show how the module is used
	// referrers are those who refer to a function by its name; meant are the methods
	// that are called by interfaces.
	referrers map[Name][]Name
	meant     map[Name]bool
	alone     map[Name]bool // see uncalled
	// application: the module is one. spared are the functions that only other modules could bring
	// to run, and reflected the methods that code outside can find by reflection.
	application       bool
	spared, reflected map[Name]bool
	// boxed are the functions in which values that have a method become those of an interface.
	boxed map[Name][]Name
	// idle are the functions that are not exported, and to which nothing refers, or such functions alone.
	idle  map[Name]bool
	steps *stepIndex
	// runs are those of what runs, by what is run; starts are where goroutines begin,
	// and program the main functions. wild are the functions whose value goes where
	// nothing shows who calls it, and byWay the methods of interfaces.
	runs          map[Name][]Run
	starts        map[Name]Start
	alternatives  map[Pair]bool // see Record.Alternatives
	awaited       map[Name]bool // see View.awaiting
	program, wild map[Name]bool
	byWay         map[Name]bool
	// unmeant are the methods, by their short names, that functions call by interfaces of which it is not known
	// what they hold there.
	unmeant map[way]bool
	// served are the functions that a server calls from several goroutines.
	served map[Name]bool
	// commands are the functions that the program's main goroutine runs, one in each
	// run of the program. within are the runs by who makes them, made when first asked for.
	commands map[Name]bool
	within   map[Name][]Run
	// takers are where the values of functions are taken, taken the same by who does it.
	takers, taken map[Name][]Run
	// offered are the methods that code outside calls by an interface, of which takers tells from when on.
	offered map[Name]bool
	// becomes gives the interfaces that values of one become, valued the names of methods of which code has values by
	// an interface.
	becomes func(iface string) map[string]bool
	valued  map[string]bool
	// sends are the places where functions send on a channel, waiting those where they wait, and openers what the records
	// say of them: see [Record].
	sends, waiting map[Name][]Run
	openers        map[Name][]Name
	// fills are the variables that have a value whenever a function returns: see [Record].
	fills map[Name][]Name
	// fan is how many values, and nodes of values, a node leads to.
	fan map[Name]int
	// unlinked are the packages that no program of an application has in it.
	unlinked map[string]bool
	// kept are the functions of which a map that they give is used: see [Record.Kept].
	kept map[string]bool
}

func (s *solver) index() {
	referred := make(map[Name]bool)
	s.kept = make(map[string]bool)
	for _, r := range s.records {
		maps.Copy(s.kept, r.Kept)
		s.shows[r.Path] = r.Shows
		for _, ref := range r.Refs {
			s.refs[ref.From] = append(s.refs[ref.From], ref)
			s.referrers[ref.To] = append(s.referrers[ref.To], ref.From)
			referred[ref.To] = referred[ref.To] || ref.From != ref.To
		}
		for i := range r.Calls {
			c := &r.Calls[i]
			s.calls[c.Callee] = append(s.calls[c.Callee], c)
		}
	}
	for _, r := range s.records {
		closed, whole := s.scope.Closed(r.Path), s.scope.Whole(r.Path)
		for name, d := range r.Funcs {
			s.decls[name] = d
			s.pkgs[name] = r.Path
			s.api[name] = d.Exported && (!closed || s.exposed[name])
			switch {
			case !d.Exported && !referred[name]:
				s.opens(name, true)
				if d.Short != "main" {
					s.idle[name] = true
				}
			case s.api[name] && !whole:
				s.opens(name, true)
			case d.Exported:
				if m := s.scope.Mentions(r.Path, d.Short, d.Method); m != Unmentioned {
					s.opens(name, m == BuiltIn)
				}
			}
			s.mentioned[name] = s.open[name]
		}
	}
}

// idlers finds the functions that idle ones alone refer to, or they themselves.
func (s *solver) idlers() {
	needed := func(fn Name) bool {
		return s.meant[fn] || slices.ContainsFunc(s.referrers[fn], func(by Name) bool { return by != fn && !s.idle[by] })
	}
	spread(slices.Collect(maps.Keys(s.idle)), func(from Name, reach func(Name)) {
		for _, ref := range s.refs[from] {
			if d, ok := s.decls[ref.To]; ok && !d.Exported && !needed(ref.To) {
				s.idle[ref.To] = true
				reach(ref.To)
			}
		}
	})
}

// opens notes that code which no record shows calls a function; surely, or barely.
func (s *solver) opens(fn Name, surely bool) {
	s.barely[fn] = !surely && (s.barely[fn] || !s.open[fn])
	s.open[fn] = true
}

// interfaces finds the ways in which methods are called through interfaces: as a
// method of one to which values of their types are converted, and of those that
// such values become later. Where one becomes an interface of code outside the
// module, its methods are open; where other modules can import the package that
// declares it, they can call the methods.
func (s *solver) interfaces() {
	changes, declared, taken := make(map[string][]string), make(map[string]string), make(map[string]bool)
	boxes := false
	for _, r := range s.records {
		for c := range r.Changes {
			changes[c.From] = append(changes[c.From], c.To)
		}
		maps.Copy(declared, r.Interfaces)
		maps.Copy(taken, r.Taken)
		boxes = boxes || r.Boxes
	}
	becomes := closures(changes)
	s.becomes, s.valued = becomes, taken
	back := s.broughtBack()
	var gets []gotten
	for _, r := range s.records {
		for m, how := range r.Opened {
			gets = append(gets, gotten{m, how == Called})
			for _, called := range back[s.decls[m].Short] {
				s.through(m, called)
			}
		}
		for m := range r.TypeArgs {
			if boxes {
				gets = append(gets, gotten{m, false})
			}
		}
		for iface, methods := range r.Methods {
			become := becomes(iface)
			public := false
			for to := range become {
				public = public || !s.scope.Closed(declared[to])
			}
			for m := range methods {
				short := s.decls[m].Short
				if become[""] || taken[short] {
					gets = append(gets, gotten{m, taken[short]})
				}
				for to := range become {
					s.through(m, Method(to, short))
					s.mentionedBy(m, declared[to], short)
				}
				s.api[m] = s.api[m] || public && s.decls[m].Exported
				if s.api[m] && !s.scope.Whole(s.pkgs[m]) {
					s.opens(m, true)
					s.mentioned[m] = true
				}
			}
		}
	}
	s.foundBy(gets)
}

// A gotten is a method of a value that code outside gets, and whether that calls it by an interface of
// its own.
type gotten struct {
	method Name
	called bool
}

// foundBy notes what code outside gets, now that it is known which interfaces of the module call which
// methods.
func (s *solver) foundBy(gets []gotten) {
	for _, w := range s.waysInOrder() {
		s.calledBy[w.method] = append(s.calledBy[w.method], w.called)
	}
	for _, g := range gets {
		if d, declared := s.decls[g.method]; declared && !d.Exported {
			continue // neither reflection nor an interface of another package comes to it
		}
		s.opens(g.method, g.called || s.sought(g.method))
		s.found[g.method] = true
		s.calledOutside[g.method] = s.calledOutside[g.method] || g.called
	}
}

// mentionedBy opens a method where a file that was not analysed mentions that of an interface, which a
// package declares: it can call the one by the other, without a value of the type.
func (s *solver) mentionedBy(m Name, pkg, short string) {
	if pkg == "" || !s.decls[m].Exported {
		return
	}
	if by := s.scope.Mentions(pkg, short, true); by != Unmentioned {
		s.opens(m, by == BuiltIn)
		s.mentioned[m] = true
	}
}

// broughtBack returns the methods, by their short names, of the interfaces of the module to which
// values of interfaces outside it are brought back, as far as something refers to them: what code
// outside was given may come back so.
func (s *solver) broughtBack() map[string][]Name {
	found := make(map[string]bool)
	for _, r := range s.records {
		maps.Copy(found, r.Found)
	}
	out := make(map[string][]Name)
	for called := range s.referrers {
		iface, short, ok := strings.Cut(string(called), "#")
		if ok && found[iface] {
			out[short] = append(out[short], called)
		}
	}
	return out
}

// sought reports whether code outside the module is likely to find a method in a value of an
// interface that does not have it. It cannot if types of the module stand in its signature,
// but for reflection; and a method that the module itself uses is there for that: by its name or, of those for
// which the standard library does not look anyway, by an interface of its own.
func (s *solver) sought(m Name) bool {
	used := func(called Name) bool {
		return slices.ContainsFunc(s.referrers[called], func(from Name) bool { return from != m })
	}
	d := s.decls[m]
	return !used(m) && !d.Inward && (d.Sought || !slices.ContainsFunc(s.calledBy[m], used))
}

// closures returns what gives the interfaces that values of one become, which it works
// out once for each.
func closures(changes map[string][]string) func(iface string) map[string]bool {
	known := make(map[string]map[string]bool)
	return func(iface string) map[string]bool {
		if known[iface] == nil {
			known[iface] = closure(iface, changes)
		}
		return known[iface]
	}
}

func closure(iface string, changes map[string][]string) map[string]bool {
	return spread([]string{iface}, func(from string, reach func(string)) {
		for _, to := range changes[from] {
			reach(to)
		}
	})
}

// through notes that a method is called where an interface's is: nowhere, if nothing
// refers to that, as where the interface has no such method at all.
func (s *solver) through(m, called Name) {
	if w := (way{called, m}); !s.ways[w] && called != m {
		s.ways[w] = true
		if len(s.referrers[called]) > 0 {
			s.meant[m] = true
			delete(s.idle, m)
		}
		s.refs[called] = append(s.refs[called], Ref{From: called, To: m})
	}
}

// means adds to the calls of methods those by interfaces.
func (s *solver) means() {
	ways := slices.SortedFunc(maps.Keys(s.ways), func(a, b way) int { return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.called, b.called)) })
	for _, w := range ways {
		s.calls[w.method] = append(s.calls[w.method], s.calls[w.called]...)
		s.loose[w.method] = s.loose[w.method] || s.loose[w.called]
	}
}

func (s *solver) contexts() map[Name]*Context {
	out := make(map[Name]*Context)
	for name, d := range s.decls {
		switch {
		case !s.live[name]:
			out[name] = &Context{Dead: true}
		case s.open[name] && !s.stays(name) || s.loose[name] || !d.Exported:
			// others may call it, or none outside its package can
		default:
			calls := slices.DeleteFunc(slices.Clone(s.calls[name]), func(c *Call) bool { return !s.live[c.Caller] })
			slices.SortStableFunc(calls, func(a, b *Call) int { return cmp.Compare(a.Caller, b.Caller) })
			if own := len(calls) == 0 && s.api[name]; !own || !s.alone[name] {
				out[name] = &Context{Calls: calls, Assumed: s.api[name] || s.open[name], Own: own}
			}
		}
	}
	return out
}
