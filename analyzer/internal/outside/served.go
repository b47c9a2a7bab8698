package outside

import (
	"slices"
	"strings"
)

// Served returns a function that leads to another one, or is it, and that a server calls in a
// goroutine for each request, as its signature says, or for each connection that it accepts; the nearest
// one by calls. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) Served(fn Name) (by Name, ok bool) {
	s, start := v.s.solver, step{at: v.places([]Name{fn})[0]}
	ok = nearest(start, func(from step, next func(step)) bool {
		switch {
		case s.begin(from.at) == Main, v.assume && s.unused(from.at):
			return false
		case s.served[from.at] && !s.idle[from.at]:
			by = from.at
			return true
		case s.starts[from.at].Accepted:
			for _, r := range s.runsIn()[from.at] {
				by = r.To
			}
			return true
		}
		for _, r := range s.runners(from) {
			next(r)
		}
		return false
	})
	return by, ok
}

// nearest visits a node, and those to which each visit leads, by how far they are, until one is what is
// looked for; not more than maxWho of them.
func nearest[N comparable](start N, visit func(at N, next func(N)) bool) bool {
	seen, work := map[N]bool{start: true}, []N{start}
	next := func(n N) {
		if !seen[n] && len(seen) < maxWho {
			seen[n] = true
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		if visit(at, next) {
			return true
		}
	}
	return false
}

// InCommon returns what leads to a function by calls alone on the receiver's own parts, without a lock,
// so that all that come by one object come to the same one, if not only requests and goroutines make those that
// interfaces hold on the way: a function that a server calls in a goroutine for each request, or one that starts
// several goroutines on one object, which many tells.
// Complexity: that of Served.
func (v *View) InCommon(fn Name) (by Name, many, ok bool) {
	s := v.s.solver
	known := make(map[Name]bool)
	remade := func(method Name) bool {
		if _, asked := known[method]; !asked {
			known[method] = v.remade(method)
		}
		return known[method]
	}
	counts := func(r Run) bool {
		called := r.By != "" || s.abstract(r.From)
		return r.Part && !r.Locked && !(called && remade(r.To))
	}
	return v.upTo(fn, counts, s.hasReceiver, func(at Name) (Name, bool, bool) {
		start := s.starts[at]
		return start.Owner, true, start.Several
	})
}

// hasReceiver reports whether a function, or the one in which a literal stands, is a method: what a server calls
// has nothing else in common with itself, since the first parameter of another handler is the request's own.
func (s *solver) hasReceiver(fn Name) bool { return s.decls[s.code(fn)].Method }

// Divided reports whether several goroutines that one start begins for one object come to a function by calls
// on that object's parts: they divide its work, and what they take from a channel can name one key twice. Those
// that get something of their own each when they begin mostly have a key by that.
// Complexity: that of Served.
func (v *View) Divided(fn Name) bool {
	s := v.s.solver
	return nearest(v.places([]Name{fn})[0], func(at Name, next func(Name)) bool {
		if s.begin(at) != "" || v.assume && s.unused(at) {
			return false
		}
		for _, r := range s.runs[at] {
			start, begun := s.starts[r.From]
			switch {
			case begun && start.Several && !start.Given && (r.Part || slices.ContainsFunc(s.runs[r.From], func(r Run) bool { return r.Again })):
				return true
			case r.Part:
				next(r.From)
			}
		}
		return false
	})
}

// Requested is Served by calls without a lock, on objects that no caller on the way has made for it.
func (v *View) Requested(fn Name) bool {
	_, _, ok := v.upTo(fn, known, func(Name) bool { return true }, func(Name) (Name, bool, bool) { return "", false, false })
	return ok
}

// known reports whether others can know the object of a call, and no lock is held.
func known(r Run) bool { return !r.Locked && !r.Made && !r.Private }

// upTo follows the runs that count from a function up to one that a server calls for each request, and that serves as
// asked, on an object that the module does not make for the call, or to what ends accepts.
func (v *View) upTo(fn Name, counts func(Run) bool, serves func(Name) bool, ends func(Name) (by Name, many, ok bool)) (by Name, many, ok bool) {
	s, start := v.s.solver, v.places([]Name{fn})[0]
	ok = nearest(start, func(at Name, next func(Name)) bool {
		if s.begin(at) == Main || v.assume && s.unused(at) {
			return false
		}
		if s.served[at] && !s.idle[at] && serves(at) && !slices.ContainsFunc(s.runs[at], func(r Run) bool { return r.Made || r.Private }) {
			by, many = at, false
			return true
		}
		if by, many, ok = ends(at); ok || s.decorated(at) {
			return ok
		}
		for _, r := range s.runs[at] {
			if counts(r) {
				next(r.From)
			}
		}
		return false
	})
	return by, many, ok
}

// remade reports whether values become those of an interface that have a method in requests and goroutines alone: who
// calls that by the interface mostly has an object that was made for it.
func (v *View) remade(method Name) bool {
	s, late := v.s.solver, false
	return rise(slices.Clone(s.boxed[method]), func(at Name, next func(Name)) bool {
		switch thread := s.begin(at); {
		case thread == Main:
			return false
		case v.assume && s.unused(at):
			return true
		case s.served[at] && !s.idle[at], thread != "" && !v.s.once(at, v.assume):
			late = true
			return true
		}
		for _, r := range s.runs[at] {
			next(r.From)
		}
		return true
	}) && late
}

// abstract reports whether a name is that of an interface's method by which methods are called.
func (s *solver) abstract(n Name) bool {
	_, declared := s.decls[n]
	return !declared && s.byWay[n]
}

// decorated reports whether a method of an interface is called under a lock somewhere: what does so may
// stand before all that have the method.
func (s *solver) decorated(method Name) bool {
	_, declared := s.decls[method]
	return !declared && slices.ContainsFunc(s.runs[method], func(r Run) bool { return r.Locked })
}

// Public reports whether a function is come to, by calls on objects that no caller on the way has made
// for it: what it changes others can know by then.
func (v *View) Public(fn Name) bool {
	s := v.s.solver
	return !rise(v.places([]Name{fn}), func(at Name, next func(Name)) bool {
		runs := s.runs[at]
		if len(runs) == 0 || s.begin(at) != "" || s.served[at] {
			return false
		}
		for _, r := range runs {
			if !r.Made && !r.Private {
				next(r.From)
			}
		}
		return true
	})
}

// Contended reports whether several threads may come to a function with one object, as far as it is begun at all: requests, several
// goroutines of one start that have their objects in common, or threads that come by calls on objects which no caller on the way has
// made for it. Complexity: that of Served.
func (v *View) Contended(fn Name) bool {
	s := v.s.solver
	return v.Public(fn) || nearest(v.places([]Name{fn})[0], func(at Name, next func(Name)) bool {
		if s.begin(at) == Main || v.assume && s.unused(at) {
			return false
		}
		if s.served[at] && !s.idle[at] || s.starts[at].Many {
			return true
		}
		for _, r := range s.runs[at] {
			next(r.From)
		}
		return false
	})
}

// A step is a function, or a node of function values: then value is the function that is
// called as one.
type step struct{ at, value Name }

// runners returns what runs a function, one step up. A function that is passed to another one is
// run for those who pass it, not for all who pass it something: where that calls what it gets,
// or keeps several of them for what calls any.
func (s *solver) runners(from step) (out []step) {
	entry := passedTo(from.at)
	for _, r := range s.runs[from.at] {
		next := step{at: r.From}
		if IsValue(r.From) {
			if next.value = from.value; next.value == "" {
				next.value = from.at
			}
		}
		kept := isVariable(r.From) && s.fan[from.at] > 1
		if takers := s.takers[from.value]; len(takers) > 0 && entry != "" && (kept || s.code(r.From) == entry) {
			for _, taker := range takers {
				out = append(out, step{at: taker.From})
			}
			continue
		}
		out = append(out, next)
	}
	return out
}

// passedTo returns the function of which a node is a parameter, "" if it is none.
func passedTo(node Name) Name {
	if i := strings.LastIndexByte(string(node), '('); i > 0 && strings.HasSuffix(string(node), ")") {
		return outermost(node[:i])
	}
	return ""
}

// code returns the declared function in which a function, or a goroutine, stands.
func (s *solver) code(n Name) Name { return outermost(s.owner(n)) }

// outermost is the declared function in which a literal stands, or the function itself.
func outermost(n Name) Name {
	fn, _, _ := strings.Cut(string(n), "$")
	return Name(fn)
}

// Short is a name with the package's own name in place of its path, for people.
func (n Name) Short() string {
	s := string(n)
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return s
	}
	start := strings.TrimLeft(s, "(*")
	return s[:len(s)-len(start)] + s[i+1:]
}

// Withheld reports whether the module calls a handler itself, each time on an object that the caller
// has made for that, and gives no one a value that has it, nor its own value: no server calls it then.
func (s *Solution) Withheld(fn Name) bool { return s.solver.withheld(fn) }

// AtHome reports whether its package alone calls a handler, by interfaces of the module, and so shows by itself in which
// threads; and whether it is one thread at a time.
func (s *Solution) AtHome(fn Name) (alone, ok bool) {
	if !s.solver.calledWithin(fn) || !s.solver.calledAtHome(fn) {
		return false, false
	}
	w := s.Who(fn, true)
	return !w.Any && s.inTurn([]Name{fn}, w.Threads, true), true
}

func (s *solver) withheld(fn Name) bool {
	if d, declared := s.decls[fn]; !declared || !d.Method || s.loose[fn] || len(s.boxed[fn]) > 0 {
		return false
	}
	callers := make(map[Name]bool)
	for _, r := range s.runs[fn] {
		if !r.Made || !r.Private {
			return false
		}
		callers[outermost(r.From)] = true
	}
	// A caller whose package has not been analysed shows no more than that it refers to it.
	return len(callers) > 0 && !slices.ContainsFunc(s.referrers[fn], func(from Name) bool { return s.live[from] && !callers[from] })
}

// calledWithin reports whether values that have a handler become interfaces of the module alone, and the module shows
// who calls it by these: the threads that do tell more than its name or signature.
func (s *solver) calledWithin(fn Name) bool {
	d, declared := s.decls[fn]
	if !declared || !d.Method {
		return false
	}
	if s.loose[fn] || s.open[fn] || s.api[fn] || s.handedOut(fn) {
		return false
	}
	return slices.ContainsFunc(s.runs[fn], func(r Run) bool { return !s.byWay[r.From] || len(s.runs[r.From]) > 0 })
}

// calledAtHome reports whether all that calls a function stands in its package, and no thread which begins elsewhere comes to
// those callers, the main goroutine aside.
func (s *solver) calledAtHome(fn Name) bool {
	home := s.pkgs[fn]
	return rise([]Name{fn}, func(at Name, next func(Name)) bool {
		here := s.pkgs[s.code(at)] == home
		switch begins := s.begin(at); {
		case begins == Main:
			return true
		case begins != "" || at == Anyone || at != fn && (s.served[at] || s.handedOut(at)):
			return here
		}
		for _, r := range s.runs[at] {
			if (at == fn || s.byWay[at]) && !s.byWay[r.From] && s.pkgs[s.code(r.From)] != home {
				return false
			}
			next(r.From)
		}
		return true
	})
}
