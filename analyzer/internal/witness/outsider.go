package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// outsider reports whether f is code outside of the type that a map is a field of, and outside of
// the one that has its lock, where methods of that type hold the lock as they come to the map. Which lock they take
// tells of what they meet; what others do to an object whose fields they reach, they mostly do
// while they build it, end it, or have it alone. A lock that a statement declares binds all. A function
// that is no method, and that such a method calls, is a part of it.
func (j *Judge) outsider(f *infer.Func, loc accesspath.Location) bool {
	g := j.Guards.Of(loc)
	if loc.Var == nil || g == nil || g.How == guard.Declared || !loc.Var.IsField() {
		return false
	}
	inside := func(f *infer.Func) bool {
		if f == nil {
			return false // of another package
		}
		t := f.MethodOf()
		return t != nil && (hasField(t.Type(), loc.Var) || hasField(t.Type(), g.Lock))
	}
	helps := func() bool {
		return f.MethodOf() == nil && slices.ContainsFunc(j.Pkg.CallersOf(f), func(s infer.CallSite) bool { return inside(s.Caller) })
	}
	if f == nil || inside(f) || helps() {
		return false
	}
	return slices.ContainsFunc(j.Place(loc).Sites, func(s infer.Site) bool {
		_, held := j.Guards.Holds(g, s.Held, s.Acc.Path)
		return held && inside(s.Func)
	})
}

// foreign reports whether use alone tells that a lock of this package protects the map of another one's type: this one
// keeps objects of that type, and there are others, which the lock does not protect.
func (j *Judge) foreign(loc accesspath.Location) bool {
	g := j.usedFor(loc)
	return g != nil && loc.Var.Pkg() != j.Pkg.Types && g.Lock.Pkg() == j.Pkg.Types
}

// elsewhere reports whether use alone tells that a variable of another package protects the map of this one's type: who has
// the lock keeps its own order, and this package's code comes there in other ways, too, of which nothing tells whether they are apart.
func (j *Judge) elsewhere(loc accesspath.Location) bool {
	g := j.usedFor(loc)
	return g != nil && !g.Lock.IsField() && loc.Var.Pkg() == j.Pkg.Types && g.Lock.Pkg() != j.Pkg.Types
}

// usedFor returns the guard of a field of which use alone tells, nil if there is none.
func (j *Judge) usedFor(loc accesspath.Location) *guard.Guard {
	g := j.Guards.Of(loc)
	if loc.Var == nil || !loc.Var.IsField() || g == nil || g.How != guard.Used {
		return nil
	}
	return g
}

// hasField reports whether a field is one of a struct's own, or of a struct without a name in it.
func hasField(t types.Type, field *types.Var) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range st.Fields() {
		if v.Origin() == field.Origin() {
			return true
		}
		if _, plain := types.Unalias(v.Type()).(*types.Struct); plain && hasField(v.Type(), field) {
			return true
		}
	}
	return false
}

// unshownOrder reports whether no lock is known for an object's map in an application, and what speaks for a meeting are goroutines of
// different functions, or one and callers: an application shows who calls, and what keeps such
// apart, an order of calls or a hand-over, is mostly out of sight. Where one starts the other and goes on, that is a race of the
// two, and judged by itself.
func (j *Judge) unshownOrder(e sharing.Evidence, loc accesspath.Location) bool {
	if e.Meets != sharing.Beside && e.Meets != sharing.Callers {
		return false
	}
	return loc.Var != nil && loc.Var.IsField() && j.Guards.Of(loc) == nil && j.Pkg.Application()
}

// weigh makes a witness low of a kind that is mostly ordered by something that is out of sight.
func (j *Judge) weigh(grade *Grade, c *sharing.Confidence, f *infer.Func, e sharing.Evidence, steps ...*access.Access) {
	if *c <= sharing.Low {
		return
	}
	loc := steps[len(steps)-1].Path.Location()
	assumed := slices.ContainsFunc(steps, func(a *access.Access) bool { return !j.Sharing.Threads.Shows(&infer.Site{Func: f, Acc: a}) })
	switch {
	case assumed && j.outsider(f, loc):
		*grade, *c = FromOutside, sharing.Low
	case assumed && j.foreign(loc), assumed && j.elsewhere(loc) && !j.Sharing.Requested(j.Place(loc), f, steps[len(steps)-1]):
		*grade, *c = OtherOwner, sharing.Low
	case j.unshownOrder(e, loc):
		*grade, *c = Unordered, sharing.Low
	}
}
