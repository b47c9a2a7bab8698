package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// sameVersion reports whether the act is made only where a counter has, in its section, the value that it had at the look,
// and each change of the map that could matter counts it up, in one section of a lock that keeps it out of the act's. Then
// no such change has come in between, neither another function's nor one that this function makes in another goroutine.
func (j *Judge) sameVersion(v *Verdict) bool {
	if len(v.CheckLocks) == 0 || len(v.ActLocks) == 0 || !j.closed(j.Place(v.Act.Path.Location())) {
		return false
	}
	for _, ver := range v.Func.Versions {
		if ver.Check == v.Pair.Check && ver.Act == v.Pair.Act && j.goesUp(v, ver.Counter) && j.allCount(v, ver.Counter) {
			return true
		}
	}
	return false
}

// goesUp reports whether a counter never comes back to a value that it had, and whether it is one for the whole map, or that
// of the entry that a pair is about.
func (j *Judge) goesUp(v *Verdict, counter accesspath.Path) bool {
	if !counter.IsElem() {
		return j.Pkg.OnlyCounted(counter)
	}
	board := j.Place(counter.Parent().Location())
	if counter.Key() != v.Act.Key || v.Check.Key != v.Act.Key || !j.closed(board) {
		return false
	}
	return !slices.ContainsFunc(board.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op.Writes() && !s.Acc.Increments
	})
}

// allCount reports whether each step that could matter to a pair counts a counter up, and is kept out of the act's section.
func (j *Judge) allCount(v *Verdict, counter accesspath.Path) bool {
	same := func(a *access.Access, c accesspath.Path) bool { return sameCounter(a, c, v.Act, counter) }
	return !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		kept := slices.ContainsFunc(v.ActLocks, func(h locks.Held) bool { return excludes(h, s.Held) })
		return !kept || s.Func == nil || !j.Pkg.Counts(s.Func, s.Acc, same)
	})
}

// sameCounter reports whether a counter c is to the map of a what another one is to the map of b: the same field of the
// object that has both, or the entry under the same key.
func sameCounter(a *access.Access, c accesspath.Path, b *access.Access, counter accesspath.Path) bool {
	if c.IsElem() != counter.IsElem() {
		return false
	}
	if c.IsElem() {
		if !a.Key.Known() || c.Key() != a.Key {
			return false
		}
		c, counter = c.Parent(), counter.Parent()
	}
	if c.Depth() == 0 || counter.Depth() == 0 {
		return c == counter // package-level variables
	}
	return c.LastField() != nil && c.LastField() == counter.LastField() && a.Path.Mirrors(b.Path, c.Parent(), counter.Parent())
}
