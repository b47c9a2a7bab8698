package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A struct that is copied has variables of its own, of which each holds the map that the original's does. To change an
// entry through one is to change the original's map; to assign to it, or to compare it with nil, is the copy's alone.

// inCopy reports whether an address is that of a field of a local copy of a struct, or of one that was passed by value.
func (a *analysis) inCopy(addr ssa.Value) bool {
	field, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	v, local := field.X.(*ssa.Alloc)
	if !local || a.others(v) {
		return false
	}
	p := a.Paths.Of(v)
	from, _ := p.CopyOf()
	return from.Known() || p.Depth() == 0 && p.ByValue()
}

// others reports whether a goroutine or a literal, which may run in one, gets the address of a local variable.
func (a *analysis) others(v *ssa.Alloc) bool {
	return a.handed[v] || ssautil.Captured(v) || slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		_, starts := r.(*ssa.Go)
		return starts
	})
}

// variable returns the path of the variable that a callee assigns to or compares with nil, at a call: p, unless it is a
// field of a copy. Then it is that field; the unknown path of one in a struct that was passed by value, and of a parameter
// that is a map itself.
func (a *analysis) variable(p, inCallee accesspath.Path, t *target, at ssa.Instruction) accesspath.Path {
	if inCallee.Passed() && inCallee.Root().Fn == t.key {
		return accesspath.Path{}
	}
	if inCallee.LastField() == nil {
		return p
	}
	if inCallee.Depth() == 1 && inCallee.ByValue() {
		return accesspath.Path{}
	}
	return a.Paths.InCopy(p, a.substitute(inCallee.Parent(), *t, at), inCallee)
}
