package outside

import (
	"cmp"
	"maps"
	"slices"
)

// A Scope says what of the program the records show.
type Scope interface {
	// Closed reports whether only code that the records show, and files that
	// Mentions knows of, can import the package.
	Closed(pkg string) bool
	// Whole reports whether all packages of the package's module were analysed,
	// apart from files that Mentions knows of.
	Whole(pkg string) bool
	// Mentions reports whether a file that can import the package, and that was
	// not analysed, mentions a name.
	Mentions(pkg, name string) bool
}

// A Solution knows the contexts of functions.
type Solution struct {
	contexts map[Name]*Context
}

// Of returns what is known of the calls of a function in other packages, nil if
// there can be more than the records show. With assume, it is also what the module
// does with functions that other modules can call, too.
func (s *Solution) Of(fn Name, assume bool) *Context {
	if ctx := s.contexts[fn]; ctx != nil && (assume || !ctx.Assumed) {
		return ctx
	}
	return nil
}

// Solve finds what runs, and gives each function the calls of those callers that
// do. A function runs if code runs that refers to it, or if code that no record
// shows can call it. More references, and more ways for a method to be called,
// never take a call away. Complexity: linear in the records.
func Solve(records []*Record, scope Scope) *Solution {
	s := &solver{
		scope: scope, records: slices.Clone(records), decls: make(map[Name]Decl), open: make(map[Name]bool), api: make(map[Name]bool),
		refs: make(map[Name][]Ref), live: make(map[Name]bool), loose: make(map[Name]bool), calls: make(map[Name][]*Call),
	}
	slices.SortStableFunc(s.records, func(a, b *Record) int { return cmp.Compare(a.Path, b.Path) })
	s.index()
	s.openMethods()
	s.reach()
	return &Solution{contexts: s.contexts()}
}

type solver struct {
	scope   Scope
	records []*Record
	decls   map[Name]Decl
	refs    map[Name][]Ref // by where they stand
	open    map[Name]bool  // code that no record shows calls it
	api     map[Name]bool  // other modules can call it
	live    map[Name]bool
	loose   map[Name]bool // live code does not only call it
	calls   map[Name][]*Call
}

func (s *solver) index() {
	referred := make(map[Name]bool)
	for _, r := range s.records {
		for _, ref := range r.Refs {
			s.refs[ref.From] = append(s.refs[ref.From], ref)
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
			s.api[name] = d.Exported && !closed
			switch {
			case s.api[name] && !whole, !d.Exported && !referred[name]:
				s.open[name] = true
			case d.Exported && s.scope.Mentions(r.Path, d.Short):
				s.open[name] = true
			}
		}
	}
}

// openMethods finds the methods that are called through interfaces: those of the
// interfaces to which values of their types are converted, and those for which
// such values are asked later. Where an interface goes to code outside the
// module, that is all of them.
func (s *solver) openMethods() {
	further, asserted := make(map[string]bool), make(map[string]bool)
	boxes := false
	for _, r := range s.records {
		maps.Copy(further, r.Further)
		maps.Copy(asserted, r.Asserted)
		boxes = boxes || r.Boxes
	}
	for _, r := range s.records {
		maps.Copy(s.open, r.Opened)
		if boxes {
			maps.Copy(s.open, r.TypeArgs)
		}
		for iface, methods := range r.Methods {
			for m := range methods {
				if further[iface] || asserted[s.decls[m].Short] {
					s.open[m] = true
				}
			}
		}
	}
}

// reach marks what runs.
func (s *solver) reach() {
	work := []Name{""}
	s.live[""] = true
	for name := range s.decls {
		if s.open[name] || s.api[name] {
			s.live[name] = true
			work = append(work, name)
		}
	}
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		for _, ref := range s.refs[from] {
			s.loose[ref.To] = s.loose[ref.To] || ref.Loose
			if !s.live[ref.To] {
				s.live[ref.To] = true
				work = append(work, ref.To)
			}
		}
	}
}

func (s *solver) contexts() map[Name]*Context {
	out := make(map[Name]*Context)
	for name, d := range s.decls {
		switch {
		case !s.live[name]:
			out[name] = &Context{Dead: true}
		case s.open[name] || s.loose[name] || !d.Exported:
			// others may call it, or none outside its package can
		default:
			calls := slices.DeleteFunc(slices.Clone(s.calls[name]), func(c *Call) bool { return !s.live[c.Caller] })
			slices.SortStableFunc(calls, func(a, b *Call) int { return cmp.Compare(a.Caller, b.Caller) })
			if len(calls) > 0 || !s.api[name] {
				out[name] = &Context{Calls: calls, Assumed: s.api[name]}
			}
		}
	}
	return out
}
