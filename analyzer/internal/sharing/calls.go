package sharing

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// CallInTurn is [Judge.OneThread] for an access that a callee makes for its caller: the thread
// that runs the caller is the one that counts.
func (j *Judge) CallInTurn(pl *infer.Place, caller *infer.Func, a *access.Access) bool {
	mine, others, ok := j.sidesOfCall(pl, caller, a)
	if !ok {
		return false
	}
	pkg := j.Threads.Package()
	return pkg.Sole(append(slices.Clone(mine), others...)) ||
		len(others) > 0 && !slices.ContainsFunc(others, func(s *infer.Site) bool { return !inTurn(pkg, mine, s) })
}

// CallAtStart is [Judge.OnlyStart] for such an access.
func (j *Judge) CallAtStart(pl *infer.Place, caller *infer.Func, a *access.Access) bool {
	mine, others, ok := j.sidesOfCall(pl, caller, a)
	if !ok {
		return false
	}
	all := append(slices.Clone(mine), others...)
	changes := slices.DeleteFunc(slices.Clone(all), func(s *infer.Site) bool { return !s.Acc.Op.Writes() })
	return j.Threads.Package().OnlyStart(changes, mine, all)
}

// CallThreaded is [Judge.ThreadedAt] for such an access.
func (j *Judge) CallThreaded(pl *infer.Place, caller *infer.Func, a *access.Access) bool {
	mine, others, ok := j.sidesOfCall(pl, caller, a)
	return !ok || j.Threads.Package().Threaded(append(mine, others...))
}

// sidesOfCall returns the access as the caller's own, and those of the place that it can
// collide with, false if there may be more.
func (j *Judge) sidesOfCall(pl *infer.Place, caller *infer.Func, a *access.Access) (mine, others []*infer.Site, ok bool) {
	_, others, ok = j.sides(pl, []*access.Access{a}, func(b *infer.Site) bool { return collide(a.Op, b.Acc.Op) })
	return []*infer.Site{{Func: caller, Acc: a}}, others, ok
}
