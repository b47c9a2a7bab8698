package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// calledAfter reports whether other packages call the function of an access each time behind a wait for the goroutines
// that come to the map: it is as if it stood behind the wait itself. All else by which they come there is called ahead of such a wait,
// or behind it as well.
func (j *Judge) calledAfter(pl *infer.Place, s *infer.Site) bool {
	anything := func(*infer.Func) bool { return true }
	if !j.Pkg.CalledBehind(s.Func, anything, anything) {
		return false // as most; the rest is more work
	}
	theory := j.Sharing.Threads
	var ended []*threads.Thread
	for i := range pl.Sites {
		b := &pl.Sites[i]
		if !collide(s, b) {
			continue
		}
		for _, v := range theory.VisitsOf(b.Acc) {
			if !theory.CalledAfter(s.Func, v.Thread) {
				return false
			}
			ended = append(ended, v.Thread)
		}
	}
	return len(ended) > 0 && !slices.ContainsFunc(pl.Sites, func(b infer.Site) bool { return collide(s, &b) && j.comesBeside(&b, ended) })
}

// collide reports whether one of two accesses of a map may change it. Who gets the map itself can.
func collide(s, b *infer.Site) bool {
	return s.Acc.Op.Writes() || b.Acc.Op.Writes() || !s.Acc.Op.Uses()
}

// comesBeside reports whether other packages can come to a map by an access that nothing keeps apart from the waits for some
// goroutines of their object: they may call its function from other goroutines, behind the waits, too.
func (j *Judge) comesBeside(b *infer.Site, ended []*threads.Thread) bool {
	theory := j.Sharing.Threads
	if b.Exempt || b.AtStart || b.Acc.Joined || b.Imported() || !theory.Open(b.Func) {
		return false
	}
	some := func(ok func(*threads.Thread) bool) bool { return slices.ContainsFunc(ended, ok) }
	if !some(func(th *threads.Thread) bool { return !theory.CalledAfter(b.Func, th) }) {
		return false
	}
	return !j.Pkg.CalledAhead(b.Func, func(later *infer.Func) bool {
		return !some(func(th *threads.Thread) bool { return !theory.WaitsFor(later, th) })
	})
}

// comesAfter reports whether that holds of some access to a place: what the goroutines do there meets it no more.
func (j *Judge) comesAfter(pl *infer.Place) bool {
	return slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return s.Func != nil && j.calledAfter(pl, &s) })
}

// calledAhead reports whether the module calls a function only at its start, and ahead of what brings into service the object that has
// the map: no other goroutine has the object before.
func (j *Judge) calledAhead(e sharing.Evidence, pl *infer.Place, f *infer.Func, own ...*access.Access) bool {
	if f == nil || j.stated(e, pl) || slices.ContainsFunc(own, func(a *access.Access) bool { return a.Spawned || !f.WorksOn(a.Path) }) {
		return false
	}
	ahead := j.Pkg.CalledAhead(f, func(later *infer.Func) bool { return j.Pkg.BringsUp(later, pl.Loc.Var) })
	return ahead && !slices.ContainsFunc(own, func(a *access.Access) bool { return j.Pkg.Late([]*infer.Site{{Func: f, Acc: a}}) })
}
