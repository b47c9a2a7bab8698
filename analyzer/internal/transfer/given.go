package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A function may give one of several objects, each with its lock held: one that it has found, or one that it has made.
// No name that callers know is that of all of them, so to the callers they are what the function gives. Where one return
// gives an object of which the lock is not held, nothing is left of the lock, unless the results tell which return it was.

// byResults names the locks that a return leaves held in what it gives by the results.
func (a *analysis) byResults(s locks.State, ret *ssa.Return) locks.State {
	given := make(map[accesspath.Path]accesspath.Path)
	for i := range ret.Results {
		if !a.nameless(i) {
			continue
		}
		v := ssautil.Returned(ret, i)
		p := a.Paths.Of(v)
		if r := p.Root().Kind; r == accesspath.Const || r == accesspath.Param && p.Depth() == 0 {
			continue // nothing, or what the callers have a name for
		}
		given[p] = a.Paths.Root(accesspath.Root{Kind: accesspath.Result, Fn: a.key, Index: i})
	}
	if len(given) == 0 {
		return s
	}
	return s.Map(locks.Subst{
		Lock: func(p accesspath.Path) accesspath.Path {
			if !s.Of(p).Must() || a.asGiven(p) != p {
				return p // perhaps not held, or known by what the object was given
			}
			for object := p; object.Known(); object = object.Parent() {
				if as, ok := given[object]; ok {
					return a.Paths.Rebase(p, object, as)
				}
			}
			return p
		},
		Cond:    func(c locks.Cond) (locks.Cond, locks.Verdict) { return c, locks.If },
		Section: func(s locks.Section) locks.Section { return s },
	})
}

// nameless reports whether a result is a pointer to a struct, and callers have no other name for what it points to. Of
// a function that is still being settled, since it calls itself, that is not known yet.
func (a *analysis) nameless(i int) bool {
	if i >= len(a.sum.Results) {
		return false
	}
	t := a.fn.Signature.Results().At(i).Type()
	_, pointer := t.Underlying().(*types.Pointer)
	_, object := ssautil.Pointee(t).Underlying().(*types.Struct)
	return pointer && object && !a.sum.Results[i].Path.Known()
}

// resultPathAt returns the path of a callee's result at a call.
func (a *Env) resultPathAt(r accesspath.Root, t target, at ssa.Instruction) (accesspath.Path, bool) {
	call, ok := at.(*ssa.Call)
	if !ok || r.Fn != t.key {
		return accesspath.Path{}, false
	}
	v := ssautil.ResultOf(call, r.Index)
	if v == nil {
		return accesspath.Path{}, false
	}
	return a.Paths.Of(v), true
}
