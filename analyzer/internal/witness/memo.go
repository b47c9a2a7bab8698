package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// recomputed reports whether the act of a pair takes out an entry of a memo: all
// that the package puts in there is what a look that found nothing has computed and
// given its caller. One that came in between and goes as well is computed again at
// the next look. Where the one who takes it out is told so, or has the object for
// itself, that is another matter.
func (j *Judge) recomputed(v *Verdict) bool {
	p := v.Pair
	if !v.Act.Op.Deletes() || twice(p) || p.Has(depend.Effects) {
		return false
	}
	pl := j.Place(v.Act.Path.Location())
	some := false
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || !inserts(s.Acc) {
			continue
		}
		if !memoized(s) {
			return false
		}
		some = true
	}
	return some && j.closed(pl)
}

// memoized reports whether an insertion fills a memo.
func memoized(s *infer.Site) bool {
	return slices.ContainsFunc(s.Func.Pairs, func(q summary.Pair) bool {
		same := &s.Func.Accesses[q.Act] == s.Acc && s.Acc.InnerFunc == ""
		handed := q.Has(depend.Returned) && s.Acc.Stored == access.StoredIdentity
		return same && q.Has(depend.Control|depend.Memo) && !handed
	})
}
