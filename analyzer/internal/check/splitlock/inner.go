package splitlock

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// inner reports changes of an object that a map holds, when the map's lock was
// given up after the object was looked up: by then another function may have
// taken the object out of the map, and the change is lost with it. Quiet where
// nothing takes entries out, where the lock is held on, where a reference was
// counted under it, and where the object's state is asked again in the section
// of the change.
func inner(in *check.Input) []check.Finding {
	var out []check.Finding
	for _, f := range in.Pkg.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			unshared := a.Fresh || a.Once || a.Joined || a.Spawned
			elsewhere := a.Found || ledOut(in, a.Path)
			if !fills(a) || unshared || a.Alive || elsewhere {
				continue
			}
			if c := fetch(in, f, a); c != nil {
				if fd, ok := lostWith(in, f, c, a); ok {
					out = append(out, fd)
				}
			}
		}
	}
	return out
}

// ledOut reports whether the way from the entry to the container leaves the
// entry: through a pointer to something that the package gives to entries and
// does not make for them. That is still there when the entry is gone.
func ledOut(in *check.Input, p accesspath.Path) bool {
	entry := p.Entry()
	for q := p; q != entry && q.Known(); q = q.Parent() {
		field := q.LastField()
		if field == nil {
			continue
		}
		if _, pointer := types.Unalias(field.Type()).(*types.Pointer); pointer && (in.Pkg.GivenTo(field) || leadsBack(field, entry)) {
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

// fetch finds the look-up that gave the object that a changes: under a lock
// that is not held at a any more, without another one since.
func fetch(in *check.Input, f *infer.Func, a *access.Access) *access.Access {
	entry := a.Path.Entry()
	outer := entry.Parent()
	if !outer.Location().Valid() || in.Pkg.ExemptAt(f, outer) || outer == a.Path {
		return nil
	}
	var last *access.Access
	for i := range f.Accesses {
		c := &f.Accesses[i]
		if c.Path != outer || !looksUp(c) || c.Spawned || c.Fresh {
			continue
		}
		if c.Point != a.Point && !f.Flow.MayPrecede(c.Point, a.Point) {
			continue
		}
		if c.Point == a.Point {
			return nil // both in one callee, which is judged by itself
		}
		if c.Key.Known() && entry.Key().Known() && c.Key != entry.Key() {
			continue
		}
		if c.Pinned || c.Op == access.Lookup && (len(in.Guards.Plausible(f.Effective(c), outer)) == 0 || holdsOn(in, f, c, a) || coupled(f, c, a)) {
			return nil // counted, not locked at all, or still locked
		}
		last = c
	}
	if last != nil && (takesOutItself(f, last, a) || in.KeptIn(f, last, a)) {
		return nil // no other goroutine finds the object any more, or takes it out
	}
	return last
}

func looksUp(c *access.Access) bool {
	return c.Op == access.Lookup || c.Op == access.Load || c.Op == access.Atomic
}

// coupled reports whether the object's own lock is taken while the map's lock
// is still held (hand over hand): whoever takes the object out waits for it.
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
func holdsOn(in *check.Input, f *infer.Func, c, a *access.Access) bool {
	return shares(in.Guards.Plausible(f.Effective(c), c.Path), f.Effective(a))
}

// lostWith judges the change a of an entry that c looked up, by what takes
// entries out of the map.
func lostWith(in *check.Input, f *infer.Func, c, a *access.Access) (check.Finding, bool) {
	out, confidence := remover(in, c, a)
	if out == nil {
		return check.Finding{}, false
	}
	e := in.Sharing.Of(in.Place(c.Path.Location()))
	if c.Op.Concurrent() {
		e = sharing.Evidence{Confidence: sharing.High, Text: "goroutines share a concurrent map"}
	}
	cp, ap := in.Named(c), in.Named(a)
	locks := in.Guards.Plausible(f.Effective(c), c.Path)
	held := f.Effective(a)
	name, entry := in.Name(a.Path), in.Name(a.Path.Entry())
	fd := check.Finding{
		Category: Category, Pos: ap, Confidence: min(e.Confidence, confidence), Evidence: e.Text,
		Loc: a.Path.Location(), Func: f,
		Message: check.Fit(
			fmt.Sprintf("%s is %s here%s, but the lock under which %s was read at line %d has been released: %s can delete it in between", name, check.ActWord(a), check.Via(a), entry, in.Line(cp), out.Func.Name),
			fmt.Sprintf("%s is %s here after the lock of line %d has been released: %s can delete the entry in between", name, check.ActWord(a), in.Line(cp), out.Func.Name),
			fmt.Sprintf("%s is %s here after the lock of line %d has been released", name, check.ActWord(a), in.Line(cp))),
		Related: []check.Related{
			{Pos: cp, Message: check.CheckWord(c) + " here " + in.Under(locks)},
			{Pos: in.At(out.Acc), Message: check.ActWord(out.Acc) + " here, in " + out.Func.Name},
			{Pos: e.Pos, Message: e.Note},
		},
		Covers: []check.Pos{a.At(), ap},
		Trace: []check.Step{
			{Goroutine: "A", Pos: cp, Action: in.Name(c.Path) + " is " + check.CheckWord(c) + check.Via(c) + ": found", Locks: in.Locks(locks)},
			{Goroutine: "B", Pos: in.At(out.Acc), Action: "the entry of " + in.Name(out.Acc.Path) + " is " + check.ActWord(out.Acc) + ", in " + out.Func.Name, Locks: in.Locks(in.Guards.Plausible(out.Held, out.Acc.Path))},
			{Goroutine: "A", Pos: ap, Action: name + " is " + check.ActWord(a) + check.Via(a), Locks: in.Locks(held), Lost: true, Note: "in an object that the map no longer holds"},
		},
	}
	fd.Related = append(fd.Related, check.Inside(c, a)...)
	return fd, true
}

// remover finds who takes entries out, and how much that matters. It is medium
// where the entry goes because it looks empty, or is replaced, or where another
// function asks the object's state before it does the like; else whoever
// removes it most likely means to end it, changes included. So does whoever sets
// the map to nil when nothing makes it anew.
func remover(in *check.Input, c, a *access.Access) (*infer.Site, sharing.Confidence) {
	pl := in.Place(c.Path.Location())
	var best *infer.Site
	confidence := sharing.Low
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.AtStart || s.Acc.Joined || !takesOut(s) {
			continue
		}
		grade := sharing.Low
		if replaces(s) || s.Acc.Op == access.Assign && !ended(pl, s.Acc) || asksContent(s.Acc, a) || in.AskedState(a.Path.Location()) {
			grade = sharing.Medium
		}
		if best == nil || grade > confidence {
			best, confidence = s, grade
		}
	}
	return best, confidence
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
