package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// differentKeys reports whether both keys are constants that differ.
func differentKeys(a, b accesspath.Path) bool {
	return a.Root().Kind == accesspath.Const && b.Root().Kind == accesspath.Const && a != b
}

// renewed reports whether the act depends on a second look in its own critical
// section, here or in the callee that acts, that answers the same question as
// the first. A value that was computed from the first look is not renewed by
// it, unless the two are compared.
func (j *Judge) renewed(v *Verdict) bool {
	f, p, a := v.Func, v.Pair, v.Act
	if p.Has(depend.Compared) {
		return true // as a compare-and-swap: it acts on what is there now
	}
	if p.Has(depend.Ensured) || staleValue(v) || KeepsOwn(v) {
		return false
	}
	if p.Has(depend.Again) {
		return true
	}
	if f.Looks[p.Act] && len(v.ActLocks) > 0 {
		return true
	}
	if fillsItself(v) || merges(v) {
		return true
	}
	for _, q := range f.Pairs {
		if q.Act != p.Act || q.Check == p.Check || p.Has(depend.Control) && !q.Has(depend.Control) {
			continue // updating what is there is no second look at the decision
		}
		c := &f.Accesses[q.Check]
		if !sameQuestion(v.Check, c) && !fillsNil(v, q, c) || differentKeys(c.Key, a.Key) {
			continue
		}
		if len(j.sections(f, c, a)) > 0 || c.Op == access.Atomic {
			return true // one section, or a check-and-act in one
		}
	}
	return false
}

// fillsNil reports whether the act, of which q is a pair, only gives a variable a map
// that was found to be nil: nothing is overwritten by that. A nil map and an empty one
// have the same entries, so whatever was looked at before, it is not told twice; with
// another map it is.
func fillsNil(v *Verdict, q summary.Pair, c *access.Access) bool {
	a := v.Act
	fills := c.Op == access.NilTest && c.Path == a.Path && q.Polarity == depend.Absent && a.Op == access.Assign
	return fills && (a.Empty || v.Pair.Traits&(depend.Told|depend.Data) == 0)
}

// merges reports whether the look asked which of a value and of what the entry holds is the greater one, and the act puts
// in the greater one of both, or the lesser, of what is there by then: it asks the same. What else hangs on the first
// answer is not asked again.
func merges(v *Verdict) bool {
	const more = depend.Data | depend.Told | depend.Effects | depend.Returned
	asks := v.Pair.Has(depend.Control|depend.Ordered) && v.Pair.Traits&more == 0
	return asks && v.Act.Merged && len(v.ActLocks) > 0 && entryLook(v.Check) && v.Check.Key == v.Act.Key
}

// fillsItself reports whether the act is that of a callee which puts the entry in
// only where it does not find it, as a getter that fills itself does. What the
// first look found does not decide on that: whatever came in before the callee's
// own look, it finds, and what can come between that look and its act is the
// callee's own pair, which is judged by itself. Where the caller is sure that
// there was no entry, and says so or does more because of it, the first look
// decides on that, and it stays a question of its own.
func fillsItself(v *Verdict) bool {
	p, a := v.Pair, v.Act
	callees := a.Filled && a.Lifted && !a.Resolved
	otherKey := v.Check.Key.Known() && v.Check.Key != a.Key
	if !callees || otherKey || !entryLook(v.Check) {
		return false
	}
	return p.Polarity != depend.Absent || p.Traits&(depend.Told|depend.Effects) == 0
}

// staleValue reports whether the act writes what was computed from the content
// that the look saw. No second look makes that value a new one.
func staleValue(v *Verdict) bool {
	computed := v.Pair.Has(depend.Data | depend.Content)
	return computed && keepsOld(v) && !tookOut(v)
}

// KeepsOwn reports whether callers who find the entry get it, and the function goes
// on with an object of its own where a second look finds another's: the look renews
// the insertion, not what is returned, and two callers have two objects.
func KeepsOwn(v *Verdict) bool {
	handed := v.Pair.Has(depend.Own) && v.Pair.Polarity == depend.Absent
	return handed && v.Act.Stored == access.StoredIdentity && entryLook(v.Check) && v.Check.Key == v.Act.Key
}

// tookOut reports whether the look's own section takes the entry out that it
// finds: the object is the taker's alone, and nothing changes it or its entry
// before it is put back.
func tookOut(v *Verdict) bool {
	c := v.Check
	if !entryLook(c) || !c.Key.Known() || v.Act.Stored != access.StoredShared {
		return false
	}
	for i := range v.Func.Accesses {
		d := &v.Func.Accesses[i]
		sameEntry := d.Op.Deletes() && d.Path == c.Path && d.Key == c.Key
		if sameEntry && d.Point == c.Point && d.InnerFunc == c.InnerFunc && d.Validated && locks.SameSections(c.Held, d.Held) {
			return true
		}
	}
	return false
}

// keepsOld reports whether what the act writes stays what the look saw, whatever
// a later look sees: a value, or the object that the act puts under another key.
func keepsOld(v *Verdict) bool {
	stored := v.Act.Stored
	return stored == access.StoredPure || stored == access.StoredFresh || movesOld(v)
}

// movesOld reports whether the act puts an object that was looked up under
// another key.
func movesOld(v *Verdict) bool {
	moves := v.Check.Key.Known() && v.Act.Key.Known() && v.Check.Key != v.Act.Key
	if !moves || v.Act.Stored != access.StoredShared || !entryLook(v.Check) || !v.Pair.Has(depend.Data|depend.Content) {
		return false
	}
	return !v.takenOut()
}

// takenOut reports whether the function has taken the entry that it looked up out
// of the map in the look's critical section: what it found is its own then.
func (v *Verdict) takenOut() bool {
	for i := range v.Func.Accesses {
		d := &v.Func.Accesses[i]
		same := d.Op.Deletes() && d.Path == v.Check.Path && d.Key == v.Check.Key
		if same && (d.Point == v.Check.Point || locks.SameSections(v.Check.Held, d.Held)) {
			return true
		}
	}
	return false
}

// sameQuestion reports whether a second look asks what the first one asked: a
// length says nothing of an entry, nor an entry of the length. An iteration
// sees both.
func sameQuestion(first, second *access.Access) bool {
	switch {
	case entryLook(first):
		return entryLook(second) || iterates(second)
	case first.Op == access.Len:
		return second.Op == access.Len || iterates(second)
	case first.Op == access.NilTest:
		return second.Op == access.NilTest || second.Op == access.Len
	case iterates(first):
		return second.Op != access.Len && second.Op != access.NilTest
	}
	return true // the entry that an iteration chose may be looked up again
}

func entryLook(a *access.Access) bool {
	return a.Op == access.Lookup || a.Op == access.Load || a.Op == access.Atomic
}

func iterates(a *access.Access) bool { return a.Op == access.Range || a.Op == access.Visit }

// owned reports whether the function itself has put the entry in, in a section
// in which it had looked, before it fills or deletes it: an "in progress" mark,
// a reserved place. Others find the mark. So it is where it has counted the entry
// up in the look's section, and counts on later: what the look decided is done
// then, and each count stands by itself.
func (j *Judge) owned(v *Verdict) bool {
	f, a := v.Func, v.Act
	if !a.Key.Known() {
		return false
	}
	if j.joined(v) {
		return true
	}
	for i := range f.Accesses {
		mark := &f.Accesses[i]
		counts := mark.Stored == access.StoredDerived
		reserves := mark.Op == access.Insert && (!counts || j.counted(v, mark)) && mark != a
		sameEntry := mark.Path == a.Path && mark.Key == a.Key
		if reserves && sameEntry && f.Flow.Before(mark.Point, a.Point) && j.claimed(f, mark, v.Pair.Act) {
			return true
		}
	}
	return false
}

// joined reports whether the function has added its own to what it found under the key, whatever that was, in the look's
// section, and the act, which it always does behind that, is computed from what the entry is by then: it takes out, say, what was
// added. Others have found the entry meanwhile, and what they add to it stays.
func (j *Judge) joined(v *Verdict) bool {
	for i := range v.Func.Accesses {
		mark := &v.Func.Accesses[i]
		adds := mark.Op == access.Insert && mark.Stored == access.StoredDerived && mark != v.Act
		sameEntry := mark.Path == v.Check.Path && mark.Key == v.Check.Key
		if adds && sameEntry && v.Func.Flow.Dominates(mark.Point, v.Act.Point) && j.counted(v, mark) {
			return true
		}
	}
	return false
}

// counted reports whether a mark and the act of a pair are both computed from
// what the entry was in their own sections, and the mark was made in the look's.
func (j *Judge) counted(v *Verdict, mark *access.Access) bool {
	return v.Act.Stored == access.StoredDerived && entryLook(v.Check) && !v.Pair.Has(depend.Data) && len(j.sections(v.Func, v.Check, mark)) > 0
}

// claimed reports whether an insertion was decided on by a look at the same
// key, in one critical section: the entry is the function's own.
func (j *Judge) claimed(f *infer.Func, mark *access.Access, act int) bool {
	if mark.Lifted && mark.Validated {
		return true // the callee has looked
	}
	for _, q := range f.Pairs {
		c := &f.Accesses[q.Check]
		if &f.Accesses[q.Act] != mark || q.Act == act || !q.Has(depend.Control) || !entryLook(c) {
			continue
		}
		locked := len(j.Guards.Plausible(f.Effective(c), c.Path)) > 0
		if locked && (c.Key == mark.Key || !c.Key.Known()) && len(j.sections(f, c, mark)) > 0 {
			return true
		}
	}
	return false
}
