package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// differentKeys reports whether both keys are constants that differ.
func differentKeys(a, b accesspath.Path) bool {
	return a.Root().Kind == accesspath.Const && b.Root().Kind == accesspath.Const && a != b
}

// revalidated reports whether the act depends on a second check in its own
// critical section, here or in the callee that acts.
func (j *Judge) revalidated(f *infer.Func, p summary.Pair, actLocks []lockset.Held) bool {
	a := &f.Accesses[p.Act]
	if a.Validated && a.Lifted && len(actLocks) > 0 {
		return true
	}
	for _, q := range f.Pairs {
		if q.Act != p.Act || q.Check == p.Check || p.Has(depend.Control) && !q.Has(depend.Control) {
			continue // updating what is there is no second look at the decision
		}
		c := &f.Accesses[q.Check]
		if differentKeys(c.Key, a.Key) {
			continue
		}
		if len(j.Covering(f, c, a)) > 0 || c.Op == access.Atomic {
			return true // one section, or a check-and-act in one
		}
	}
	return false
}

// owned reports whether the function itself has put the entry in, in the
// check's critical section, before it fills or deletes it: an "in progress" mark,
// a reserved place. Others find the mark.
func (j *Judge) owned(f *infer.Func, p summary.Pair) bool {
	c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
	if !a.Key.Known() || a.Key != c.Key || len(j.Guards.Plausible(f.Effective(c), c.Path)) == 0 {
		return false
	}
	for i := range f.Accesses {
		mark := &f.Accesses[i]
		reserves := mark.Op == access.Insert && mark.Stored != access.StoredDerived && i != p.Act
		sameEntry := mark.Path == a.Path && mark.Key == a.Key
		if reserves && sameEntry && f.Flow.Dominates(mark.Point, a.Point) && len(j.Covering(f, c, mark)) > 0 {
			return true
		}
	}
	return false
}
