package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// sections returns the locks that can protect the map and that both accesses
// hold without a break.
func (j *Judge) sections(f *infer.Func, c, a *access.Access) []locks.Held {
	var out []locks.Held
	if c.Spawned != a.Spawned {
		return nil // another goroutine has no section of this one
	}
	hc := f.Effective(c)
	for _, x := range f.Effective(a) {
		if !j.Guards.Protects(x, a.Path) {
			continue
		}
		for _, y := range hc {
			if x.Lock == y.Lock && x.Sec.Same(y.Sec) {
				x.Mode = min(x.Mode, y.Mode)
				out = append(out, x)
			}
		}
	}
	return out
}

// covering returns the locks that look and act hold without a break and that
// keep out every step of another goroutine that would matter. The map's guard
// does, in any mode: a write under its read lock is a finding of its own. Any
// other lock does as far as those who take such a step hold it too, one of the
// two sides for writing.
func (j *Judge) covering(v *Verdict) []locks.Held {
	held := j.sections(v.Func, v.Check, v.Act)
	return slices.DeleteFunc(held, func(h locks.Held) bool { return !j.keepsOut(v, h) })
}

func (j *Judge) keepsOut(v *Verdict, h locks.Held) bool {
	lock := h.Lock.Location().Var
	g := j.Guards.Of(v.Act.Path.Location())
	if lock == nil || g != nil && g.Lock == lock {
		return true
	}
	if j.Pkg.IsMark(h.Lock) {
		return j.claimedByAll(v, h.Lock)
	}
	if entry := entryOf(h.Lock); entry.Known() && !v.Act.Path.HasPrefix(entry) {
		shuts := h.Mode == locks.Write || !outdates(v, v.Act) // else another goroutine comes here the same way
		return shuts && !ofAnother(v, entry) && j.sameKey(v, entry) && j.takenByAll(v, h)
	}
	if !lock.IsField() || !j.Guards.Near(lock, v.Act.Path.Location().Var) {
		return true // the lock of what holds the object keeps the object to itself
	}
	if !v.Concurrent() && !j.holdGuard(v, g) {
		return true // there is no other lock that could be the map's
	}
	if h.Mode == locks.Read && outdates(v, v.Act) {
		return false // another goroutine comes here the same way
	}
	for _, s := range j.steps(v) {
		if s.AtStart || s.Func.Is(role.CallerLocks) || !s.Func.Ctx.Open() || s.Func.IsLiteral() {
			continue
		}
		if !excludes(h, s.Held) {
			return false
		}
	}
	return true
}

// entryOf returns the entry that is a lock, or has it; unknown if none does.
func entryOf(lock accesspath.Path) accesspath.Path {
	for p := lock; p.Known() && p.Depth() > 0; p = p.Parent() {
		if p.IsElem() {
			return p
		}
	}
	return accesspath.Path{}
}

// ofAnother reports whether the lock of an entry is that of another object than the map's: its function gets two of one type.
func ofAnother(v *Verdict, lock accesspath.Path) bool {
	r, own := lock.Root(), v.Act.Path.Root()
	params := v.Func.SSA.Params
	if r == own || r.Kind != accesspath.Param || own.Kind != accesspath.Param || r.Fn != v.Func.Key || own.Fn != v.Func.Key {
		return false
	}
	if r.Index >= len(params) || own.Index >= len(params) {
		return false
	}
	return types.Identical(ssautil.Pointee(params[r.Index].Type()), ssautil.Pointee(params[own.Index].Type()))
}

// sameKey reports whether all goroutines that look at the entry of a pair, or
// change it, hold one lock, of those that there is for each key: what the lock's key
// is computed from is what the entry's key is, or leads to the map. A look at the
// length, say, needs more than the lock of one key. Where the keys do not show what
// they are computed from, they are taken to agree.
func (j *Judge) sameKey(v *Verdict, lock accesspath.Path) bool {
	from, ok := j.Pkg.Paths.Sources(lock.Key())
	if !ok || len(from) == 0 {
		return true
	}
	return entryLook(v.Check) && j.keyedAlike(from, lock, v.Act)
}

// keyedAlike reports whether what the key of a lock is computed from is what the entry's key of an access is, or leads to its map.
func (j *Judge) keyedAlike(from []accesspath.Path, lock accesspath.Path, a *access.Access) bool {
	to, ok := j.Pkg.Paths.Sources(a.Key)
	if !ok {
		return true
	}
	for p := a.Path; p.Known(); p = p.Parent() {
		if p.IsElem() {
			more, ok := j.Pkg.Paths.Sources(p.Key())
			if !ok {
				return true
			}
			to = append(to, more...)
		}
	}
	for _, x := range from {
		related := func(y accesspath.Path) bool { return x.HasPrefix(y) || y.HasPrefix(x) }
		leads := a.Path.HasPrefix(x) || lock.HasPrefix(x) // who takes this lock has the same there
		if !leads && !slices.ContainsFunc(to, related) {
			return false
		}
	}
	return true
}

// takenByAll reports whether all who make the look of a pair out of date hold a lock that there is for each key, where the map and that of
// the locks are of one type: its methods take a lock of their own, so that others who do not hold the key's are in plain sight, if the
// package does nothing else with the map.
func (j *Judge) takenByAll(v *Verdict, h locks.Held) bool {
	if !h.Lock.Neighbours(v.Act.Path) {
		return true
	}
	return j.Pkg.OnlyCalled(v.Act.Path.Parent().LastField()) && !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		return !s.AtStart && sameName(v.Act.Path, s.Acc.Path) && !j.shutsOut(v, h, s)
	})
}

// shutsOut reports whether one of the locks that are held at a step keeps it from those who hold h: of locks that there is one for each
// key, that of the step's own key does, as h is that of the pair's.
func (j *Judge) shutsOut(v *Verdict, h locks.Held, s *infer.Site) bool {
	own := entryOf(h.Lock).Key()
	return slices.ContainsFunc(s.Held, func(o locks.Held) bool {
		if !excludes(h, []locks.Held{o}) {
			return false
		}
		entry := entryOf(o.Lock)
		if !entry.Known() || own.Known() && own == v.Act.Key {
			return entry.Key() == s.Acc.Key || !entry.Known()
		}
		from, ok := j.Pkg.Paths.Sources(entry.Key())
		return !ok || len(from) == 0 || j.keyedAlike(from, entry, s.Acc)
	})
}

// sameName reports whether two paths may lead to one map, as far as the fields tell that have what has it: of two fields of one name each,
// the maps are two.
func sameName(a, b accesspath.Path) bool {
	x, y := a.Parent().LastField(), b.Parent().LastField()
	return x == nil || y == nil || x == y
}

// SameName reports whether an access comes to the map of a pair by way of the field that the pair does.
func SameName(v *Verdict, a *access.Access) bool { return sameName(v.Act.Path, a.Path) }

// excludes reports whether one of the locks held keeps out a goroutine that
// holds h: it is the same lock, and one side holds it for writing. Of locks in the entries of maps, the maps go by one name.
func excludes(h locks.Held, held []locks.Held) bool {
	entry := entryOf(h.Lock)
	return slices.ContainsFunc(held, func(o locks.Held) bool {
		same := o.Lock.Location().Var == h.Lock.Location().Var
		return same && o.KeepsOut(h) && sameName(entry.Parent(), entryOf(o.Lock).Parent())
	})
}

// Alone reports whether a lock lets only one goroutine at a time be between the
// look and the act of a pair: another one comes from elsewhere.
func (j *Judge) Alone(v *Verdict) bool {
	return slices.ContainsFunc(j.sections(v.Func, v.Check, v.Act), func(h locks.Held) bool { return h.Mode == locks.Write })
}

// Shut reports whether a lock that look and act hold without a break keeps out
// those who make an access.
func (j *Judge) Shut(v *Verdict, s *infer.Site) bool {
	return slices.ContainsFunc(j.sections(v.Func, v.Check, v.Act), func(h locks.Held) bool { return excludes(h, s.Held) })
}

// KeptIn reports whether a lock is held from c to a that everything holds, too,
// by which an entry can leave the map of c.
func (j *Judge) KeptIn(f *infer.Func, c, a *access.Access) bool {
	pl := j.Place(c.Path.Location())
	return slices.ContainsFunc(j.sections(f, c, a), func(h locks.Held) bool {
		return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
			return !s.Exempt && removes(s.Acc) && !excludes(h, s.Held)
		})
	})
}

// holdGuard reports whether look and act both hold the map's guard, each in a
// section of its own.
func (j *Judge) holdGuard(v *Verdict, g *guard.Guard) bool {
	if g == nil {
		return false
	}
	_, atLook := j.Guards.Holds(g, v.Func.Effective(v.Check), v.Check.Path)
	_, atAct := j.Guards.Holds(g, v.Func.Effective(v.Act), v.Act.Path)
	return atLook && atAct
}

// Beside reports whether one of the locks stands in the struct of the map, of
// the same object, or at package level beside a package-level map.
func (j *Judge) Beside(locks []locks.Held, path accesspath.Path) bool {
	v := path.Location().Var
	for _, h := range Near(locks, path) {
		if l := h.Lock.Location().Var; l != nil && v != nil && l.IsField() == v.IsField() && j.Guards.Near(l, v) {
			return true
		}
	}
	return false
}

// Doubtful reports whether the analysis cannot be sure that an access holds no
// lock that protects its map: the guard is held on some paths to it, or is a
// lock of a struct that the access does not show, or the access happens before
// the object is shared.
func (j *Judge) Doubtful(f *infer.Func, a *access.Access) bool {
	if f.AtStart(a) {
		return true
	}
	loc := a.Path.Location()
	if !loc.Valid() {
		return false
	}
	g := j.Guards.Of(loc)
	if g != nil && g.How == guard.Used && !j.Guards.Applies(g, a.Path) {
		return true
	}
	for _, v := range append(f.PerhapsAt(a), j.Pkg.BroughtTo(f, a)...) {
		if g != nil && v == g.Lock || g == nil && (j.Guards.Near(v, loc.Var) || j.Guards.Around(v, a.Path)) {
			return true
		}
	}
	return false
}
