package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// memoizes reports whether the function returns what it looked up or has just
// inserted.
func memoizes(v *Verdict) bool { return v.Pair.Has(depend.Returned) && v.Act.Op == access.Insert }

// harm classifies a split pair. The table is family 10 of what stays quiet:
// a stale check that harms nobody is low.
func harm(v *Verdict) Grade {
	p, a := v.Pair, v.Act
	if p.Has(depend.Ensured) {
		return GoneMeanwhile
	}
	if p.Has(depend.KeyOnly) && !(a.Op.Deletes() && (p.Has(depend.Content) || p.Has(depend.Ends) || p.Has(depend.Used))) {
		return KeyOnly
	}
	if v.Check.Key.Known() && a.Key.Known() && v.Check.Key != a.Key && !p.Has(depend.Chosen) {
		return KeysDiffer
	}
	if farKeys(v) {
		return KeysUnknown
	}
	if reports(v) {
		return SaysWhatItDid
	}
	if max(v.Check.Depth, a.Depth) > 2 {
		return FarAway
	}
	pure := a.Stored == access.StoredPure || a.Stored == access.StoredDerived
	switch a.Op {
	case access.Insert, access.Store:
		switch {
		case p.Has(depend.Same):
			return PutsBack
		case p.Has(depend.Chosen) && a.Stored == access.StoredDerived && !p.Has(depend.Data):
			return UpdatesChosen
		case p.Has(depend.Data) && p.Has(depend.Content):
			return LostUpdate
		case pure && p.Has(depend.Told) && v.Pair.Polarity != depend.Any:
			return ToldTwice
		case pure && p.Has(depend.Effects):
			return EffectTwice
		case pure && p.Has(depend.Ordered):
			return OlderWins
		case pure && !(v.Check.Op == access.Len && p.Has(depend.Content)):
			return SameValue
		case a.Stored == access.StoredShared && v.Check.Op == access.Range:
			return PutsBack
		}
		return TwoObjects
	case access.Delete, access.Remove:
		if p.Has(depend.Weak) && a.InnerFunc != "" || p.Has(depend.Answered) || v.Check.Op == access.Len && !p.Has(depend.Ordered) {
			return DeletesAgain
		}
		if p.Has(depend.Told) && v.Pair.Polarity != depend.Any {
			return ToldTwice
		}
		if p.Has(depend.Spent) {
			return TakenTwice
		}
		if p.Has(depend.Used) {
			return UsedThenDeleted
		}
		if p.Has(depend.Content) || p.Has(depend.Taken) || p.Has(depend.Ends) || p.Has(depend.Ordered) {
			return LostRefill
		}
		return DeletesAgain
	case access.Clear:
		if a.Validated {
			return TestsAgain
		}
		return LostRefill
	case access.Assign:
		if iterates(v.Check) && p.Has(depend.Data|depend.Content) {
			return LostUpdate
		}
		if p.Has(depend.Used) && a.Empty {
			return UsedThenDeleted
		}
		if v.Check.Op != access.NilTest && a.InnerFunc != "" {
			return Refresh
		}
	}
	return TwoObjects
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
func (j *Judge) query(v *Verdict) bool {
	return v.Func.Is(role.Public | role.Query)
}
