package ownership

import (
	"fmt"
	"slices"
)

// Cuts names the bounds that cut the analysis of the function short, each with
// what is assumed beyond it.
func (r *Result) Cuts() []string {
	var out []string
	note := func(cut bool, bound int, what string) {
		if text := fmt.Sprintf("more than %d %s", bound, what); cut && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	note(len(r.fn.Params)+len(r.captured) > maxInputs, maxInputs, "parameters and captured variables: the others are taken for shared")
	note(r.links != nil && r.links.cut, maxKeys, "names of what one object leads to: what has the others is not followed")
	for i := range r.in {
		r.noteCuts(&r.in[i])
	}
	note(r.manyObjects, maxKeys, "objects: all are taken for shared")
	note(r.manyParts, maxParts, "parts of one object: it is taken for shared until it is made anew")
	return out
}

// noteCuts notes whether a state was cut.
func (r *Result) noteCuts(s *State) {
	r.manyObjects = r.manyObjects || s.lost
	r.manyParts = r.manyParts || s.cutParts()
}

// cutParts reports whether an object has too many parts.
func (s *State) cutParts() bool {
	return slices.ContainsFunc(s.own, func(o owning) bool { return o.cut })
}
