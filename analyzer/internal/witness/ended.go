package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// calledAfter reports whether other packages call the function of an access each time behind a wait for the goroutines
// that come to the map: it is as if it stood behind the wait itself.
func (j *Judge) calledAfter(pl *infer.Place, s *infer.Site) bool {
	anything := func(*infer.Func) bool { return true }
	if !j.Pkg.CalledBehind(s.Func, anything, anything) {
		return false // as most; the rest is more work
	}
	threads, some := j.Sharing.Threads, false
	for i := range pl.Sites {
		b := &pl.Sites[i]
		if !b.Acc.Op.Writes() && !s.Acc.Op.Writes() {
			continue
		}
		for _, v := range threads.VisitsOf(b.Acc) {
			if !threads.CalledAfter(s.Func, v.Thread) {
				return false
			}
			some = true
		}
	}
	return some
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
