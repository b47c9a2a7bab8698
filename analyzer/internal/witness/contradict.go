package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// rival returns an access of the same map under other locks, so that both can
// run at one time, one of them a change. A lock keeps out only those who take
// it: of two accesses under two locks that stand by the map, one holds the wrong
// one. Locks of other objects, and those that a function gets, are left out: what
// they are for is not known.
func (j *Judge) rival(v *AccessVerdict) *infer.Site {
	if v.Site.AtStart || !j.allBeside(v.Locks, v.Site) {
		return nil
	}
	for i := range v.Place.Sites {
		b := &v.Place.Sites[i]
		if !needsLock(b) || b.AtStart || b.Imported() || !b.Acc.Op.Writes() && !v.Site.Acc.Op.Writes() {
			continue
		}
		held := j.Guards.Plausible(b.Held, b.Acc.Path)
		if len(held) == 0 || !j.allBeside(held, b) || shareLock(v.Locks, held) || j.asksHolder(v.Site, b) || j.asksHolder(b, v.Site) {
			continue
		}
		if !j.mayHold(v.Site, held) && !j.mayHold(b, v.Locks) && !b.Func.Is(role.CallerLocks) {
			return b
		}
	}
	return nil
}

// onlyEmptied reports whether the uses of a map contradict the comment that says which lock protects it and what stands below:
// another lock by the map keeps an access apart from all that conflict with it, but for those that, under the lock
// of the comment, put a new empty map in the map's place. What is done to the entries at that time is done to a map that nothing
// else uses any more, or to the new one, as if it came before or after. A map that is given up, nil, or filled is another matter:
// to put an entry into nil panics, and a copy lacks what comes in meanwhile.
func (j *Judge) onlyEmptied(v *AccessVerdict) bool {
	if v.Guard.How != guard.Prose || v.Site.Acc.Op.OfVariable() || len(v.Locks) == 0 {
		return false
	}
	apart := false
	for i := range v.Place.Sites {
		b := &v.Place.Sites[i]
		if !needsLock(b) || !b.Acc.Op.Writes() && !v.Site.Acc.Op.Writes() {
			continue
		}
		if b.Acc.Op == access.Assign && b.Acc.Empty {
			if _, ok := j.Guards.Holds(v.Guard, b.Held, b.Acc.Path); ok {
				continue
			}
		}
		if !j.KeptApart(v.Locks, v.Site.Acc, b) {
			return false
		}
		apart = apart || b.Acc != v.Site.Acc
	}
	return apart
}

func (j *Judge) allBeside(held []locks.Held, s *infer.Site) bool {
	return !slices.ContainsFunc(held, func(h locks.Held) bool { return !j.Beside([]locks.Held{h}, s.Acc.Path) })
}

// shareLock reports whether one lock is held at both, for reading perhaps: then
// the mode is wrong, not the lock.
func shareLock(a, b []locks.Held) bool {
	return slices.ContainsFunc(a, func(h locks.Held) bool {
		return slices.ContainsFunc(b, func(o locks.Held) bool { return o.Lock.Location().Var == h.Lock.Location().Var })
	})
}

// mayHold reports whether one of the locks is perhaps held at an access.
func (j *Judge) mayHold(s *infer.Site, held []locks.Held) bool {
	for _, p := range s.Func.PerhapsAt(s.Acc) {
		if slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock.Location().Var == p }) {
			return true
		}
	}
	return false
}
