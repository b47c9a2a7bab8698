package locks

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Excludes reports whether two goroutines that hold these locks cannot be at
// their places at the same time: they hold one lock, and not both for reading.
func Excludes(a, b []Held) bool { return excludes(a, b, false) }

// ExcludesInOne is Excludes by a lock of which both hold one critical section: nothing comes in between where one
// goroutine goes on from the one place to the other.
func ExcludesInOne(a, b []Held) bool { return excludes(a, b, true) }

func excludes(a, b []Held, inOne bool) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Meets(y.Lock) && x.KeepsOut(y) && (!inOne || x.Sec.Same(y.Sec)) {
				return true
			}
		}
	}
	return false
}

// Meets reports whether a lock is the one that is held, or one of those that are, or the other way round.
func (h Held) Meets(lock accesspath.Path) bool { return h.Lock.Covers(lock) || lock.Covers(h.Lock) }

// Inside reports whether the map at a path holds the lock: who takes that has read the map to get it. Another map of the same type does
// not hold it, which the object that has the one knows by another field.
func (h Held) Inside(m accesspath.Path) bool {
	v := h.Lock.Location().Var
	return v != nil && v == m.Location().Var && !h.Lock.Neighbours(m)
}

// KeepsOut reports whether two holds of one lock cannot be at one time: not both are for reading, or one of them is
// lent by who holds it for writing, and the other one is not.
func (h Held) KeepsOut(o Held) bool { return h.Mode == Write || o.Mode == Write || h.Lent != o.Lent }

// Token reports whether a lock is a semaphore: a channel, of which who has put in
// the one element that it has room for holds it, or who has taken it out, or which leads to a goroutine (see
// [Turn]); a weighted semaphore; or a flag, which who has set it holds.
func Token(lock accesspath.Path) bool {
	v := lock.Location().Var
	return v != nil && (ssautil.IsChan(v.Type()) || model.IsSemaphore(v.Type()) || IsFlag(lock))
}

// IsFlag reports whether a lock is a flag: a plain value, or an atomic one.
func IsFlag(lock accesspath.Path) bool {
	v := lock.Location().Var
	return v != nil && model.IsFlag(v.Type())
}

// OnKey reports whether a lock is one that is held for a key: by the function of a single
// flight, or by what has an entry of its own in a map, or behind an interface. An array or a map of mutexes is none.
func OnKey(lock accesspath.Path) bool {
	loc := lock.Location()
	if loc.Var == nil || loc.Elems == 0 {
		return false
	}
	t := loc.Var.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Map:
		return !model.IsMutex(t.Elem())
	case *types.Struct, *types.Interface:
		return true
	}
	return false
}

// ApartOnly reports whether a lock keeps whole operations apart, or those on one key, and
// is no map's guard: a channel, a semaphore, a single flight.
func ApartOnly(lock accesspath.Path) bool { return Token(lock) || OnKey(lock) }

// Turn reports whether a lock is the channel to a goroutine that runs the
// functions which it is sent, one after the other, or answers requests.
func Turn(lock accesspath.Path) bool {
	elem := sentTo(lock)
	if elem == nil {
		return false
	}
	_, function := elem.Underlying().(*types.Signature)
	return function || len(ssautil.FuncFields(elem)) > 0 || Answers(lock)
}

// Answers reports whether a lock is the channel to a goroutine that answers requests.
func Answers(lock accesspath.Path) bool {
	elem := sentTo(lock)
	return elem != nil && ssautil.ReplyField(elem) >= 0 && len(ssautil.FuncFields(elem)) == 0
}

// sentTo returns the type of what goes over a lock that is a channel, nil of another
// lock.
func sentTo(lock accesspath.Path) types.Type {
	v := lock.Location().Var
	if v == nil || !ssautil.IsChan(v.Type()) {
		return nil
	}
	return v.Type().Underlying().(*types.Chan).Elem()
}

// OnlyRead reports whether none of these locks is held for writing.
func OnlyRead(held []Held) bool {
	return !slices.ContainsFunc(held, func(h Held) bool { return h.Mode != Read })
}

// SameSections reports whether the locks held at the later point were held,
// without a break, at the earlier one, the caller's included.
func SameSections(earlier, later State) bool {
	for _, h := range later.Held() {
		if e, ok := earlier.Find(h.Lock); !ok || !e.Sec.Same(h.Sec) {
			return false
		}
	}
	a, b := earlier.Left(), later.Left()
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// SameInEachCase reports whether, in each case of what the branches tell, the locks at the later
// point are as they were at the earlier one, and some are held in one: a function that its callers
// tell whether to lock has let none go in between.
func SameInEachCase(earlier, later State) bool {
	held := false
	for _, c := range later.Cases() {
		before := slices.ContainsFunc(earlier.Cases(), func(e Case) bool {
			return slices.Equal(e.Locks, c.Locks) && !slices.ContainsFunc(e.When, func(w Cond) bool { return !slices.Contains(c.When, w) })
		})
		if !before {
			return false
		}
		for _, l := range c.Locks {
			if l.Must() {
				held = true
				if !l.Sec.Same(l.Sec) {
					return false
				}
			}
		}
	}
	return held
}

// Over returns the locks held at a point of a function that is entered with
// the given locks held: the function's own, and those of the entry that it
// has not given up.
func (s State) Over(entry []Held) []Held {
	held := s.Held()
	if len(entry) == 0 || s.IsTop() {
		return held
	}
	out := append([]Held(nil), held...)
	for _, e := range entry {
		if l := s.Of(e.Lock); !l.Must() && !breaks(s.s.cases, e.Lock) {
			at := (Lock{Path: e.Lock, Can: Own, Mode: e.Mode, Sec: e.Sec}).then(l)
			if at.Must() {
				out = append(out, Held{Lock: e.Lock, Mode: at.Mode, Sec: at.Sec, Lent: e.Lent && at.Mode == e.Mode})
			}
		}
	}
	return out
}

// Keeps reports whether the section in which a lock was held goes on.
func (s State) Keeps(h Held) bool {
	o, ok := s.Find(h.Lock)
	return ok && o.Sec == h.Sec
}

// Find returns how lock is held, in any case.
func (s State) Find(lock accesspath.Path) (Held, bool) {
	for _, h := range s.Held() {
		if h.Lock == lock {
			return h, true
		}
	}
	return Held{}, false
}

// Held returns the locks held in any case, sorted; the caller must not change
// it.
func (s State) Held() []Held {
	if s.s == nil {
		return nil
	}
	return s.s.held
}

// Of returns all that the cases say of a lock.
func (s State) Of(lock accesspath.Path) Lock {
	if s.s == nil {
		return Lock{Path: lock}
	}
	l := s.s.cases[0].lock(lock)
	for _, c := range s.s.cases[1:] {
		l = l.join(c.lock(lock))
	}
	return l
}

// Locks returns what is said of each lock that any case mentions, sorted.
func (s State) Locks() []Lock {
	if s.s == nil {
		return nil
	}
	locks := s.s.cases[0].Locks
	for _, c := range s.s.cases[1:] {
		locks = zip(locks, c.Locks, Lock.join)
	}
	return locks
}

// Left returns the caller's locks whose section may have ended on the way.
func (s State) Left() []accesspath.Path {
	var out []accesspath.Path
	for _, l := range s.Locks() {
		if l.Can&Left != 0 {
			out = append(out, l.Path)
		}
	}
	return out
}

// Perhaps returns the locks that are held on some paths to the point and not
// on others, as far as s does not know which. They promise nothing, but what
// happens here may well be covered. A lock that was held and let go on one of
// the paths is not among them: there it is plainly missing.
func (s State) Perhaps() []accesspath.Path {
	var out []accesspath.Path
	for _, l := range s.Locks() {
		if l.Can&Taken != 0 && !l.Must() && !has(s.s.dropped, l.Path) {
			out = append(out, l.Path)
		}
	}
	return out
}

// Dropped returns the locks that were let go on some path and not taken since;
// the caller must not change it.
func (s State) Dropped() []accesspath.Path {
	if s.s == nil {
		return nil
	}
	return s.s.dropped
}

// Lacks reports whether some path certainly comes here without having taken
// the lock, whatever the caller asked for: a case says so that no condition on
// a parameter selects. A widened state is sure of nothing.
func (s State) Lacks(lock accesspath.Path) bool {
	if s.IsTop() || s.Widened() {
		return false
	}
	return slices.ContainsFunc(s.s.cases, func(c Case) bool {
		return c.lock(lock).Can == Kept && !slices.ContainsFunc(c.When, Cond.asked)
	})
}

// asked reports whether the condition is on what the caller passes, or on what
// a callee did that nothing tells. Whether two objects are one is no request.
func (c Cond) asked() bool {
	return c.Result != 0 || c.Val.Root().Kind == accesspath.Param && !c.Left.Known()
}
