package check

import (
	"fmt"
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Verdict is a pair that no critical section covers and nothing
// re-validates, on a map that can be shared.
type Verdict struct {
	Func       *infer.Func
	Pair       summary.Pair
	Check, Act *access.Access
	// CheckLocks and ActLocks are the locks held that can protect the map.
	CheckLocks, ActLocks []lockset.Held
	Confidence           sharing.Confidence
	Evidence             sharing.Evidence
	// Blame is the call that lacks the lock, when the fault is the caller's.
	Blame *infer.Blame
}

// Unlocked reports whether the check or the act holds no lock at all.
func (v *Verdict) Unlocked() bool { return len(v.CheckLocks) == 0 || len(v.ActLocks) == 0 }

// Concurrent reports whether the map is a concurrent map.
func (v *Verdict) Concurrent() bool { return v.Check.Op.Concurrent() && v.Act.Op.Concurrent() }

// judgePairs goes through all pairs. A pair is quiet when
//   - the object is not published yet, or only initialisation runs,
//   - one critical section covers both sides,
//   - the act is re-validated: a second check on which it depends shares its
//     critical section,
//   - one side comes after a join,
//   - check and act provably concern different keys.
func (in *Input) judgePairs() []Verdict {
	var out []Verdict
	in.named = make(map[token.Pos]bool)
	for _, f := range in.Pkg.Funcs {
		for _, p := range f.Pairs {
			if a := &f.Accesses[p.Act]; a.Resolved && a.Op.Concurrent() {
				in.named[a.At()] = true
			}
		}
	}
	for _, f := range in.Pkg.Funcs {
		for _, p := range f.Pairs {
			if v, ok := in.judge(f, p); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

func (in *Input) judge(f *infer.Func, p summary.Pair) (Verdict, bool) {
	c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
	if !c.Path.Location().Valid() && !in.lastResort(f, c, a) {
		return Verdict{}, false // the caller knows which map it is
	}
	if c.Fresh || a.Fresh || c.Once || a.Once || in.Pkg.Exempt(f, a) {
		return Verdict{}, false // not published, or runs once
	}
	if c.Joined || a.Joined || differentKeys(c.Key, a.Key) {
		return Verdict{}, false // nobody else runs; nothing to do with each other
	}
	if c.Op == access.Atomic && !(a.Op == access.Store && p.Data && p.Content) || c.Spawned || a.Spawned {
		return Verdict{}, false // only a second look; another goroutine
	}
	if c.Pinned && a.Op.Deletes() {
		return Verdict{}, false // a counted reference decides, not the look-up
	}
	v := Verdict{Func: f, Pair: p, Check: c, Act: a}
	v.CheckLocks = in.Guards.Plausible(f.Effective(c), c.Path)
	if in.Snapshot(a.Path.Location()) && c.Fetched && len(v.CheckLocks) == 0 {
		// A map that is only replaced as a whole is read where it is
		// fetched; what follows looks at a snapshot.
		v.CheckLocks = in.Guards.Plausible(f.EffectiveState(c.Fetch), c.Path)
	}
	v.ActLocks = in.Guards.Plausible(f.Effective(a), a.Path)
	if f.Doc.CallerLocks && len(v.CheckLocks) == 0 && len(v.ActLocks) == 0 {
		return Verdict{}, false // the caller holds the lock
	}
	if c.Imported && a.Imported && !c.Resolved && a.Rechecked && c.InnerFunc == a.InnerFunc && len(v.CheckLocks) == 0 && len(v.ActLocks) == 0 {
		return Verdict{}, false // the package that does it reports it
	}
	if p.Unique || in.owned(f, p) {
		return Verdict{}, false // nobody else has the key, or the entry is its own
	}
	if len(in.Covering(f, c, a)) > 0 || p.Generation || in.revalidated(f, p, v.ActLocks) {
		return Verdict{}, false // one section covers both, or a second look does
	}
	v.Evidence = in.evidence(&v)
	if v.Unlocked() && f.Stored() {
		v.Evidence = sharing.Evidence{Confidence: sharing.Low, Text: "nothing tells which locks are held when this function literal is called"}
	}
	if in.ownLocked(&v) {
		v.Evidence = unshown
	}
	v.Confidence = in.confidence(&v)
	if len(v.CheckLocks) == 0 && in.Doubtful(f, c) || len(v.ActLocks) == 0 && in.Doubtful(f, a) {
		v.Confidence = sharing.Low
	}
	return v, true
}

// lastResort reports whether a map that the function got as a parameter is to
// be judged here: a concurrent map, which needs no lock to be known, and no
// caller in the package that names it.
func (in *Input) lastResort(f *infer.Func, c, a *access.Access) bool {
	return c.Op.Concurrent() && a.Op.Concurrent() && c.Path.Root().Kind == accesspath.Param && !in.named[a.At()]
}

// Snapshot reports whether the map, once published, is only ever replaced as a
// whole, never changed in place. A place without accesses here may be changed
// elsewhere.
func (in *Input) Snapshot(loc accesspath.Location) bool { return in.snapshot[loc] }

func replacedOnly(pl *infer.Place) bool {
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt && s.Acc.Op.Writes() && s.Acc.Op != access.Assign {
			return false
		}
	}
	return true
}

// differentKeys reports whether both keys are constants that differ.
func differentKeys(a, b accesspath.Path) bool {
	return a.Root().Kind == accesspath.Const && b.Root().Kind == accesspath.Const && a != b
}

// revalidated reports whether the act depends on a second check in its own
// critical section, here or in the callee that acts.
func (in *Input) revalidated(f *infer.Func, p summary.Pair, actLocks []lockset.Held) bool {
	a := &f.Accesses[p.Act]
	if a.Validated && a.Lifted && len(actLocks) > 0 {
		return true
	}
	for _, q := range f.Pairs {
		if q.Act != p.Act || q.Check == p.Check || p.Control && !q.Control {
			continue // updating what is there is no second look at the decision
		}
		c := &f.Accesses[q.Check]
		if differentKeys(c.Key, a.Key) {
			continue
		}
		if len(in.Covering(f, c, a)) > 0 || c.Op == access.Atomic {
			return true // one section, or a check-and-act in one
		}
	}
	return false
}

// owned reports whether the function itself has put the entry in, in the
// check's critical section, before it fills or deletes it: an "in progress" mark,
// a reserved place. Others find the mark.
func (in *Input) owned(f *infer.Func, p summary.Pair) bool {
	c, a := &f.Accesses[p.Check], &f.Accesses[p.Act]
	if !a.Key.Known() || a.Key != c.Key || len(in.Guards.Plausible(f.Effective(c), c.Path)) == 0 {
		return false
	}
	for i := range f.Accesses {
		mark := &f.Accesses[i]
		if mark.Op == access.Insert && mark.Stored != access.StoredDerived && i != p.Act && mark.Path == a.Path && mark.Key == a.Key && mark.Pos <= a.Pos && len(in.Covering(f, c, mark)) > 0 {
			return true
		}
	}
	return false
}

func (in *Input) evidence(v *Verdict) sharing.Evidence {
	loc := v.Act.Path.Location()
	e := in.Judge.Of(in.Place(loc))
	if e.Confidence < sharing.High && (len(v.CheckLocks) > 0 || len(v.ActLocks) > 0) && !v.Concurrent() {
		locks, side := near(v.ActLocks, v.Act.Path), "act"
		if len(locks) == 0 {
			locks, side = near(v.CheckLocks, v.Check.Path), "check"
		}
		if len(locks) == 0 {
			return e
		}
		return sharing.Evidence{Confidence: sharing.High, Text: fmt.Sprintf("the %s itself holds %s", side, in.LockNames(locks))}
	}
	if e.Confidence < sharing.Medium && memoizes(v) && in.query(v) && !in.Judge.Denies(loc) {
		return sharing.Evidence{Confidence: sharing.Medium, Text: v.Func.Name + " returns what it looked up or has just inserted: a shared cache in disguise"}
	}
	return e
}

// near returns the locks that stand by the map: in the same object, in one
// that leads to it, or package-level. One that the function happens to hold of
// another object says nothing of the map.
func near(held []lockset.Held, path accesspath.Path) []lockset.Held {
	var out []lockset.Held
	for _, h := range held {
		k := h.Lock.Root().Kind
		if k == accesspath.Global || k == accesspath.Place || path.HasPrefix(h.Lock.Base()) {
			out = append(out, h)
		}
	}
	return out
}

// memoizes reports whether the function returns what it looked up or has just
// inserted.
func memoizes(v *Verdict) bool { return v.Pair.Returned && v.Act.Op == access.Insert }

// confidence weighs the evidence by the harm. Where a side holds no lock, the
// map itself is raced on, whatever it stores. Where both are locked, the harm
// is what a lost or repeated act does.
func (in *Input) confidence(v *Verdict) sharing.Confidence {
	c := v.Evidence.Confidence
	if v.Unlocked() && !v.Concurrent() {
		return c
	}
	h := harm(v)
	if v.Concurrent() {
		c = sharing.High
	}
	return min(c, h)
}

// harm classifies a split pair. The table is family 10 of what stays quiet:
// a stale check that harms nobody is low.
func harm(v *Verdict) sharing.Confidence {
	p, a := v.Pair, v.Act
	if p.KeyOnly && !(a.Op.Deletes() && (p.Content || p.Ends)) {
		return sharing.Low // only the key was looked up: idempotent
	}
	if v.Check.Key.Known() && a.Key.Known() && v.Check.Key != a.Key && !p.Chosen {
		return sharing.Low // different keys, as far as is known
	}
	if farKeys(v) {
		return sharing.Low // two calls, and nobody knows that they mean one key
	}
	if reports(v) {
		return sharing.Low // the callee says what it has done, not what it saw
	}
	if max(v.Check.Depth, a.Depth) > 2 {
		return sharing.Low // too far away to be sure of the dependence
	}
	pure := a.Stored == access.StoredPure || a.Stored == access.StoredDerived
	switch a.Op {
	case access.Insert, access.Store:
		switch {
		case p.Same:
			return sharing.Low // puts back what was there
		case p.Chosen && a.Stored == access.StoredDerived && !p.Data:
			return sharing.Low // updates the entry that it chose: nothing is lost
		case p.Data && p.Content:
			return sharing.High // a concurrent write in between is lost
		case pure && p.Effects:
			return sharing.High // what else the check decides on happens twice
		case pure && p.Ordered:
			return sharing.Medium // a greater value is overwritten
		case pure && !(v.Check.Op == access.Len && p.Content):
			return sharing.Low // anybody would have stored the same
		case a.Stored == access.StoredShared && v.Check.Op == access.Range:
			return sharing.Low
		}
		return sharing.High
	case access.Delete, access.Remove:
		if p.Weak && a.InnerFunc != "" || p.Answered || v.Check.Op == access.Len && !p.Ordered {
			return sharing.Low // it works on what was looked up, or says what it did, or there is nothing to do
		}
		if p.Content || p.Taken || p.Ends || p.Ordered {
			return sharing.Medium // a refill in between is lost, or two take one entry
		}
		return sharing.Low // what is gone may be deleted again
	case access.Clear:
		if a.Validated {
			return sharing.Low // it tests each entry again
		}
		return sharing.Medium
	case access.Assign:
		if v.Check.Op != access.NilTest && a.InnerFunc != "" {
			return sharing.Low // a refresh: whoever is last has the newest
		}
	}
	return sharing.High
}

// reports reports whether the check stands in a callee that counts or walks the
// map and deletes from it, or replaces it, in one section, as purge does: its
// result tells what is done already.
func reports(v *Verdict) bool {
	c := v.Check
	if !c.Lifted || c.Op != access.Len && c.Op != access.Range {
		return false
	}
	for i := range v.Func.Accesses {
		d := &v.Func.Accesses[i]
		if d != v.Act && d.Pos == c.Pos && d.InnerFunc == c.InnerFunc && d.Path == c.Path && (d.Op == access.Delete && d.Validated || d.Op == access.Assign) {
			return true
		}
	}
	return false
}

// farKeys reports whether check and act stand in different functions and it is
// not known that both mean the same key.
func farKeys(v *Verdict) bool {
	c, a := v.Check, v.Act
	if c.Resolved || c.InnerFunc == "" && a.InnerFunc == "" {
		return false
	}
	switch a.Op {
	case access.Insert, access.Store, access.Delete, access.Remove:
	default:
		return false
	}
	switch c.Op {
	case access.Lookup, access.Load:
		return !c.Key.Known() || !a.Key.Known()
	case access.Range, access.Visit:
		return true // what it gave away may be a copy of the entries
	}
	return false
}

// query reports whether the function is an exported method of an exported
// type whose name and results read like a query, on a type without any lock.
func (in *Input) query(v *Verdict) bool {
	f := v.Func
	if f.Obj == nil || !f.Doc.Public || f.Obj.Signature().Results().Len() == 0 {
		return false
	}
	return f.Obj.Signature().Recv() != nil && QueryName(f.Obj.Name())
}

// At returns the position of an access as findings use it: where it stands in
// this package.
func (in *Input) At(a *access.Access) token.Pos {
	if a.Resolved && a.Inner.IsValid() && in.local(a.Inner) {
		return a.Inner
	}
	return a.Pos
}
