package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// reserved reports whether the function has put a mark under the act's key into
// another map, in the section of its look, and other code that can put that entry in
// does the same: who finds the mark does not come to the act, and who comes when
// the mark is gone looks at a map that has the entry. The mark must stay until
// the act's section.
func (j *Judge) reserved(v *Verdict) bool {
	if !v.Act.Key.Known() || v.Act.Lifted || !entryLook(v.Check) {
		return false
	}
	for i := range v.Func.Accesses {
		mark := &v.Func.Accesses[i]
		if mark.Path == v.Act.Path || !j.reserves(v.Func, mark, v.Act) || len(j.sections(v.Func, v.Check, mark)) == 0 {
			continue
		}
		others := func(s *infer.Site) bool { return s.Acc != v.Act && !j.reservesToo(s, mark) }
		if !slices.ContainsFunc(j.steps(v), others) {
			return true
		}
	}
	return false
}

// reserves reports whether a mark, put in where it was found to be absent, stays
// under an act's key until the act's section.
func (j *Judge) reserves(f *infer.Func, mark, act *access.Access) bool {
	if mark.Op != access.Insert || mark.Key != act.Key || !mark.Path.Location().Valid() || !f.Flow.Before(mark.Point, act.Point) {
		return false
	}
	for i := range f.Accesses {
		d := &f.Accesses[i]
		ends := takes(d) && d.Path == mark.Path && f.Flow.Between(mark.Point, d.Point, act.Point)
		if ends && len(j.sections(f, d, act)) == 0 {
			return false
		}
	}
	return j.claimed(f, mark, -1)
}

// reservesToo reports whether an access that puts an entry in stands behind such
// a mark as well.
func (j *Judge) reservesToo(s *infer.Site, mark *access.Access) bool {
	for i := range s.Func.Accesses {
		m := &s.Func.Accesses[i]
		if m.Path.Location() == mark.Path.Location() && j.reserves(s.Func, m, s.Acc) {
			return true
		}
	}
	return false
}
