package outside

import "slices"

// Shown reports whether the module shows a thread besides the main goroutine that runs one
// of some functions, or may have one: a goroutine, a server's handler, a function whose value
// goes where nothing shows who calls it, or one that other modules alone call. That code
// outside calls a method by an interface of its own, such as that of a command or a
// reconciler, shows none: nothing tells that it does so in several threads. With assume, nor
// does a function that is run by what no record shows. Complexity: linear
// in the runs that lead there, which are bounded.
func (v *View) Shown(fns []Name) bool {
	return v.shown(fns, v.unknown, func(Name) []Name { return nil })
}

// Begun is Shown where only a goroutine that the module starts counts, and a server's handler. Code outside
// calls what it is given, a method of a value or the value of a function, in the goroutines that give it.
func (v *View) Begun(fns []Name) bool {
	return v.shown(fns, func(fn Name) bool { return fn == Sometime }, v.givers)
}

// givers returns the functions that let code outside call another one.
func (v *View) givers(fn Name) (out []Name) {
	s := v.s.solver
	if s.open[fn] {
		out = slices.Clone(s.boxed[fn])
	}
	for _, r := range s.takers[fn] {
		out = append(out, r.From)
	}
	return out
}

// shown reports whether a thread comes to some functions, directly or by what others add to a function.
func (v *View) shown(fns []Name, unknown func(Name) bool, others func(Name) []Name) bool {
	s := v.s.solver
	none := rise(v.places(fns), func(fn Name, next func(Name)) bool {
		switch thread := s.begin(fn); {
		case thread == Main, v.assume && s.unused(fn):
			return true
		case thread != "" || s.served[fn] || unknown(fn):
			return false
		}
		for _, r := range s.runs[fn] {
			next(r.From)
		}
		for _, by := range others(fn) {
			next(by)
		}
		return true
	})
	return !none || len(fns) == 0
}

// unknown reports whether code that no record shows may be what calls a function, methods
// of interfaces that are declared outside aside.
func (v *View) unknown(fn Name) bool {
	s := v.s.solver
	_, declared := s.decls[fn]
	switch {
	case v.assume:
		return declared && (s.wild[fn] || s.api[fn] && s.alone[fn])
	case !declared:
		return fn == Anyone || !IsValue(fn) && len(s.runs[fn]) == 0 && !s.byWay[fn]
	}
	return s.wild[fn] || s.api[fn] || !s.scope.Whole(s.pkgs[fn])
}

// Whole reports whether the module shows all threads that run some functions, at least one.
func (v *View) Whole(fns []Name) bool {
	w := v.of(v.places(fns), every)
	return !w.Any && len(w.Threads) > 0
}
