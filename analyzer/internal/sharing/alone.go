package sharing

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// comesThrough returns the accesses of a map of maps by which others come to the maps in it.
func comesThrough(pl *infer.Place, inner []*infer.Site) []*infer.Site {
	var out []*infer.Site
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if slices.ContainsFunc(inner, func(in *infer.Site) bool { return in.Func == s.Func && in.Acc.Path.HasPrefix(s.Acc.Path) }) {
			out = append(out, s)
		}
	}
	return out
}

// Alone says which thread has the accesses for itself: the package shows all that
// run f, none of these is there twice, and no other makes an access that suits
// meanwhile, to the place or to the maps around it.
func (j *Judge) Alone(f *infer.Func, pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool, around ...*infer.Place) (string, bool) {
	mine := standing(pl, own)
	who, ok := j.Threads.Alone(f, own, mine)
	if !ok {
		if service := j.Threads.Served(f, mine); service != nil && len(around) == 0 && !j.othersSuit(pl, service, suits) {
			who, ok = "goroutine that runs "+service.Name, true
		}
	}
	if !ok {
		return "", false
	}
	if _, _, ok := j.Rival(f, pl, own, suits); ok {
		return "", false
	}
	for _, at := range around {
		through := comesThrough(at, mine)
		if _, _, ok := j.rivalAt(f, at, through, suits); ok || len(through) == 0 {
			return "", false
		}
	}
	return "nothing but the " + who + " does this", true
}

// Single reports whether one thread alone makes the accesses of f, and not twice at one object at a time: the package shows all that
// run f, and that is one; or the module does.
func (j *Judge) Single(f *infer.Func, pl *infer.Place, own []*access.Access) bool {
	if j.Threads.Package().Sole(madeBy(f, own...)) {
		return true
	}
	_, ok := j.Threads.Alone(f, own, standing(pl, own))
	return ok && j.Threads.Of(f).Len() == 1
}

// SameThread reports whether the thread that alone makes the accesses of f is the only one that makes the access of a site, too.
func (j *Judge) SameThread(f *infer.Func, own []*access.Access, s *infer.Site) bool {
	if j.Threads.Package().Sole(append(madeBy(f, own...), s)) {
		return true
	}
	mine := j.Threads.Of(f)
	return s.Func != nil && mine.Len() == 1 && mine.Equal(j.Threads.Of(s.Func))
}

// othersSuit reports whether an access of a place suits that is made by others than the method which serves the object, and
// the goroutines that it starts.
func (j *Judge) othersSuit(pl *infer.Place, service *infer.Func, suits func(*infer.Site) bool) bool {
	return slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		if s.Exempt || s.Acc.Joined || !suits(&s) {
			return false
		}
		return s.Func == nil || j.Threads.Served(s.Func, []*infer.Site{&s}) != service && !j.Threads.Later(&s, service)
	})
}

// ByOne says which thread runs f, if the same one, or another one that is there in its stead, runs all of some functions as well
// that make accesses to a place: of these threads one alone is at the object.
func (j *Judge) ByOne(pl *infer.Place, f *infer.Func, made map[*infer.Func][]*access.Access) (who string, ok bool) {
	runs, all := j.Threads.Of(f), make(map[*access.Access]bool)
	for g, own := range made {
		sites := standing(pl, own)
		name, alone := j.Threads.Alone(g, nil, sites)
		if !alone || !j.Threads.Of(g).Leq(runs) {
			return "", false
		}
		if g == f {
			who, ok = name, true
		}
		for _, s := range sites {
			all[s.Acc] = true
		}
	}
	return who, ok && j.Threads.OneAtATime(runs, all)
}
