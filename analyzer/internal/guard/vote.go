package guard

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// refutes reports whether the accesses plainly show u, another lock, in the
// place of the one that a comment or a name states: u is held at all of them,
// the stated one is not.
func refutes(u, stated *Guard) bool {
	always := u.Held == u.Total && u.Held > 1 && u.HeldWrites == u.Writes
	return u.Lock != stated.Lock && always && stated.Held < stated.Total
}

type votesFor struct {
	lock             *types.Var
	home             *types.Var // the field that holds the lock's wrapper
	around           bool       // it belongs to an object that holds the map's
	held, heldWrites int
	exclusive        int // the writes that hold it for writing
	// changes are those of them that change entries, by function.
	changes map[*infer.Func]int
	near    bool // it stands by the map, or is package-level
	order   int
}

// vote counts, for each lock that could protect the place, the accesses that
// hold it, and all that have a vote: exempt accesses do not.
func (s *Set) vote(pl *infer.Place) (votes map[*types.Var]*votesFor, of Tally) {
	votes = make(map[*types.Var]*votesFor)
	changes := make(map[*infer.Func]int)
	for i := range pl.Sites {
		site := &pl.Sites[i]
		if site.Exempt || site.Acc.Joined || site.Imported() || site.Acc.Op.Concurrent() || site.Acc.Op == access.Leak {
			continue
		}
		if site.Func.Is(role.CallerLocks) && len(site.Held) == 0 {
			continue // the caller holds it
		}
		if len(site.Held) == 0 && (site.AtStart || site.Sealed || s.perhaps(site, pl.Loc.Var)) {
			continue // before the object is shared, or where it needs none; or it is unknown
		}
		of.Total++
		if site.Acc.Op.Writes() {
			of.Writes++
		}
		if changesEntry(site) {
			changes[site.Func]++
		}
		counted := make(map[*types.Var]bool)
		for _, h := range site.Held {
			lock := h.Lock.Location().Var
			if lock == nil || counted[lock] || locks.ApartOnly(h.Lock) || !s.Protects(h, site.Acc.Path) {
				continue
			}
			counted[lock] = true
			t := votes[lock]
			if t == nil {
				t = &votesFor{lock: lock, home: lock, around: true, order: len(votes), changes: make(map[*infer.Func]int)}
				votes[lock] = t
			}
			whole := home(h.Lock)
			base := whole.Base()
			if h.Lock.Root().Kind != accesspath.Place {
				t.home = whole.Location().Var
			} else if t.home == lock { // of some object
				t.home = s.holder(lock)
				t.near = t.near || s.siblings(t.home, pl.Loc.Var)
			}
			t.around = t.around && base.Known() && base != site.Acc.Path.Base() && site.Acc.Path.HasPrefix(base)
			t.near = t.near || !base.Known() && h.Lock.Root().Kind == accesspath.Global || base.Known() && site.Acc.Path.HasPrefix(base)
			t.held++
			if site.Acc.Op.Writes() {
				t.heldWrites++
				if h.Mode == locks.Write {
					t.exclusive++
					if changesEntry(site) {
						t.changes[site.Func]++
					}
				}
			}
		}
	}
	of.Changers = len(changes)
	for _, t := range votes {
		maps.DeleteFunc(t.changes, func(f *infer.Func, held int) bool { return held < changes[f] })
	}
	return votes, of
}

// changesEntry reports whether an access changes an entry while the object is in service: neither
// is the map assigned, nor does start-up or registration fill it, which others may order.
func changesEntry(s *infer.Site) bool {
	return s.Acc.Op.ChangesEntries() && !s.AtStart && !s.Func.Is(role.Registration)
}

// count returns the tally of a guard: of the accesses that have a vote, and the changes
// among them, those that hold it, by its votes, nil if there are none.
func (t Tally) count(of *votesFor) Tally {
	if of != nil {
		t.Held, t.HeldWrites, t.HeldChangers = of.held, of.heldWrites, len(of.changes)
	}
	return t
}

// home returns the field that holds a lock with what wraps it: of x.cond.L it is
// x.cond, and x.mu of a lock inside a mutex of one's own.
func home(lock accesspath.Path) accesspath.Path {
	for {
		base := lock.Base()
		f := base.LastField()
		if f == nil || !model.IsCond(f.Type()) && !isLock(f.Type()) {
			return lock
		}
		lock = base
	}
}

// holder returns the field that holds a lock with what wraps it, where that is the
// only field of the wrapper's type in the package; else the lock.
func (s *Set) holder(lock *types.Var) *types.Var {
	f, known := s.holders[lock]
	if !known {
		f = s.findHolder(lock)
		s.holders[lock] = f
	}
	return f
}

func (s *Set) findHolder(lock *types.Var) *types.Var {
	wrapper := s.comments.ByVar[lock]
	if wrapper == nil || wrapper.Owner == nil || !wrapsLock(wrapper.Owner) {
		return lock
	}
	var sole *types.Var
	for _, g := range s.comments.Groups {
		for i := range g.Fields {
			f := g.Fields[i].Var
			n, ok := types.Unalias(ssautil.Pointee(f.Type())).(*types.Named)
			if !ok || n.Obj() != wrapper.Owner {
				continue
			}
			if sole != nil {
				return lock
			}
			sole = f
		}
	}
	if sole == nil {
		return lock
	}
	return sole
}

// wrapsLock reports whether a type is a lock by methods of its own: one that embeds a
// mutex has its methods too, and is what that mutex protects.
func wrapsLock(named *types.TypeName) bool {
	_, index, _ := types.LookupFieldOrMethod(named.Type(), true, named.Pkg(), "Lock")
	return model.IsMutex(named.Type()) && len(index) == 1
}

// perhaps reports whether a lock that can protect v may be held at the site.
func (s *Set) perhaps(site *infer.Site, v *types.Var) bool {
	return slices.ContainsFunc(site.Func.PerhapsAt(site.Acc), func(lock *types.Var) bool { return s.Near(lock, v) })
}

// used infers a guard from use. Writes weigh double. A lock is plainly the
// map's when it is the only one beside it or stands above it; then one locked
// access of weight suffices against one without. Any other lock must be held at
// most accesses.
func (s *Set) used(loc *types.Var, votes map[*types.Var]*votesFor, of Tally) *Guard {
	var best *votesFor
	inOrder := slices.SortedFunc(maps.Values(votes), func(a, b *votesFor) int { return cmp.Compare(a.order, b.order) })
	for _, t := range inOrder {
		if best == nil || s.rather(loc, t, best, of) {
			best = t
		}
	}
	if best == nil || best.exclusive == 0 || !best.near && best.held < of.Total {
		return nil // another object's lock that is not always held is chance
	}
	all := of.Total + of.Writes
	g := &Guard{Lock: best.lock, How: Used, Tally: of.count(best)}
	switch {
	case best.heldWrites > 0 && s.plainly(best, loc) && 3*best.weight() >= all:
		return g
	case best.heldWrites > 0 && best.held >= 2 && 3*best.weight() >= 2*all:
		return g
	case best.heldWrites > 0 && best.held >= 2 && 2*best.weight() >= all && s.packageLock(best.lock, loc):
		return g
	case best.held == of.Total && best.heldWrites > 0 || best.covers(of):
		return g
	}
	return nil
}

// covers reports whether the lock, which stands by the map, is held for writing by all of
// several functions that change entries.
func (t *votesFor) covers(of Tally) bool { return t.near && of.count(t).Covers() }

func (t *votesFor) weight() int { return t.held + t.heldWrites }

// rather reports whether a is the map's guard rather than b. A lock under which several
// functions change entries, and all that do, keeps them apart, whatever else the reads hold:
// the one that more of these hold is often there for another map beside. But where half of those
// that change entries hold that one, too, who does not is the one that is wrong.
func (s *Set) rather(loc *types.Var, a, b *votesFor, of Tally) bool {
	if ca, cb := a.covers(of), b.covers(of); ca != cb {
		other := b
		if cb {
			other = a
		}
		if 2*len(other.changes) < of.Changers {
			return ca
		}
	}
	if a.weight() != b.weight() {
		return a.weight() > b.weight()
	}
	return s.closer(loc, a, b)
}

func (s *Set) closer(loc *types.Var, a, b *votesFor) bool {
	pa, pb := s.plainly(a, loc), s.plainly(b, loc)
	if pa != pb {
		return pa
	}
	if a.exclusive != b.exclusive {
		return a.exclusive > b.exclusive
	}
	return a.order < b.order
}

// plainly reports whether a lock stands where the lock of loc stands: directly
// above it, or as the only lock of its struct, or of the one around that, whose
// parts have none.
func (s *Set) plainly(t *votesFor, loc *types.Var) bool {
	lock := t.home
	if t.around && !s.HasLock(loc) && s.soleLock(lock) {
		return true
	}
	g := s.comments.ByVar[loc]
	for g != nil && g.Outer != nil && s.comments.ByVar[lock] != g {
		g = g.Outer // the lock of the struct around it
	}
	if g == nil || s.comments.ByVar[lock] != g {
		return false
	}
	locks := 0
	var lf, mf *role.Field
	for i := range g.Fields {
		f := &g.Fields[i]
		if f.Var == lock || isLock(f.Var.Type()) {
			locks++
		}
		if f.Var == lock {
			lf = f
		}
		if f.Var == loc {
			mf = f
		}
	}
	above := lf != nil && mf != nil && lf.Hat == mf.Hat && lf.Order < mf.Order
	return above || locks == 1 && g.Fields[0].Var.IsField()
}

// packageLock reports whether a lock is the only one at package level, and the
// map lies in a struct without one: there is no other that could be meant.
func (s *Set) packageLock(lock, loc *types.Var) bool {
	if lock.IsField() || !loc.IsField() || s.HasLock(loc) {
		return false
	}
	for _, f := range s.comments.Groups[len(s.comments.Groups)-1].Fields {
		if f.Var != lock && isLock(f.Var.Type()) {
			return false
		}
	}
	return s.comments.ByVar[lock] == s.comments.Groups[len(s.comments.Groups)-1]
}

// soleLock reports whether a field is the only lock of its struct.
func (s *Set) soleLock(lock *types.Var) bool {
	g := s.comments.ByVar[lock]
	if g == nil || !lock.IsField() {
		return false
	}
	for i := range g.Fields {
		if f := g.Fields[i].Var; f != lock && isLock(f.Type()) {
			return false
		}
	}
	return true
}

// HasLock reports whether the struct that v belongs to has a lock.
func (s *Set) HasLock(v *types.Var) bool { return len(s.LocksBeside(v)) > 0 }

// LocksBeside returns the locks in the struct that v belongs to.
func (s *Set) LocksBeside(v *types.Var) []*types.Var {
	g := s.comments.ByVar[v]
	if g == nil || !v.IsField() {
		return nil
	}
	var out []*types.Var
	for i := range g.Fields {
		if isLock(g.Fields[i].Var.Type()) {
			out = append(out, g.Fields[i].Var)
		}
	}
	return out
}

func isLock(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return model.IsMutex(t)
}
