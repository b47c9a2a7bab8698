package outside

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A web answers what code of the module may run, through all of its packages.
//
// Its nodes are functions, methods of interfaces, and shapes of function values.
// A function leads to all that it mentions: functions that it calls or takes the
// value of, methods that it calls by an interface, the shapes of the values that it
// calls, the methods of values that it gives to code outside the module. An
// interface's method leads to those of the types whose values become the interface;
// a shape to the functions of that shape whose values are taken. A function leads to
// the literals that stand in it. A go statement leads nowhere: another goroutine runs.
//
// So what it does not lead to is not run, but for reflection, and for code outside
// the module that keeps what it is given and calls it later, in another call.
type web struct {
	scope Scope
	// ids are the numbers of the nodes, and edges what each leads to.
	ids    map[Name]int32
	edges  [][]int32
	known  map[string]bool // packages with a record
	locked map[*types.Var]bool
	// assigned are the package-level variables that another package than their own may assign.
	assigned map[*types.Var]bool
	// waits are the functions that may wait, in their order.
	waits []Name
	// changed are the functions of which a result is changed.
	changed map[string]bool
}

// web returns the web of the records. Complexity: linear in them.
func (s *solver) web() *web {
	w := &web{
		scope: s.scope, ids: make(map[Name]int32), known: make(map[string]bool), locked: make(map[*types.Var]bool),
		changed: make(map[string]bool), assigned: make(map[*types.Var]bool),
	}
	taken, called := make(map[Name]bool), make(map[Name]bool)
	found, changes := make(map[string]bool), make(map[string][]string)
	methods := make(map[Name]way) // an interface and its method
	for _, r := range s.records {
		w.known[r.Path] = true
		maps.Copy(w.locked, r.Locked)
		maps.Copy(w.assigned, r.Assigned)
		maps.Copy(w.changed, r.Changed)
		w.waits = slices.AppendSeq(w.waits, maps.Keys(r.Waits))
		for _, l := range r.Leads {
			w.lead(l.From, l.To)
			if isShape(l.From) {
				taken[l.From] = true
			}
			if isShape(l.To) || isOuter(l.To) {
				called[l.To] = true
			}
			if iface, short, ok := strings.Cut(string(l.To), "#"); ok && iface != "" {
				methods[l.To] = way{Name(iface), Name(short)}
			}
		}
		for m := range r.Opened {
			w.opened(s.decls[m].Outer, m, taken)
		}
		for c := range r.Changes {
			changes[c.From] = append(changes[c.From], c.To)
		}
		maps.Copy(found, r.Found)
	}
	becomes := closures(changes)
	for iface := range maps.Clone(found) {
		maps.Copy(found, becomes(iface))
	}
	for _, way := range s.waysInOrder() {
		w.lead(way.called, way.method)
		outer := s.decls[way.method].Outer
		iface, _, _ := strings.Cut(string(way.called), "#")
		if becomes(iface)[""] {
			w.opened(outer, way.method, taken)
		}
		if found[iface] && outer != "" {
			w.lead(way.called, outer)
			called[outer] = true
		}
	}
	w.become(methods, changes)
	w.generic(taken, called)
	slices.Sort(w.waits)
	return w
}

// become links methods of interfaces to which values of others become: a call of the
// one is one of the other, on such values.
func (w *web) become(methods map[Name]way, changes map[string][]string) {
	of := make(map[string][]Name) // the methods of an interface
	for m, way := range methods {
		of[string(way.called)] = append(of[string(way.called)], m)
	}
	for from, tos := range changes {
		for _, to := range tos {
			for _, m := range of[to] {
				w.lead(m, Method(from, string(methods[m].method)))
			}
		}
	}
}

func (w *web) opened(outer, m Name, taken map[Name]bool) {
	if outer != "" {
		w.lead(outer, m)
		taken[outer] = true
	}
}

// generic links shapes with the same number of parameters and results of which one
// is that of generic code: it can be the other.
func (w *web) generic(taken, called map[Name]bool) {
	opened := func(shapes map[Name]bool) (out []Name) {
		for n := range shapes {
			if open(n) {
				out = append(out, n)
			}
		}
		return out
	}
	for _, from := range opened(called) {
		for to := range taken {
			w.fit(from, to)
		}
	}
	for _, to := range opened(taken) {
		for from := range called {
			w.fit(from, to)
		}
	}
}

func (w *web) fit(from, to Name) {
	if from != to && fits(string(from), string(to)) {
		w.lead(from, to)
	}
}

// open reports whether a shape has type parameters in it.
func open(shape Name) bool { return strings.Contains(string(shape), unknownType) }

// fits reports whether two shapes can be the same once type parameters have types.
func fits(a, b string) bool {
	as, bs := strings.Split(a, separator), strings.Split(b, separator)
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !same(as[i], bs[i]) {
			return false
		}
	}
	return true
}

// same reports whether two types can be the same once type parameters have types.
func same(a, b string) bool {
	pa, ra, openA := strings.Cut(a, unknownType)
	pb, rb, openB := strings.Cut(b, unknownType)
	switch {
	case !openA && !openB:
		return a == b
	case openA && openB:
		return strings.HasPrefix(pa, pb) || strings.HasPrefix(pb, pa)
	case openB:
		pa, ra, b = pb, rb, a
	}
	return len(b) > len(pa) && strings.HasPrefix(b, pa) && (strings.Contains(ra, unknownType) || strings.HasSuffix(b, ra))
}

// id returns the number of a node, a new one if need be.
func (w *web) id(n Name) int32 {
	id, ok := w.ids[n]
	if !ok {
		id = int32(len(w.edges))
		w.ids[n] = id
		w.edges = append(w.edges, nil)
	}
	return id
}

func (w *web) lead(from, to Name) {
	id := w.id(from)
	w.edges[id] = append(w.edges[id], w.id(to))
}

// reached returns by its number what a node leads to, itself included.
func (w *web) reached(start int32) []bool {
	out := make([]bool, len(w.edges))
	out[start] = true
	work := []int32{start}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range w.edges[n] {
			if !out[to] {
				out[to] = true
				work = append(work, to)
			}
		}
	}
	return out
}

// Leads returns what a node of the web may come to run. Known is false where more
// can run than the records show: of a package that was not analysed with its whole
// module. Where other modules can have code run there, what this one has run speaks
// for it; if that is nothing, it is not known either.
func (s *Solution) Leads(pkg string, start Name) (to func(Name) bool, known bool) {
	w := s.web()
	if !w.known[pkg] || !w.scope.Whole(pkg) {
		return nil, false
	}
	others := !isOuter(start) && !s.solver.application && !w.scope.Closed(pkg)
	id, leads := w.ids[start]
	switch {
	case others && (!leads || len(w.edges[id]) == 0):
		return nil, false
	case !leads:
		return func(n Name) bool { return n == start }, true
	}
	reached := w.reached(id)
	return func(n Name) bool {
		id, ok := w.ids[n]
		return ok && reached[id]
	}, true
}

// Waits returns a function among those that a node of the web may come to run which may
// wait for another goroutine; "" if there is none. Known is as that of [Solution.Leads],
// but what a function of the module leads to is known in any case.
func (s *Solution) Waits(pkg string, start Name) (where Name, known bool) {
	w := s.web()
	leads, known := s.Leads(pkg, start)
	if _, declared := s.solver.decls[start]; declared && !known && w.scope.Whole(pkg) {
		if id, ok := w.ids[start]; !ok || len(w.edges[id]) == 0 {
			leads, known = func(n Name) bool { return n == start }, true
		}
	}
	if !known {
		return "", false
	}
	for _, n := range w.waits {
		if leads(n) {
			return n, true
		}
	}
	return "", true
}

// Tells reports whether the web shows what a node leads to.
func (s *Solution) Tells(node Name) bool {
	w := s.web()
	id, ok := w.ids[node]
	return ok && len(w.edges[id]) > 0
}

// Awaits reports whether a node may wait by itself: a function in its own code, or a variable of
// function values that is given one of a library which does.
func (s *Solution) Awaits(node Name) bool { return slices.Contains(s.web().waits, node) }

// Mentioned reports whether a file that was not analysed may use a function of the
// package.
func (s *Solution) Mentioned(pkg, short string) bool {
	return s.web().scope.Mentions(pkg, short, true) != Unmentioned
}

// Has reports whether a package is one of the module.
func (s *Solution) Has(pkg *types.Package) bool { return pkg != nil && s.web().known[pkg.Path()] }

// Contains reports whether the package with a path is one of the module.
func (s *Solution) Contains(path string) bool { return s.web().known[path] }

// Whole reports whether all was analysed that can have to do with a package in its module.
func (s *Solution) Whole(pkg string) bool { return s.web().scope.Whole(pkg) }

// Own reports whether no other module has to do with a package: none can import it,
// or its module is an application.
func (s *Solution) Own(pkg string) bool {
	return s.web().known[pkg] && s.web().scope.Whole(pkg) && (s.solver.application || s.web().scope.Closed(pkg))
}

// Locked reports whether another package than a lock's own takes it.
func (s *Solution) Locked(lock *types.Var) bool { return s.web().locked[lock] }

// Assigned reports whether another package than a package-level variable's own may assign it.
func (s *Solution) Assigned(v *types.Var) bool { return s.web().assigned[v] }

// Changed reports whether a package of the module changes the map that a function of
// that name gave back.
func (s *Solution) Changed(short string, t types.Type) bool { return s.web().changed[Gives(short, t)] }

// Dropped reports whether the module calls a function, as far as it shows all calls, and does
// nothing with the maps that it gives.
func (s *Solution) Dropped(fn *types.Func) bool {
	name := NameOf(fn)
	if s.solver.open[name] && !s.solver.barely[name] || s.solver.reflected[name] || s.solver.loose[name] {
		return false
	}
	gives := false
	for v := range fn.Signature().Results().Variables() {
		if _, isMap := v.Type().Underlying().(*types.Map); !isMap {
			continue
		}
		if gives = true; s.solver.kept[string(name)] || s.solver.kept[string(Method("", fn.Name()))] {
			return false
		}
	}
	return gives
}

// Invoked is the node of a method that is called by an interface.
func (s *Solution) Invoked(iface types.Type, m *types.Func) Name {
	switch t := types.Unalias(iface).(type) {
	case *types.Named:
		obj := t.Origin().Obj()
		if obj.Pkg() != nil && s.web().known[obj.Pkg().Path()] {
			return Method(obj.Pkg().Path()+"."+obj.Name(), m.Name())
		}
	case *types.Interface:
		return Method(types.TypeString(t, nil), m.Name())
	}
	return Outer(m)
}
