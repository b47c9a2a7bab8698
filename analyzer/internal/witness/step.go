package witness

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// steps returns the accesses of the package by which a second goroutine makes
// the look of a pair out of date: after "absent" an insertion, after "present"
// a removal or replacement, after a count what changes it. What happens before
// the object is shared is none.
func (j *Judge) steps(v *Verdict) []*infer.Site {
	pl := j.Place(v.Act.Path.Location())
	var out []*infer.Site
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt && !s.Acc.Joined && outdates(v, s.Acc) && !j.Pkg.Another(v.Act.Path, s.Acc.Path) {
			out = append(out, s)
		}
	}
	return out
}

// Steps returns the accesses of the package by which a second goroutine makes the look of a pair out of date.
func (j *Judge) Steps(v *Verdict) []*infer.Site { return j.steps(v) }

// outdates reports whether a step b of another goroutine can change what v
// looked at, so that its act does another thing.
func outdates(v *Verdict, b *access.Access) bool {
	if !b.Op.Writes() && b.Op != access.Atomic {
		return false
	}
	if b.Op == access.Assign && v.Unlocked() && !v.Concurrent() {
		return true // the variable itself is raced on
	}
	if otherEntry(v, b) {
		return false
	}
	switch {
	case v.Check.Op == access.NilTest:
		return reassigns(v, b)
	case v.Pair.Has(depend.Ensured), v.presenceOnly():
		return removes(b)
	case takes(v.Act) && v.Check.Op != access.Len:
		return refills(b) || (twice(v.Pair) || effectsOfPresence(v)) && removes(b)
	case v.Pair.Polarity == depend.Absent, v.Pair.Polarity == depend.Room:
		return inserts(b) && !v.replacing[b.Stands()]
	}
	return true
}

// findReplacing finds the insertions that run only where their function has found
// the entry, which is still there then: they make no absent entry present. And it finds those that run only where it
// has found none, in the same section.
func (j *Judge) findReplacing() {
	replacing, adding := make(map[token.Pos]bool), make(map[token.Pos]bool)
	for _, f := range j.Pkg.Funcs {
		for _, p := range f.Pairs {
			c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
			own := a.InnerFunc == "" && a.Op == access.Insert && !a.Spawned && !a.Resolved
			sameEntry := entryLook(c) && a.Key.Known() && a.Key == c.Key
			if !own || !p.Has(depend.Control) || !sameEntry {
				continue
			}
			switch {
			case p.Polarity == depend.Absent:
				v := j.judge(f, p)
				adding[a.Stands()] = adding[a.Stands()] || v.Reason == OneSection
			case p.Polarity == depend.Present:
				v := j.judge(f, p)
				replacing[a.Stands()] = replacing[a.Stands()] || v.Reason == OneSection || v.Reason == NoStep
			}
		}
	}
	j.replacing, j.adding = replacing, adding
}

// othersPut reports whether others put another value in than the act of a pair,
// which fills in what is missing: one that their callers give, or an update of what
// is there, or, where the act puts in what its object has in another place, or a list
// of that, one that they make. What comes in between is then overwritten by what is filled in.
func (j *Judge) othersPut(v *Verdict) bool {
	if !v.Pair.Has(depend.Walked) && (v.Pair.Polarity != depend.Absent || !entryLook(v.Check)) || given(v.Func, v.Act.Value) {
		return false
	}
	own := v.Act.Value.Root().Kind == accesspath.Param // what its object has in another place
	made := own || v.Act.Stored == access.StoredAlike && isList(v.Act)
	return slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		b := s.Acc
		puts := b.Op == access.Insert || b.Op == access.Store
		theirs := (own || s.Func.Is(role.Public)) && given(s.Func, b.Value) && b.Value != b.Key
		other := theirs || b.Stored == access.StoredDerived || made && b.Stored == access.StoredIdentity
		return puts && b.Stands() != v.Act.Stands() && other
	})
}

// goneAtSource reports whether others take out what the act of a pair reads of another map by then, and leave the act's own map
// alone: who comes second puts nothing in the place of what there was, and that stays.
func (j *Judge) goneAtSource(v *Verdict) bool {
	from := v.Act.Value
	if v.Act.Stored != access.StoredAlike || !from.IsElem() {
		return false
	}
	to := v.Act.Path.Location()
	clears := func(f *infer.Func) bool {
		return slices.ContainsFunc(f.Accesses, func(a access.Access) bool { return removes(&a) && a.Path.Location() == to })
	}
	return slices.ContainsFunc(j.Place(from.Parent().Location()).Sites, func(s infer.Site) bool {
		if s.Exempt || !removes(s.Acc) || clears(s.Func) {
			return false
		}
		calls := j.Pkg.CallersOf(s.Func)
		return len(calls) == 0 || slices.ContainsFunc(calls, func(c infer.CallSite) bool { return !clears(c.Caller) })
	})
}

// isList reports whether an access puts a list into a map.
func isList(a *access.Access) bool {
	loc := a.Path.Location()
	if !loc.Valid() {
		return false
	}
	loc.Elems++
	t, known := loc.Type()
	_, list := t.Underlying().(*types.Slice)
	return known && list
}

// given reports whether a value comes from a function's callers: what its own object has does not.
func given(f *infer.Func, value accesspath.Path) bool {
	r := value.Root()
	own := r.Index == 0 && r.Fn == f.Key && f.SSA.Signature.Recv() != nil && value.Depth() > 0
	return r.Kind == accesspath.Param && !own
}

// removedElsewhere reports whether another statement than those of a pair deletes entries of its map.
func (j *Judge) removedElsewhere(v *Verdict) bool {
	return slices.ContainsFunc(j.Place(v.Act.Path.Location()).Sites, func(s infer.Site) bool { return j.RemovedBy(v, &s) })
}

// onlyRemoved reports whether a lock that look and act hold throughout keeps all but those who delete the entry from changing it in
// between: then no update is lost, but the entry comes back, changed.
func (j *Judge) onlyRemoved(v *Verdict) bool {
	return slices.ContainsFunc(j.sections(v.Func, v.Check, v.Act), func(h locks.Held) bool {
		entry := entryOf(h.Lock)
		if h.Mode != locks.Write || entry.Known() && (ofAnother(v, entry) || !j.sameKey(v, entry)) {
			return false
		}
		removed := false
		alone := j.Pkg.OnlyCalled(v.Act.Path.Parent().LastField()) // else what has another name may be the same map
		for _, s := range j.steps(v) {
			if alone && !sameName(v.Act.Path, s.Acc.Path) || j.shutsOut(v, h, s) {
				continue
			}
			if !removes(s.Acc) || inserts(s.Acc) {
				return false
			}
			removed = removed || !j.Pkg.Rests(s.Func)
		}
		return removed
	})
}

// RemovedBy reports whether an access that is none of a pair's deletes what the pair has found, other than to
// prepare the object: not in code that nothing runs, as a method is that a type has beside those that are called.
func (j *Judge) RemovedBy(v *Verdict, s *infer.Site) bool {
	removed := !s.Exempt && !s.AtStart && removes(s.Acc) && s.Acc.Stands() != v.Act.Stands()
	return removed && !otherEntry(v, s.Acc) && !j.Pkg.Another(v.Act.Path, s.Acc.Path) && !j.Pkg.Rests(s.Func)
}

// otherEntry reports whether a step b concerns an entry that the pair, which
// concerns one entry as well, neither looks at nor changes. Where the map itself
// is raced on, any entry will do.
func otherEntry(v *Verdict, b *access.Access) bool {
	if v.Unlocked() && !v.Concurrent() || !entryLook(v.Check) || !ofEntry(v.Act) || !ofEntry(b) {
		return false
	}
	return differentKeys(v.Check.Key, b.Key) && differentKeys(v.Act.Key, b.Key)
}

// ofEntry reports whether a change concerns one entry.
func ofEntry(a *access.Access) bool {
	switch a.Op {
	case access.Insert, access.Store, access.Delete, access.Remove, access.Atomic:
		return true
	}
	return false
}

// reassigns reports whether a step b changes what the variable of the map was
// found to be: after "nil" it gives it a map, after "not nil" it takes it away.
// An act that changes an entry, not the variable, is meant for whatever map is
// there: only where none is left, it fails.
func reassigns(v *Verdict, b *access.Access) bool {
	if b.Op != access.Assign {
		return false
	}
	takesAway := b.Stored == access.StoredNone
	switch {
	case v.Act.Op != access.Assign || v.Pair.Polarity == depend.Present:
		return takesAway
	case v.Pair.Polarity == depend.Absent:
		return !takesAway
	}
	return true
}

// presenceOnly reports whether the act was decided on by the presence of an entry,
// of which nothing but its presence is known. What replaces the entry in between
// changes nothing of that: it is as if he had come before the look.
func (v *Verdict) presenceOnly() bool {
	return v.Pair.Polarity == depend.Present && entryLook(v.Check) && v.Pair.Traits&(depend.Seen|depend.Content|depend.Data) == 0
}

// twice reports whether it is bad enough that two goroutines take one entry:
// both are told so, or get the object, or put it to an end.
func twice(p summary.Pair) bool {
	return p.Has(depend.Told) || p.Has(depend.Taken) || p.Has(depend.Ends) || p.Has(depend.Spent)
}

// effectsOfPresence reports whether something else happens because the entry was
// there, before it is taken out: two that find it both do that.
func effectsOfPresence(v *Verdict) bool {
	p := v.Pair
	return p.Has(depend.Control|depend.Effects) && p.Polarity == depend.Present && entryLook(v.Check)
}

// takes reports whether an access takes entries out, one or all.
func takes(a *access.Access) bool {
	return a.Op.Deletes() || a.Op == access.Clear || a.Op == access.Assign && a.Empty
}

// inserts reports whether an access can put an entry in: another map can have it.
func inserts(a *access.Access) bool {
	switch a.Op {
	case access.Insert, access.Store:
		return true
	case access.Clear: // or it is a bulk change, which may test each entry and take it out
		return !a.Empty && !a.Validated
	case access.Assign:
		return !a.Empty && a.Stored != access.StoredNone
	case access.Atomic:
		return a.Method != "LoadAndDelete" && a.Method != "CompareAndDelete"
	}
	return false
}

// Inserts reports whether an access can put an entry in.
func Inserts(a *access.Access) bool { return inserts(a) }

// Removes reports whether an access can take an entry out.
func Removes(a *access.Access) bool { return removes(a) }

// refills reports whether an access can put an entry back under a key that was
// in use before: not under one that was not there yet, nor by giving a variable its
// first map.
func refills(a *access.Access) bool { return inserts(a) && !a.NewKey && !a.First }

// filledOnDemand reports whether some look that finds no entry under a key puts
// one in: as soon as one is gone, the next caller brings another.
func (j *Judge) filledOnDemand(v *Verdict) bool {
	return slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		return refills(s.Acc) && (s.Acc.Filled || s.Acc.Validated)
	})
}

// removes reports whether an access can take an entry out. An assignment behind
// a nil test gives the variable its first map.
func removes(a *access.Access) bool {
	switch a.Op {
	case access.Delete, access.Remove, access.Clear:
		return true
	case access.Assign:
		return !a.First
	case access.Atomic:
		return a.Method == "LoadAndDelete" || a.Method == "CompareAndDelete"
	}
	return false
}

// closed reports whether the package shows all changes of a place: no other
// package can name it, and the map itself does not leave.
func (j *Judge) closed(pl *infer.Place) bool {
	v := pl.Loc.Var
	if v == nil || v.Pkg() != j.Pkg.Types || v.Exported() {
		return false
	}
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return s.Acc.Op == access.Leak || s.Acc.Op == access.Return
	})
}
