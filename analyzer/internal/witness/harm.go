package witness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// memoizes reports whether the function returns what it looked up or has just
// inserted.
func memoizes(v *Verdict) bool { return v.Pair.Has(depend.Returned) && v.Act.Op == access.Insert }

// harm classifies a split pair. The table is family 10 of what stays quiet:
// a stale check that does no harm is low.
func harm(v *Verdict) Grade {
	if g := unclear(v); g != NoGrade {
		return g
	}
	p, a := v.Pair, v.Act
	switch a.Op {
	case access.Insert, access.Store:
		return harmOfInsert(v)
	case access.Delete, access.Remove:
		return harmOfDelete(v)
	case access.Clear:
		switch {
		case a.Validated:
			return TestsAgain
		case a.Empty && entryLook(v.Check) && !twice(p) && !p.Has(depend.Data):
			return ClearsAnyway
		}
		return LostRefill
	case access.Assign:
		switch {
		case iterates(v.Check) && p.Has(depend.Data|depend.Content):
			return LostUpdate
		case p.Has(depend.Used) && a.Empty:
			return UsedThenDeleted
		case v.Check.Op != access.NilTest && a.InnerFunc != "":
			return Refresh
		}
	}
	return TwoObjects
}

// unclear returns the row for a pair of which nothing tells that the act rests
// on what was found, or that both mean one entry.
func unclear(v *Verdict) Grade {
	p, a := v.Pair, v.Act
	ends := p.Has(depend.Content) || p.Has(depend.Ends) || p.Has(depend.Used)
	keysKnown := v.Check.Key.Known() && a.Key.Known()
	switch {
	case p.Has(depend.Ensured):
		return GoneMeanwhile
	case p.Has(depend.KeyOnly) && !(a.Op.Deletes() && ends):
		return KeyOnly
	case keysKnown && v.Check.Key != a.Key && !p.Has(depend.Chosen) && !movesOld(v):
		return KeysDiffer
	case farKeys(v):
		return KeysUnknown
	case reports(v):
		return SaysWhatItDid
	case p.Has(depend.Whether) && p.Traits&(depend.Effects|depend.Told) == 0:
		return AsksWhether
	case v.Check.Lifted && v.Check.Point != a.Point && slices.Contains(a.Within, v.Check.Stands()):
		return LooksAgain
	}
	return NoGrade
}

func harmOfInsert(v *Verdict) Grade {
	p, a := v.Pair, v.Act
	pure := a.Stored == access.StoredPure || a.Stored == access.StoredDerived
	counted := v.Check.Op == access.Len || p.Polarity == depend.Count
	limited := (counted || addsUp(v)) && p.Has(depend.Content)
	switch {
	case p.Has(depend.Same) && !movesOld(v):
		return PutsBack
	case p.Has(depend.Walked) && p.Polarity == depend.Present:
		return Rewritten
	case softLimit(v):
		return SoftLimit
	case p.Has(depend.Chosen) && a.Stored == access.StoredDerived && !p.Has(depend.Data):
		return UpdatesChosen
	case p.Has(depend.Data | depend.Content):
		return LostUpdate
	case pure && p.Has(depend.Told) && p.Polarity != depend.Any:
		return ToldTwice
	case pure && p.Has(depend.Effects):
		return EffectTwice
	case pure && p.Has(depend.Ordered):
		return OlderWins
	case pure && !limited:
		return SameValue
	case a.Stored == access.StoredShared && v.Check.Op == access.Range && p.Polarity != depend.Count:
		return PutsBack
	case alike(v):
		return Alike
	case unnoticed(v):
		return SameValue
	case a.Stored == access.StoredSuccessor && !p.Has(depend.Returned):
		return Succeeds
	}
	return TwoObjects
}

// softLimit reports whether a length that was found to be below a bound decides
// on nothing but whether a value without identity is kept, or an object that the
// act's section has looked for once more, and callers are told nothing of it:
// those who come at one time pass the bound by as many as they are.
func softLimit(v *Verdict) bool {
	p := v.Pair
	if v.Check.Op != access.Len || p.Polarity != depend.Room || p.Traits&(depend.Told|depend.Effects|depend.Data) != 0 {
		return false
	}
	results := v.Func.SSA.Signature.Results().Len()
	return v.Act.Stored == access.StoredPure && results == 0 || v.cached() && !givesNil(v.Func.SSA)
}

// givesNil reports whether a function can return nil for anything but an error:
// that tells its callers something.
func givesNil(fn *ssa.Function) bool {
	return slices.ContainsFunc(depend.Returns(fn), func(r *ssa.Return) bool {
		for i := range r.Results {
			if x := ssautil.ResultAt(r, i); ssautil.IsNil(x) && !ssautil.IsError(x.Type()) {
				return true
			}
		}
		return false
	})
}

// cached reports whether a look for the act's entry, on which the act depends,
// shares a section with it.
func (v *Verdict) cached() bool {
	return slices.ContainsFunc(v.Func.Pairs, func(q summary.Pair) bool {
		c := &v.Func.Accesses[q.Check]
		fills := q.Act == v.Pair.Act && entryLook(c) && q.Has(depend.Control|depend.Returned) && q.Polarity == depend.Absent
		return fills && c.Key.Known() && c.Key == v.Act.Key && locks.SameSections(c.Held, v.Act.Held)
	})
}

// alike reports whether each of two goroutines that both find nothing stores an
// object of which nothing shows that it differs from the other's, and nothing
// else comes of it: who finds the entry gets it, and is not refused.
func alike(v *Verdict) bool {
	p := v.Pair
	refused := p.Has(depend.Told) && !p.Has(depend.Returned)
	return v.Act.Stored == access.StoredAlike && !p.Has(depend.Lasting) && !refused
}

// unnoticed reports whether a value that is another one each time, such as the
// time, is put in and goes nowhere else, and nothing else hangs on the look: the
// entry is as if one of the two had come alone.
func unnoticed(v *Verdict) bool {
	const noticed = depend.Returned | depend.Told | depend.Effects | depend.Data
	return v.Act.Stored == access.StoredFresh && v.Check.Op != access.Len && v.Pair.Traits&noticed == 0 && givesNothing(v)
}

func harmOfDelete(v *Verdict) Grade {
	p := v.Pair
	byCallee := p.Has(depend.Weak) && v.Act.InnerFunc != ""
	counted := v.Check.Op == access.Len && !p.Has(depend.Ordered)
	switch {
	case byCallee || counted || p.Has(depend.Answered):
		return DeletesAgain
	case p.Has(depend.Told) && p.Polarity != depend.Any && !p.Has(depend.Regardless):
		return ToldTwice
	case effectsOfPresence(v) && !p.Has(depend.Used):
		return TakenTwice
	case p.Has(depend.Used) && (p.Has(depend.Content) || p.Has(depend.Chosen)):
		return UsedThenDeleted
	case p.Has(depend.Spent), p.Has(depend.Used):
		return TakenOut
	case p.Has(depend.Content), p.Has(depend.Taken), p.Has(depend.Ends), p.Has(depend.Ordered):
		return LostRefill
	}
	return DeletesAgain
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
		together := d != v.Act && d.Point == c.Point && d.InnerFunc == c.InnerFunc && d.Path == c.Path
		if together && (d.Op == access.Delete && d.Validated || d.Op == access.Assign) {
			return true
		}
	}
	return false
}

// addsUp reports whether an iteration decides as a whole on an act of the
// function's own, as a sum or a search does, and callers are told: none of the
// entries that it gave away is acted on.
func addsUp(v *Verdict) bool {
	p := v.Pair
	own := v.Check.InnerFunc == "" && v.Act.Key.Known() && p.Traits&(depend.Chosen|depend.Data|depend.KeyOnly) == 0
	return own && iterates(v.Check) && p.Has(depend.Control|depend.Told)
}

// farKeys reports whether check and act stand in different functions and it is
// not known that both mean the same key. What one callee does in one call it
// does with keys that it knows itself.
func farKeys(v *Verdict) bool {
	c, a := v.Check, v.Act
	if c.InnerFunc == "" && a.InnerFunc == "" || c.Point == a.Point && c.InnerFunc == a.InnerFunc {
		return false
	}
	switch a.Op {
	case access.Insert, access.Store, access.Delete, access.Remove:
	default:
		return false
	}
	switch c.Op {
	case access.Lookup, access.Load:
		return !c.Key.Known() || !a.Key.Known() || c.Key != a.Key && a.Key.Trunk() != a.Key // one of several
	case access.Range, access.Visit:
		// What a walk that seeks no key gave away may be a copy of the entries, if
		// it is no number.
		return v.Pair.Polarity != depend.Count && !addsUp(v) && !c.Resolved && !(c.Key.Known() && a.Key.Known())
	case access.Len, access.NilTest:
		return c.InnerFunc != "" && !givesCount(v.Func.SSA, c)
	}
	return false
}

// givesCount reports whether the call in which a look stands can give away how many entries
// there are: as a number, or as an answer to a question. Otherwise the callee asks for its
// own use, and that tells its caller of no entry.
func givesCount(fn *ssa.Function, look *access.Access) bool {
	call, ok := look.Point.Instr(fn).(ssa.CallInstruction)
	if !ok {
		return true
	}
	results := call.Common().Signature().Results()
	for i := range results.Len() {
		b, ok := results.At(i).Type().Underlying().(*types.Basic)
		if ok && b.Info()&(types.IsInteger|types.IsBoolean) != 0 {
			return true
		}
	}
	return false
}

// query reports whether the function is an exported method of an exported
// type whose name and results read like a query, on a type without any lock.
func (j *Judge) query(v *Verdict) bool {
	return v.Func.Is(role.Public | role.Query)
}
