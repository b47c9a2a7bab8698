package witness

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// outsider reports whether f is code outside of the type that a map is a field of, and outside of
// the one that has its lock, where methods of that type come to the map. Which lock they take
// tells of what they meet; what others do to an object whose fields they reach, they mostly do
// while they build it, end it, or have it alone. A lock that a statement declares binds all.
func (j *Judge) outsider(f *infer.Func, loc accesspath.Location) bool {
	g := j.Guards.Of(loc)
	if loc.Var == nil || g == nil || g.How == guard.Declared || !loc.Var.IsField() {
		return false
	}
	inside := func(f *infer.Func) bool {
		t := f.MethodOf()
		return t != nil && (hasField(t.Type(), loc.Var) || hasField(t.Type(), g.Lock))
	}
	if f == nil || inside(f) {
		return false
	}
	for i := range j.Place(loc).Sites {
		if s := &j.Place(loc).Sites[i]; inside(s.Func) {
			return true
		}
	}
	return false
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

// unshownOrder reports whether no lock is known for a map of an application, and what speaks for a meeting is neither
// requests nor goroutines that one statement starts: it is documentation, or goroutines of different functions, to
// which an object's map belongs. An application shows who calls; what keeps such apart, an order of calls
// or a hand-over, is mostly out of sight.
func (j *Judge) unshownOrder(e sharing.Evidence, loc accesspath.Location) bool {
	if loc.Var == nil || j.Guards.Of(loc) != nil || !j.Pkg.Application() {
		return false
	}
	return !e.Threads() || loc.Var.IsField() && (e.Meets == sharing.Beside || e.Meets == sharing.Callers)
}

// bareChange reports whether a change in an application lacks a lock that no statement declares: who changes a map without
// the lock that others take for it mostly knows what else keeps these away. Who forgets a lock forgets it for a look.
func (j *Judge) bareChange(a *access.Access) bool {
	g := j.Guards.Of(a.Path.Location())
	return g != nil && g.How != guard.Declared && a.Op.Writes() && j.Pkg.Application()
}

// weighAccess is weigh for an access that lacks a lock.
func (j *Judge) weighAccess(v *AccessVerdict) {
	if v.Confidence > sharing.Low && j.bareChange(v.Site.Acc) {
		v.Grade, v.Confidence = BareChange, sharing.Low
	}
	j.weigh(&v.Grade, &v.Confidence, v.Site.Func, v.Evidence, v.Place.Loc)
}

// weighPair is weigh for two steps. What puts in an entry where none is has an act that goes with its look.
func (j *Judge) weighPair(v *Verdict) {
	if v.Confidence > sharing.Low && len(v.ActLocks) == 0 && v.Raced() && !v.getsOrCreates() && j.bareChange(v.Act) {
		v.Grade, v.Confidence = BareChange, sharing.Low
	}
	j.weigh(&v.Grade, &v.Confidence, v.Func, v.Evidence, v.Act.Path.Location())
}

// weigh makes a witness low of a kind that is mostly ordered by something that is out of sight.
func (j *Judge) weigh(grade *Grade, c *sharing.Confidence, f *infer.Func, e sharing.Evidence, loc accesspath.Location) {
	switch {
	case *c <= sharing.Low:
	case j.outsider(f, loc):
		*grade, *c = FromOutside, sharing.Low
	case j.unshownOrder(e, loc):
		*grade, *c = Unordered, sharing.Low
		j.ordered[loc] = true
	}
}
