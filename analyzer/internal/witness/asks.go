package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A limit is passed by two who ask for the size at one time. What adds to the map without asking does so in any case: if it comes
// between the look and the act of the only one who asks, all is as if it had come after both.

// asksAlone says which thread alone asks for the size of a map before it adds to it, if one does.
func (j *Judge) asksAlone(v *Verdict) (string, bool) {
	pl := j.Place(v.Act.Path.Location())
	if !limits(v.Func, v.Pair) || v.Unlocked() && !v.Concurrent() || !j.closed(pl) {
		return "", false
	}
	asks := make(map[*infer.Func][]*access.Access)
	for _, f := range j.Pkg.Funcs {
		for _, p := range f.Pairs {
			c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
			if c.Op != access.Len || !inserts(a) || a.Path.Location() != pl.Loc {
				continue
			}
			if a.Spawned {
				return "", false // it asks again before that has been put in
			}
			asks[f] = append(asks[f], c, a)
		}
	}
	return j.Sharing.ByOne(pl, v.Func, asks)
}

// limits reports whether a pair asks for the size of its map, and only to decide whether an entry is put in: not under which key, nor
// with which value.
func limits(f *infer.Func, p summary.Pair) bool {
	return f.Accesses[p.Check].Op == access.Len && inserts(&f.Accesses[p.Act]) && p.Has(depend.Control) && p.Traits&(depend.Data|depend.KeyOnly) == 0
}
