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
func (j *Judge) reserved(v *Verdict) bool { return j.reservedFrom(v, j.steps(v)) }

// reservedButWhole reports whether the act's entry is reserved from all steps but those that give the map other contents as a
// whole. Where these are made without a look at what the map held, its entries can be done without, and are made anew on demand.
func (j *Judge) reservedButWhole(v *Verdict) bool {
	steps := j.steps(v)
	rest := slices.DeleteFunc(slices.Clone(steps), replacesBlindly)
	return len(rest) < len(steps) && j.reservedFrom(v, rest)
}

// replacesBlindly reports whether an access gives a map other contents as a whole, and its function does nothing else with
// the map: it ends no entry, say, and does not go by one.
func replacesBlindly(s *infer.Site) bool {
	a := s.Acc
	if a.Op != access.Assign || a.Stored == access.StoredDerived || s.Func == nil {
		return false
	}
	return !slices.ContainsFunc(s.Func.Accesses, func(x access.Access) bool {
		return x.Op != access.Assign && x.Path.Location() == a.Path.Location()
	})
}

// reservedFrom is reserved for some of the steps that matter to a pair.
func (j *Judge) reservedFrom(v *Verdict, steps []*infer.Site) bool {
	if !v.Act.Key.Known() || !entryLook(v.Check) || !j.lasts(v.Act.Key) {
		return false
	}
	for i := range v.Func.Accesses {
		mark := &v.Func.Accesses[i]
		if mark.Path == v.Act.Path || !j.reserves(v.Func, mark, v.Act) || j.dropsAll(mark) {
			continue
		}
		if !j.common(mark.Path, v.Act.Path) || !j.marksLook(v, mark) {
			continue
		}
		others := func(s *infer.Site) bool { return s.Acc != v.Act && !j.reservesToo(s, mark) }
		if !slices.ContainsFunc(steps, others) {
			return true
		}
	}
	return false
}

// marksLook reports whether a mark is put in before the look of a pair, or in its section; or in that of a later look at the
// same entry, without which there is no act: that one renews the first.
func (j *Judge) marksLook(v *Verdict, mark *access.Access) bool {
	if len(j.sections(v.Func, v.Check, mark)) > 0 || v.Func.Flow.Before(mark.Point, v.Check.Point) {
		return true
	}
	return v.Pair.Polarity == depend.Absent && slices.ContainsFunc(v.Func.Pairs, func(q summary.Pair) bool {
		c := &v.Func.Accesses[q.Check]
		again := q.Act == v.Pair.Act && q.Polarity == depend.Absent && q.Has(depend.Control) && entryLook(c)
		same := c.Path == v.Check.Path && c.Key.Known() && c.Key == v.Check.Key
		return again && same && len(j.sections(v.Func, c, mark)) > 0
	})
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
		if takes(d) && d.Path == mark.Path && mayEnd(f, mark, d, act) && len(j.sections(f, d, act)) == 0 {
			return false
		}
	}
	if mark.Lifted || mark.Op == access.Atomic {
		return admits(f, mark, act) || j.under(f, mark, act)
	}
	return j.claimed(f, mark, -1)
}

// mayEnd reports whether a step that takes a mark out may come between that and an act: what one call does, it does in an order
// of its own, and a goroutine that the function starts runs beside it.
func mayEnd(f *infer.Func, mark, d, act *access.Access) bool {
	return act.Spawned || d.Point == act.Point || f.Flow.Between(mark.Point, d.Point, act.Point)
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
			return h.Lock.IsElem() && h.Lock.Parent() == mark.Path && h.Lock.Key() == mark.Key && j.Pkg.IsMark(h.Lock)
		})
	}
	return has(act) || slices.ContainsFunc(f.Accesses, func(d access.Access) bool {
		ends := takes(&d) && d.Path == mark.Path && d.Key == mark.Key && has(&d)
		before := d.Point == act.Point || f.Flow.Before(d.Point, act.Point) // one call may do both, in either order
		return ends && before && len(j.sections(f, &d, act)) > 0
	})
}

// deferredBefore reports whether one access is deferred, and that on each way to the other one.
func deferredBefore(f *infer.Func, d, act *access.Access) bool {
	at := d.Point
	at.Deferred = false
	return d.Point.Deferred && f.Flow.Before(at, act.Point)
}

// reservesToo reports whether an access that puts an entry in stands behind such
// a mark as well: its function has put that in, or each one that calls it, if the package shows them all.
func (j *Judge) reservesToo(s *infer.Site, mark *access.Access) bool {
	return j.marked(s.Func, s.Acc, mark) || s.Func != nil && j.callersMark(s.Func, s.Acc, mark, nil)
}

// marked reports whether a function puts a mark as another one into the same map, and that stays until an access.
func (j *Judge) marked(f *infer.Func, a, mark *access.Access) bool {
	if f == nil {
		return false
	}
	for i := range f.Accesses {
		if m := &f.Accesses[i]; m.Path.Location() == mark.Path.Location() && j.reserves(f, m, a) {
			return true
		}
	}
	return false
}

// callersMark reports whether each call of a function stands behind such a mark for what an access of it does, or else each
// call of its caller; within are the functions that are called on the way.
func (j *Judge) callersMark(f *infer.Func, a, mark *access.Access, within []*infer.Func) bool {
	calls := j.Pkg.CallersOf(f)
	if f.Ctx.Open() || f.Ctx.Escaped || len(calls) == 0 || slices.Contains(within, f) {
		return false
	}
	within = append(slices.Clone(within), f)
	return !slices.ContainsFunc(calls, func(c infer.CallSite) bool {
		seen := false
		for i := range c.Caller.Accesses {
			x := &c.Caller.Accesses[i]
			if !x.Lifted || x.Point != c.Call.Point || x.At() != a.At() {
				continue
			}
			if seen = true; !j.marked(c.Caller, x, mark) && !j.callersMark(c.Caller, x, mark, within) {
				return true
			}
		}
		return !seen
	})
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
