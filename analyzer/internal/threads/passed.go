package threads

import (
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// passed reports whether a path is, in a function on the way, the variable of a parameter that got its map by value, of that
// function or of one that it was called by: to assign to it changes nothing of the map's other variables.
func (w *walk) passed(p accesspath.Path, at *stop) bool {
	r := p.Root()
	if r.Kind != accesspath.Param || p.Depth() > 0 {
		return false
	}
	for s := at; s != nil; s = s.outer {
		if s.g.Key == r.Fn {
			in, ok := ownership.Input(r.Index)
			return !s.itself && (p.Passed() || ok && s.passed&in != 0)
		}
	}
	return false
}

// passedOn returns the arguments of a call that are addresses of such variables.
func (w *walk) passedOn(c *summary.Call, at *stop) (out ownership.Set) {
	for i, arg := range c.Args {
		if in, ok := ownership.Input(i); ok && w.passed(arg, at) {
			out |= in
		}
	}
	return out
}
