package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// givesUpClaim reports whether the entry is a claim that this function gives up: who finds one
// is refused, and it is taken out here alone. Who has claimed it is there for it, and
// what was found is there until the act.
func (j *Judge) givesUpClaim(v *Verdict) bool {
	pl := j.Place(v.Act.Path.Location())
	ends := v.Pair.Has(depend.Ends) || j.closes(v.Func)
	oneEntry := v.looksUp() && v.Check.Key.Known() && v.Check.Key == v.Act.Key
	if ends || !oneEntry || !j.closed(pl) {
		return false
	}
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && !s.Acc.Lifted && (inserts(s.Acc) && !claims(&s) || removes(s.Acc) && s.Func != v.Func)
	})
}

// closes reports whether a function calls one that ends its receiver: who ends what it has
// found may not be the only one to do so.
func (j *Judge) closes(f *infer.Func) bool {
	return slices.ContainsFunc(f.Calls, func(c summary.Call) bool {
		g := j.Pkg.Lookup(c.Callee)
		if g == nil || !g.Is(role.Closer) {
			return false
		}
		results := g.SSA.Signature.Results() // else it asks for something
		return results.Len() == 0 || results.Len() == 1 && ssautil.IsError(results.At(0).Type())
	})
}

// claims reports whether an entry is put in only where there is none, in one section, and
// those who find one are told no more than that.
func claims(s *infer.Site) bool {
	return slices.ContainsFunc(s.Func.Pairs, func(q summary.Pair) bool {
		c := &s.Func.Accesses[q.Check]
		looks := c.Op == access.Lookup && c.Key.Known() && c.Key == s.Acc.Key && q.Polarity == depend.Absent
		return looks && &s.Func.Accesses[q.Act] == s.Acc && locks.SameSections(c.Held, s.Acc.Held) && q.Has(depend.Told) && !q.Has(depend.Returned)
	})
}
