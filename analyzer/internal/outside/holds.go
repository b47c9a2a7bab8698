package outside

import (
	"maps"
	"slices"
	"strings"
)

// What an interface can hold is followed through the module as function values are: through
// fields, variables, parameters and results. So a call by an interface means the methods of
// those types alone whose values come there, not of all that have become such an interface
// somewhere: variable type analysis (Sundaresan et al., 2000).

// A Hold tells that a node of values of an interface can hold what another node holds, or a
// value of a type.
type Hold struct{ Node, Value Name }

// Unknown is the node of values of which nothing shows what they hold.
const Unknown Name = "unknown"

// TypeNode is the node of the values of a type that is not an interface, by its full name.
func TypeNode(name string) Name { return typePrefix + Name(name) }

const typePrefix = "type "

// maxHeld bounds the nodes that are followed for one, and maxTypes the types that it can hold.
const (
	maxHeld  = 400
	maxTypes = 16
)

// A holder knows what nodes hold.
type holder struct {
	s       *solver
	sources map[Name][]Name
	impls   map[Name]map[string]Name
	known   map[Name][]Name // what was asked for; nil where it is not known
	// untold are the short names of methods that are called, or whose values are taken, where it is
	// not followed.
	untold map[string]bool
}

func (s *solver) holder() *holder {
	h := &holder{s: s, sources: make(map[Name][]Name), impls: make(map[Name]map[string]Name), known: make(map[Name][]Name), untold: make(map[string]bool)}
	for _, r := range s.records {
		for _, hold := range r.Holds {
			h.sources[hold.Node] = append(h.sources[hold.Node], hold.Value)
		}
		for t, methods := range r.Impls {
			h.impls[t] = methods
		}
		maps.Copy(h.untold, r.Untold)
		maps.Copy(h.untold, r.Taken)
	}
	return h
}

// meant returns the methods that a call by an interface can run: those of the types that its
// receiver can hold. Not ok where that is not known.
func (h *holder) meant(run Run) (methods []Name, ok bool) {
	_, short, invoked := strings.Cut(string(run.To), "#")
	if !invoked || run.By == "" || h.untold[""] {
		return nil, false
	}
	held := h.types(run.By)
	if held == nil {
		return nil, false
	}
	for _, t := range held {
		m := h.impls[t][short]
		if m == "" {
			return nil, false // what it embeds has it, of code outside
		}
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return methods, true
}

// told reports whether the records show all calls of an interface's method.
func (h *holder) told(method Name) bool {
	iface, short, _ := strings.Cut(string(method), "#")
	return !h.untold[short] && !h.s.mentions(iface, short)
}

// mentions reports whether files that were not analysed may call a method of an interface.
func (s *solver) mentions(iface, short string) bool {
	i := strings.LastIndexByte(iface, '.')
	return i < 0 || s.scope.Mentions(iface[:i], short, true) != Unmentioned
}

// types returns the types of the values that a node holds, nil where that is not known.
// Complexity: linear in the nodes that lead there, which are bounded.
func (h *holder) types(node Name) []Name {
	if out, ok := h.known[node]; ok {
		return out
	}
	var out []Name
	seen, work := map[Name]bool{node: true}, []Name{node}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if strings.HasPrefix(string(at), typePrefix) {
			out = append(out, at)
			continue
		}
		if len(h.sources[at]) == 0 || h.open(at) || len(seen) > maxHeld {
			h.known[node] = nil
			return nil
		}
		for _, from := range h.sources[at] {
			if !seen[from] {
				seen[from] = true
				work = append(work, from)
			}
		}
	}
	if slices.Sort(out); len(out) > maxTypes {
		out = nil
	}
	h.known[node] = out
	return out
}

// open reports whether more can come to a node than the records show: to a parameter of a function
// that others call or whose value is taken, to a field or variable that others can set, and where
// nothing is known.
func (h *holder) open(node Name) bool {
	switch {
	case node == Unknown:
		return true
	case isVariable(node):
		return !h.s.application && h.s.seenOutside(node)
	case strings.HasSuffix(string(node), ")"):
		fn := node[:strings.LastIndexByte(string(node), '(')]
		return h.s.open[fn] || h.s.meant[fn] || h.s.loose[fn] || h.s.api[fn] && !h.s.application
	}
	return false
}

// Calls reports whether a function may call a method by an interface, as far as the module shows what
// the interface can hold there.
func (v *View) Calls(from, method Name) bool {
	s := v.s.solver
	return s.wild[method] || s.unmeant[way{from, Name(s.decls[method].Short)}] || slices.ContainsFunc(s.runs[method], func(r Run) bool {
		_, started := s.starts[r.From]
		if r.From == from || r.From == Anyone || started || IsValue(r.From) {
			return true
		}
		_, declared := s.decls[r.From]
		return !declared && slices.ContainsFunc(s.runs[r.From], func(by Run) bool { return by.From == from })
	})
}
