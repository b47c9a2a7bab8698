package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// reserved reports whether the function has put a mark under the act's key into
// another map, in the section of its look or before, and other code that can put that entry in
// does the same: who finds the mark does not come to the act, and who comes when
// the mark is gone looks at a map that has the entry. The mark must stay until
// the act's section.
func (j *Judge) reserved(v *Verdict) bool {
	if !v.Act.Key.Known() || v.Act.Lifted || !entryLook(v.Check) || !j.lasts(v.Act.Key) {
		return false
	}
	for i := range v.Func.Accesses {
		mark := &v.Func.Accesses[i]
		if mark.Path == v.Act.Path || !j.reserves(v.Func, mark, v.Act) || j.dropsAll(mark) {
			continue
		}
		if !j.common(mark.Path, v.Act.Path) {
			continue
		}
		if len(j.sections(v.Func, v.Check, mark)) == 0 && !v.Func.Flow.Before(mark.Point, v.Check.Point) {
			continue
		}
		others := func(s *infer.Site) bool { return s.Acc != v.Act && !j.reservesToo(s, mark) }
		if !slices.ContainsFunc(j.steps(v), others) {
			return true
		}
	}
	return false
}

// common reports whether all who come to a map ask the same marks: these are of the package, or the map's object leads to
// them, or they are for it; else each who comes there may have its own.
func (j *Judge) common(marks, path accesspath.Path) bool {
	return marks.Root().Kind == accesspath.Global || path.Base().Known() && marks.HasPrefix(path.Base()) || j.forObject(marks, path)
}

// dropsAll reports whether something takes out all the marks of a map, whose ever they are: it empties the map,
// replaces it, or walks over it.
func (j *Judge) dropsAll(mark *access.Access) bool {
	pl := j.Place(mark.Path.Location())
	return pl != nil && slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		if s.Exempt || s.AtStart {
			return false
		}
		return s.Acc.Op == access.Clear || s.Acc.Op == access.Assign && !s.Acc.First || s.Acc.Op.Deletes() && walked(&s)
	})
}

// walked reports whether an access is to each entry that a walk over its map has come to.
func walked(s *infer.Site) bool {
	return s.Func != nil && slices.ContainsFunc(s.Func.Pairs, func(q summary.Pair) bool {
		c := &s.Func.Accesses[q.Check]
		return &s.Func.Accesses[q.Act] == s.Acc && iterates(c) && c.Path == s.Acc.Path && !c.Key.Known()
	})
}

// reserves reports whether a mark, put in where it was found to be absent, stays
// under an act's key until the act's section.
func (j *Judge) reserves(f *infer.Func, mark, act *access.Access) bool {
	puts := mark.Op == access.Insert || mark.Op == access.Atomic && mark.Method == "LoadOrStore"
	if !puts || mark.Key != act.Key || !mark.Path.Location().Valid() || !f.Flow.Before(mark.Point, act.Point) {
		return false
	}
	for i := range f.Accesses {
		d := &f.Accesses[i]
		ends := takes(d) && d.Path == mark.Path && f.Flow.Between(mark.Point, d.Point, act.Point)
		if ends && len(j.sections(f, d, act)) == 0 {
			return false
		}
	}
	if mark.Lifted || mark.Op == access.Atomic {
		return admits(f, mark, act) || j.under(f, mark, act)
	}
	return j.claimed(f, mark, -1)
}

// admits reports whether a function comes to an act only where a step that puts a mark in has found none, which that one
// tells: the act depends on it, or what takes the mark away again, and is deferred before the act.
func admits(f *infer.Func, mark, act *access.Access) bool {
	return slices.ContainsFunc(f.Pairs, func(q summary.Pair) bool {
		c, d := &f.Accesses[q.Check], &f.Accesses[q.Act]
		asks := c == mark || c.Lifted && c.Path == mark.Path && c.Point == mark.Point && entryLook(c)
		if !asks || !q.Has(depend.Control) || q.Polarity != depend.Absent {
			return false
		}
		return d == act || takes(d) && d.Path == mark.Path && deferredBefore(f, d, act)
	})
}

// under reports whether an act is made with a mark as a lock, or behind what takes the mark away in the act's section and has
// it until then: no one else has set the mark by then, whatever the step that sets it tells of that.
func (j *Judge) under(f *infer.Func, mark, act *access.Access) bool {
	has := func(a *access.Access) bool {
		return slices.ContainsFunc(a.Held.Held(), func(h locks.Held) bool {
			return h.Lock.IsElem() && h.Lock.Parent() == mark.Path && h.Lock.Key() == mark.Key
		})
	}
	return has(act) || slices.ContainsFunc(f.Accesses, func(d access.Access) bool {
		ends := takes(&d) && d.Path == mark.Path && d.Key == mark.Key && has(&d)
		return ends && f.Flow.Before(d.Point, act.Point) && len(j.sections(f, &d, act)) > 0
	})
}

// deferredBefore reports whether one access is deferred, and that on each way to the other one.
func deferredBefore(f *infer.Func, d, act *access.Access) bool {
	at := d.Point
	at.Deferred = false
	return d.Point.Deferred && f.Flow.Before(at, act.Point)
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

// claimedEntry reports whether the act takes out the entry that was found, and its goroutine has claimed a flag of that
// entry for good: who else finds the same one does not come to the act, and as long as nothing else takes it
// out, no other entry is there in its stead, since an entry is only put in where there is none.
func (j *Judge) claimedEntry(v *Verdict) bool {
	flag, pl := v.Act.Singled, j.Place(v.Act.Path.Location())
	if !entryLook(v.Check) || !v.Act.Op.Deletes() || v.Pair.Polarity != depend.Present || !flag.Known() || !j.closed(pl) {
		return false
	}
	if entry := flag.Parent(); entry.Parent() != v.Check.Path || entry.Location().Elems == 0 {
		return false
	}
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		takesOut := removes(s.Acc) && s.Acc.Singled.Location() != flag.Location()
		return !s.Exempt && (takesOut || refills(s.Acc) && !s.Acc.Validated)
	})
}
