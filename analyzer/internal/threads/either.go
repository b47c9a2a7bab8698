package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

// OneAtATime reports whether no two of some threads make some of these accesses at one time, as where branches of one function that
// exclude each other start them; nor two of one, each for an object of its own.
func (t *Theory) OneAtATime(runs Set, made map[*access.Access]bool) bool {
	if runs.any || runs.Has(mainThread) && !runs.Only(mainThread) {
		return false
	}
	var visits []*Visit
	for _, v := range t.Visits {
		if made[v.Access] && runs.Has(v.Thread.index) {
			if !t.onlyOne(v) {
				return false
			}
			visits = append(visits, v)
		}
	}
	return !slices.ContainsFunc(visits, func(a *Visit) bool {
		return slices.ContainsFunc(visits, func(b *Visit) bool { return a.Thread != b.Thread && t.Parallel(a, b) })
	})
}
