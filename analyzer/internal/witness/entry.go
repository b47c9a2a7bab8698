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
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An EntryVerdict is the judgement on one change of an object that a map holds,
// when the map's lock was given up after the object was looked up: by then
// another function may have taken the object out of the map, and the change is
// lost with it.
type EntryVerdict struct {
	Func *infer.Func
	// Look is the look-up that gave the object, Act the change in it; Out is
	// what takes objects out of the map, nil if nothing does.
	Look, Act *access.Access
	Out       *infer.Site
	Judgement
}

// Entries returns the verdicts on all changes of objects that maps hold.
func (j *Judge) Entries() []EntryVerdict { return j.entries }

// judgeEntries asks the questions of each change of an object that the function
// has looked up in a map before.
func (j *Judge) judgeEntries() {
	var found []EntryVerdict
	there := make(map[token.Pos]bool) // where the function that makes the change looks up the object, too
	for _, f := range j.Pkg.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			if !fills(a) {
				continue
			}
			if c := j.lookBefore(f, a); c != nil {
				found = append(found, EntryVerdict{Func: f, Look: c, Act: a})
				there[a.At()] = there[a.At()] || !a.Lifted
			}
		}
	}
	for i := range found {
		v := &found[i]
		if v.Act.Lifted && there[v.Act.At()] {
			continue // it is judged there, and not in the callers
		}
		if v.Reason = j.entryReason(v); v.Reason == NoReason {
			j.gradeEntry(v)
		}
		j.entries = append(j.entries, *v)
	}
}

// lookBefore finds the last look-up that can have given the object that a
// changes; nil if the function makes none, or a callee makes both.
func (j *Judge) lookBefore(f *infer.Func, a *access.Access) *access.Access {
	outer := a.Path.Entry().Parent()
	if !outer.Location().Valid() || outer == a.Path {
		return nil
	}
	var last *access.Access
	for i := range f.Accesses {
		c := &f.Accesses[i]
		if c.Path != outer || !looksUp(c) || c.Spawned || c.Fresh {
			continue
		}
		if c.Point == a.Point {
			return nil // both in one callee, which is judged by itself
		}
		if f.Flow.MayPrecede(c.Point, a.Point) && sameEntry(c, a) {
			last = c
		}
	}
	return last
}

// sameEntry reports whether the object that a changes can be the one that c
// looked up.
func sameEntry(c, a *access.Access) bool {
	key := a.Path.Entry().Key()
	return !c.Key.Known() || !key.Known() || c.Key == key
}

// entryReason asks the questions of one change.
func (j *Judge) entryReason(v *EntryVerdict) Reason {
	f, c, a := v.Func, v.Look, v.Act
	outer := c.Path
	switch {
	case f.Ctx.Dead:
		return Uncalled
	case a.Fresh || j.Pkg.ExemptAt(f, outer):
		return NotPublished
	case a.Found || j.ledOut(a.Path):
		return OtherObject
	case a.Once:
		return RunsOnce
	case a.Joined:
		return AfterJoin
	case a.Spawned:
		return OwnGoroutine
	case a.Alive:
		return StillAlive
	}
	if r := j.keptUntil(v); r != NoReason {
		return r
	}
	if takesOutItself(f, c, a) {
		return OwnEntry
	}
	if v.Out, v.Grade = j.remover(c, a); v.Out == nil {
		return NoStep
	}
	return NoReason
}

// keptUntil says why the object is still in the map when it is changed: each
// look-up that can have given it was counted, or is covered by a lock.
func (j *Judge) keptUntil(v *EntryVerdict) Reason {
	f, a, outer := v.Func, v.Act, v.Look.Path
	for i := range f.Accesses {
		c := &f.Accesses[i]
		look := c.Path == outer && looksUp(c) && !c.Spawned && !c.Fresh
		if !look || !f.Flow.MayPrecede(c.Point, a.Point) || !sameEntry(c, a) {
			continue
		}
		switch {
		case c.Pinned:
			return Counted
		case c.Op != access.Lookup:
			// a concurrent map has no lock
		case len(j.Guards.Plausible(f.Effective(c), outer)) == 0:
			return NotLocked
		case j.holdsOn(f, c, a) || coupled(f, c, a):
			return OneSection
		}
	}
	if j.KeptIn(f, v.Look, a) {
		return OneSection
	}
	return NoReason
}

// Unbroken reports whether one lock is held from the look that gave an object until it is changed.
func (j *Judge) Unbroken(f *infer.Func, look, act *access.Access) bool {
	return shares(f.Effective(look), f.Effective(act))
}

// gradeEntry decides on the confidence of a witness.
func (j *Judge) gradeEntry(v *EntryVerdict) {
	v.Evidence = j.Sharing.Of(j.Place(v.Look.Path.Location()))
	if v.Look.Op.Concurrent() {
		v.Evidence = sharing.Evidence{Confidence: sharing.High, Text: "a concurrent map is made for sharing"}
	}
	v.Grade = v.Grade.in(v.Func)
	v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
}

// ledOut reports whether the way from the entry to the container leaves the
// entry: through a pointer to something that the package gives to entries and
// does not make for them. That is still there when the entry is gone.
func (j *Judge) ledOut(p accesspath.Path) bool {
	entry := p.Entry()
	for q := p; q != entry && q.Known(); q = q.Parent() {
		field := q.LastField()
		if field == nil {
			continue
		}
		if _, pointer := types.Unalias(field.Type()).(*types.Pointer); pointer && (j.Pkg.GivenTo(field) || leadsBack(field, entry)) {
			return true
		}
	}
	return false
}

// leadsBack reports whether a field points to an object of a type that has the
// entry's map: most likely the one that the entry belongs to.
func leadsBack(field *types.Var, entry accesspath.Path) bool {
	owner, ok := ssautil.Pointee(field.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range owner.Fields() {
		if v.Origin() == entry.Location().Var {
			return true
		}
	}
	return false
}

// fills reports whether an access adds to a container.
func fills(a *access.Access) bool {
	switch a.Op {
	case access.Insert, access.Store, access.Clear, access.Grow:
		return true
	}
	return false
}

func looksUp(c *access.Access) bool {
	return c.Op == access.Lookup || c.Op == access.Load || c.Op == access.Atomic
}

// coupled reports whether the object's own lock is taken while the map's lock
// is still held (hand over hand): the one that takes the object out waits.
func coupled(f *infer.Func, c, a *access.Access) bool {
	outer, own := f.Effective(c), f.Effective(a)
	for _, s := range f.Locking {
		if s.Acquire && holdsOne(own, locks.Held{Lock: s.Lock, Sec: s.Sec}) && shares(outer, f.EffectiveState(s.Held)) {
			return true
		}
	}
	return false
}

// holdsOne reports whether one of the sections held is h's.
func holdsOne(held []locks.Held, h locks.Held) bool {
	return slices.ContainsFunc(held, func(o locks.Held) bool { return o.Lock == h.Lock && o.Sec == h.Sec })
}

// shares reports whether one critical section is in both.
func shares(x, y []locks.Held) bool {
	return slices.ContainsFunc(x, func(h locks.Held) bool { return holdsOne(y, h) })
}

// takesOutItself reports whether the function deletes the entry between the
// look-up and the change, on every path to the change.
func takesOutItself(f *infer.Func, c, a *access.Access) bool {
	for i := range f.Accesses {
		d := &f.Accesses[i]
		takes := d.Op.Deletes() || d.Op == access.Assign || d.Op == access.Clear
		if takes && d.Path == c.Path && f.Flow.MayPrecede(c.Point, d.Point) && f.Flow.Dominates(d.Point, a.Point) {
			return true
		}
	}
	return false
}

// holdsOn reports whether a lock of the outer map is held from c to a.
func (j *Judge) holdsOn(f *infer.Func, c, a *access.Access) bool {
	return shares(j.Guards.Plausible(f.Effective(c), c.Path), f.Effective(a))
}

// remover finds who takes entries out, and how much that matters. It is medium
// where the entry goes because it looks empty, or is replaced, or where another
// function asks the object's state before it does the like; else what
// removes it most likely means to end it, changes included: the outcome is that
// of a change that comes before the removal.
func (j *Judge) remover(c, a *access.Access) (*infer.Site, Grade) {
	pl := j.Place(c.Path.Location())
	var best *infer.Site
	grade := EndsWithIt
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.AtStart || s.Acc.Joined || !takesOut(s) {
			continue
		}
		g := EndsWithIt
		if replaces(s) || takesAll(pl, s) || asksContent(s.Acc, a) || j.AskedState(a.Path.Location()) {
			g = LostWithEntry
		}
		if best == nil || g.Confidence() > grade.Confidence() {
			best, grade = s, g
		}
	}
	return best, grade
}

// takesAll reports whether an assignment of the map comes with a reading of what
// is in it, to write it out or to make the new map of it: a change that an object gets
// later is lost. A map that begins empty, unread, purges all entries; a change that
// overlaps with that is as good as one before it.
func takesAll(pl *infer.Place, s *infer.Site) bool {
	return s.Acc.Op == access.Assign && !ended(pl, s.Acc) && slices.ContainsFunc(s.Func.Accesses, func(a access.Access) bool {
		return a.Path == s.Acc.Path && (a.Op == access.Range || a.Op == access.Visit || !a.Op.Uses())
	})
}

// ended reports whether the assignment puts an end to the map for good: to nil,
// and no other one gives it a map again while the object is in use.
func ended(pl *infer.Place, assign *access.Access) bool {
	return assign.Stored == access.StoredNone && !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return s.Acc.Op == access.Assign && s.Acc.Stored != access.StoredNone && !s.Exempt && !s.AtStart
	})
}

func takesOut(s *infer.Site) bool {
	switch s.Acc.Op {
	case access.Delete, access.Remove, access.Clear:
		return true
	case access.Assign:
		return !s.Acc.First
	}
	return s.Acc.Method == "CompareAndDelete" || s.Acc.Method == "LoadAndDelete" || replaces(s)
}

// replaces reports whether an access puts another object in the place of the
// one that was there, made from it: what comes into the old one later is lost.
func replaces(s *infer.Site) bool {
	if s.Acc.Op != access.Insert || s.Acc.Stored != access.StoredIdentity && s.Acc.Stored != access.StoredDerived {
		return false
	}
	return slices.ContainsFunc(s.Func.Pairs, func(p summary.Pair) bool {
		made := p.Has(depend.Data|depend.Content) && p.Polarity != depend.Absent && !p.Has(depend.Same)
		return made && &s.Func.Accesses[p.Act] == s.Acc && looksUp(&s.Func.Accesses[p.Check])
	})
}

// asksContent reports whether the length of the container that a changes
// decides on a removal: what has become empty goes.
func asksContent(remove, a *access.Access) bool {
	return slices.Contains(remove.Counted, a.Path.Location())
}
