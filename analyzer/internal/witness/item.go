package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// oneItem reports whether look and act are part of the work on one item of a work queue, by
// which the entry goes, and so is each step that could come in between: the queue is a lock
// for each key. It is none for the map as a whole.
func (j *Judge) oneItem(v *Verdict) bool {
	return j.keyed(v, func(f *infer.Func, a *access.Access) (any, bool) { return j.Pkg.ItemOf(f, a.Key) })
}

// ownKey reports whether look and act, and each step that could come in between, are to an entry that goes by the object
// or the number which the goroutine that takes the step has to itself.
func (j *Judge) ownKey(v *Verdict) bool {
	named := v.Act.Path.Location().Var
	if j.changedOnce(v.Act.Path.Location()) {
		return false
	}
	return (v.Concurrent() || named == nil || !named.IsField() || j.Pkg.OwnMap(named)) && j.keyed(v, j.Pkg.OwnerOf)
}

// An ofKey returns what gives the key of an access to one goroutine at a time.
type ofKey func(*infer.Func, *access.Access) (any, bool)

func (j *Judge) keyed(v *Verdict, of ofKey) bool {
	if v.Unlocked() && !v.Concurrent() || !entryLook(v.Check) || v.Check.Spawned || v.Act.Spawned {
		return false
	}
	queue, ok := of(v.Func, v.Check)
	if !ok || !of.gives(v.Func, v.Act, queue) {
		return false
	}
	return !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		return s.Imported() || s.Acc.Spawned || !of.gives(s.Func, s.Acc, queue)
	})
}

// gives reports whether an access is to an entry that goes by what a queue gives.
func (of ofKey) gives(f *infer.Func, a *access.Access, queue any) bool {
	got, ok := of(f, a)
	return ok && got == queue
}
