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
	return ok && j.allInTurn(mine, others)
}

// CallAtStart is [Judge.OnlyStart] for such an access.
func (j *Judge) CallAtStart(pl *infer.Place, caller *infer.Func, a *access.Access) bool {
	mine, others, ok := j.sidesOfCall(pl, caller, a)
	return ok && j.onlyStart(mine, others)
}

// CallThreaded is [Judge.ThreadedAt] for such an access.
func (j *Judge) CallThreaded(pl *infer.Place, caller *infer.Func, a *access.Access) bool {
	mine, others, ok := j.sidesOfCall(pl, caller, a)
	return !ok || j.Threads.Package().Threaded(slices.Concat(mine, others))
}

// Enclosed reports whether the module comes to a function only with some lock held for writing, where it
// makes accesses without one that would do: it sees to the order by itself. What goroutines show to meet is not
// left to it, nor is what a statement calls safe, but for an application, which has no other callers.
func (j *Judge) Enclosed(e Evidence, f *infer.Func, own ...*access.Access) bool {
	pkg := j.Threads.Package()
	return (!e.Claimed || pkg.Application()) && !e.Threads() && f != nil && pkg.Enclosed(madeBy(f, own...))
}

// Requested reports whether the module shows that a server's requests make an access of a function,
// and that the map changes once the program has started: requests come at any time, and nothing
// but a lock orders them.
func (j *Judge) Requested(pl *infer.Place, f *infer.Func, a *access.Access) bool {
	pkg := j.Threads.Package()
	j.asked = j.asked || !pkg.Known()
	mine, others, ok := j.sidesOfCall(pl, f, a)
	if !ok || !pkg.Requested(mine[0]) {
		return false
	}
	changes := slices.DeleteFunc(others, func(s *infer.Site) bool { return !s.Acc.Op.Writes() })
	return a.Op.Writes() || pkg.ShownLate(pkg.ShownPublic(changes))
}

// sidesOfCall returns the access as the caller's own, and those of the place that it can
// collide with, false if there may be more.
func (j *Judge) sidesOfCall(pl *infer.Place, caller *infer.Func, a *access.Access) (mine, others []*infer.Site, ok bool) {
	_, others, ok = j.sides(pl, []*access.Access{a}, func(b *infer.Site) bool { return collide(a.Op, b.Acc.Op) })
	return madeBy(caller, a), others, ok
}
