package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// keptApart reports whether what one activation of a function starts holds one
// lock at both visits, in its terms. A lock that the activation makes keeps only
// its own goroutines apart, and so only protects what it made, too, or got from a
// call: nothing shows that another activation gets the same. What callers gave it,
// it protects if there is no other activation meanwhile.
func (t *Theory) keptApart(a, b *Visit) bool {
	if a.Thread.Starter != b.Thread.Starter || a.Path != b.Path {
		return false
	}
	made := a.Path.Root().Kind == accesspath.Value
	return slices.ContainsFunc(a.Held, func(h locks.Held) bool {
		return (made || h.Lock.Root().Kind != accesspath.Value) && locks.Excludes([]locks.Held{h}, b.Held)
	}) || t.keptByOne(a, b)
}

// OneInStart reports whether goroutines make an access, and no two of one start do so at a time: one alone of those that a
// loop starts picks the function, or a lock keeps them apart that the only activation makes which there is at a time.
func (t *Theory) OneInStart(a *access.Access) bool {
	return len(t.byAcc[a]) > 0 && all(t.byAcc[a], func(v *Visit) bool { return v.Pick != nil && !v.Many || t.keptByOne(v, v) })
}

// keptByOne reports whether one activation at a time starts the goroutines of two visits, waits for them,
// and makes a lock that keeps them apart.
func (t *Theory) keptByOne(a, b *Visit) bool {
	if a.Thread.call == nil || b.Thread.call == nil || a.Thread.Starter != b.Thread.Starter {
		return false
	}
	return locks.Excludes(a.Thread.common(a.Held, a.Path), b.Thread.common(b.Held, b.Path)) &&
		t.endsWithin(a.Thread) && t.endsWithin(b.Thread) && t.oneActivation(a)
}

// oneActivation reports whether one thread at a time runs what starts a visit's thread, on one object:
// one that is there once, by the package or by the module; or callers, of whom neither shows that they are several with one object: the
// module shows no goroutine that comes there, or each comes with an object which it has been given alone.
func (t *Theory) oneActivation(v *Visit) bool {
	f := v.Thread.Starter
	runs := t.runs[f]
	if f.Recursive || runs.any || runs.Empty() {
		return false
	}
	if len(runs.ids) == 1 && t.Threads[runs.ids[0]].Times == One {
		return true
	}
	start := []*infer.Site{{Func: f, Acc: &access.Access{Path: v.Path, Point: v.Thread.call.Point}}}
	if t.pkg.Sole(start) {
		return true
	}
	given := v.Path.Root().Kind != accesspath.Global && !slices.ContainsFunc(runs.ids, func(id int) bool { return id > callers })
	return given && !(t.pkg.Begun(start) && t.pkg.Contended(start[0]))
}
