package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Perhaps returns the locks, by their variable or field, that may be held at
// an access without the analysis knowing: when the caller asks for it, or on
// some paths in a caller. One that a path of the function itself plainly lacks
// is none of them.
func (f *Func) Perhaps(s locks.State) []*types.Var {
	var out []*types.Var
	add := func(v *types.Var) {
		if v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for _, l := range s.Perhaps() {
		if !s.Lacks(l) {
			add(l.Location().Var)
		}
	}
	for _, l := range s.Held() {
		add(f.aliases[l.Lock.Location().Var])
	}
	for _, v := range f.Ctx.Maybe {
		if !slices.ContainsFunc(s.Left(), func(l accesspath.Path) bool { return l.Location().Var == v }) {
			add(v)
		}
	}
	return out
}

// PerhapsAt is Perhaps for an access. A path that lacks the lock does not count if the object
// is made on it, and the lock is that of the object which the access concerns otherwise. The locks of all
// elements of a list that was appended to may be those of any object.
func (f *Func) PerhapsAt(a *access.Access) []*types.Var {
	out := f.Perhaps(a.Held)
	for _, l := range a.Held.Perhaps() {
		if v := l.Location().Var; v != nil && !slices.Contains(out, v) && orMade(a.Path.Root().Val, l.Root().Val) {
			out = append(out, v)
		}
	}
	for _, h := range a.Held.Held() {
		list, v := h.Lock.EachOf(), h.Lock.Location().Var
		if v != nil && list.Known() && list.Depth() == 0 && ssautil.Gathered(list.Root().Val) {
			out = append(out, v)
		}
	}
	return out
}

// orMade reports whether an object is another one, or else one that is made on the way.
func orMade(object, other ssa.Value) bool {
	phi, ok := object.(*ssa.Phi)
	is := func(e ssa.Value) bool { return e == other || asserted(e) == other }
	return ok && slices.ContainsFunc(phi.Edges, is) && !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
		_, made := e.(*ssa.Alloc)
		return !made && !is(e)
	})
}

// asserted returns the interface of which a value is the content.
func asserted(v ssa.Value) ssa.Value {
	if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
		v = x.Tuple
	}
	if t, ok := v.(*ssa.TypeAssert); ok {
		return t.X
	}
	return v
}
