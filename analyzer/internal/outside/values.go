package outside

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Function values are followed through all packages: what a node of values leads to can be
// called where a value of the node is. So a function whose value goes into fields, variables,
// parameters and results of the module alone has callers that the records show.

// Outsiders is the node of the function values that code outside the module has: it may call
// them in any thread.
const Outsiders Name = "outsiders"

// Actions is the node of the function values that are actions of a command line, wherever they were
// made: what executes commands calls one of them, the program's main goroutine where nothing shows that.
const Actions Name = "actions"

// IsValue reports whether a node stands for function values, rather than for a function: a
// variable, a parameter, a result or a shape.
func IsValue(n Name) bool {
	s := string(n)
	held := isVariable(n) || strings.HasSuffix(s, ")") || strings.Contains(s, resultSign)
	return n == Outsiders || n == Actions || isShape(n) || held
}

// isVariable reports whether a node stands for the function values that a variable or a field has.
func isVariable(n Name) bool { return strings.HasPrefix(string(n), variablePrefix) }

// follow makes the nodes of function values callers of what they lead to, for those functions of which
// that shows all callers: code outside has no value of them. Complexity: linear in
// the leads, and quadratic in the shapes that generic code calls.
func (s *solver) follow() {
	leads := s.valueLeads()
	given := s.given(leads)
	loose := func(fn Name) bool { return s.wild[fn] || slices.ContainsFunc(s.runs[fn], byAnyone) }
	shown := make(map[Name]bool)
	s.fan = make(map[Name]int, len(leads))
	for _, from := range slices.Sorted(maps.Keys(leads)) {
		tos := leads[from]
		s.fan[from] = len(tos)
		for _, to := range tos {
			switch {
			case from == Outsiders:
			case IsValue(to):
				s.runs[to] = append(s.runs[to], Run{From: from, To: to})
			case !given[to] && (shown[to] || loose(to)):
				if !shown[to] {
					shown[to], s.wild[to] = true, false
					s.runs[to] = slices.DeleteFunc(s.runs[to], byAnyone)
				}
				s.runs[to] = append(s.runs[to], Run{From: from, To: to})
			}
		}
	}
}

func byAnyone(r Run) bool { return r.From == Anyone }

// valueLeads returns what the nodes of function values lead to.
func (s *solver) valueLeads() map[Name][]Name {
	leads := make(map[Name][]Name)
	shapes := make(map[Name]bool)
	for _, r := range s.records {
		if s.unlinked[r.Path] {
			continue
		}
		for _, l := range r.Leads {
			if !IsValue(l.From) {
				continue
			}
			leads[l.From] = append(leads[l.From], l.To)
			for _, n := range [...]Name{l.From, l.To} {
				if isShape(n) {
					shapes[n] = true
				}
			}
		}
	}
	inOrder := slices.Sorted(maps.Keys(shapes))
	for _, generic := range inOrder {
		if !open(generic) {
			continue
		}
		for _, other := range inOrder {
			if other != generic && fits(string(generic), string(other)) {
				leads[generic] = append(leads[generic], other)
				leads[other] = append(leads[other], generic)
			}
		}
	}
	return leads
}

// given returns the functions, and the nodes of values, that code outside the module can have.
func (s *solver) given(leads map[Name][]Name) map[Name]bool {
	work := []Name{Outsiders}
	for fn, open := range s.open {
		if open && !s.barely[fn] {
			work = append(work, s.results(fn)...)
		}
	}
	if !s.application {
		for from := range leads {
			if s.seenOutside(from) {
				work = append(work, from)
			}
		}
	}
	out := make(map[Name]bool)
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if out[n] {
			continue
		}
		if out[n] = true; !IsValue(n) {
			work = append(work, s.results(n)...)
			continue
		}
		work = append(work, leads[n]...)
	}
	return out
}

// maxResults is how many results of a function are looked at: more are hardly ever functions.
const maxResults = 4

func (s *solver) results(fn Name) (out []Name) {
	for i := range maxResults {
		out = append(out, Result(fn, i))
	}
	return out
}

// seenOutside reports whether other modules can come to the values of a node: those of an exported
// field or variable, and what a function gives that they can call.
func (s *solver) seenOutside(node Name) bool {
	if name, ok := strings.CutPrefix(string(node), variablePrefix); ok {
		path, _, _ := strings.Cut(name, "@")
		first, _ := utf8.DecodeRuneInString(path[strings.LastIndexByte(path, '.')+1:])
		return unicode.IsUpper(first)
	}
	fn, _, result := strings.Cut(string(node), resultSign)
	return result && !isShape(node) && s.api[Name(fn)]
}
