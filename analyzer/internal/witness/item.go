package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// oneItem reports whether look and act are part of the work on one item of a work queue, by
// which the entry goes, and so is each step that could come in between: the queue is a lock
// for each key. It is none for the map as a whole.
func (j *Judge) oneItem(v *Verdict) bool {
	if v.Unlocked() && !v.Concurrent() || !entryLook(v.Check) || v.Check.Spawned || v.Act.Spawned {
		return false
	}
	queue, ok := j.Pkg.ItemOf(v.Func, v.Check.Key)
	if !ok || !j.ofQueue(v.Func, v.Act, queue) {
		return false
	}
	return !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		return s.Imported() || s.Acc.Spawned || !j.ofQueue(s.Func, s.Acc, queue)
	})
}

// ofQueue reports whether an access is to an entry that goes by an item of a queue.
func (j *Judge) ofQueue(f *infer.Func, a *access.Access, queue types.Object) bool {
	of, ok := j.Pkg.ItemOf(f, a.Key)
	return ok && of == queue
}
