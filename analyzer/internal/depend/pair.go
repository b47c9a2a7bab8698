package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A Look is a read of a map as the theory sees it.
type Look struct {
	Instr ssa.Instruction
	Op    access.Op
	// Outcomes carry what the look found; Presence are those of them that
	// tell no more than whether the entry is there.
	Outcomes, Presence []ssa.Value
	// Senses say how outcomes tell presence.
	Senses map[ssa.Value]Sense
	// Misses say what outcomes are where a callee has found nothing, where Senses do not.
	Misses map[ssa.Value]Sense
	// Lifted: it stands in a callee.
	Lifted bool

	all, data, content *Slice
}

// An Act is a change of a map, or a call that makes one.
type Act struct {
	Instr ssa.Instruction
	Op    access.Op
	Path  accesspath.Path
	// Value and Key are what is written and where; Inputs are the arguments
	// of a call.
	Value, Key ssa.Value
	Inputs     []ssa.Value
	// From are variables from which a literal computes what it writes, or what
	// a function gets that changes the map in bulk.
	From []ssa.Value
	// Empty: it assigns a new map without entries.
	Empty bool
	// Lifted: the act stands in a callee.
	Lifted bool
	// Results are the values that an acting call gives.
	Results []ssa.Value
}

// written are the values that go into what the act writes.
func (a *Act) written() []ssa.Value { return append(slices.Clone(a.From), a.Value) }

// writesOf reports whether something of a slice goes into what the act writes.
func (f *Func) writesOf(s *Slice, l *Look, a *Act) bool {
	return s.hasAny(a.written()) && !f.zeroAt(l, a) && !f.overwritten(s, l, a)
}

// overwritten reports whether the act writes a struct that was set to what the look
// found, and then each field of it to something else.
func (f *Func) overwritten(s *Slice, l *Look, a *Act) bool {
	ld, ok := a.Value.(*ssa.UnOp)
	if !ok || len(a.From) > 0 {
		return false
	}
	cell, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	st, ok := ssautil.Pointee(cell.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	anew := make(map[int]bool)
	for _, r := range *cell.Referrers() {
		fld, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range *fld.Referrers() {
			set, ok := r.(*ssa.Store)
			last := ok && ssautil.Dominates(set, ld) && !f.between(set, l.Instr, ld) && !f.setsAgain(cell, set, ld)
			if last && set.Addr == ssa.Value(fld) && !s.Has(set.Val) {
				anew[fld.Field] = true
			}
		}
	}
	return len(anew) == st.NumFields()
}

// setsAgain reports whether the whole variable may be set between two instructions.
func (f *Func) setsAgain(cell *ssa.Alloc, from, to ssa.Instruction) bool {
	return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Addr == ssa.Value(cell) && f.between(from, st, to)
	})
}

// Slice returns all that depends on a look.
func (f *Func) Slice(l *Look) *Slice {
	if l.all == nil {
		l.all = f.Forward(l.Outcomes)
	}
	return l.all
}

// Between describes how an act depends on a look; false if it does not.
func (f *Func) Between(l *Look, a *Act) (Dependence, bool) {
	if l.Instr == a.Instr || !f.Reach.MayPrecede(l.Instr, a.Instr) {
		return Dependence{}, false
	}
	if f.Slice(l); !l.all.Controls(a.Instr) && !l.all.Has(a.Value) && !l.all.Has(a.Key) && !l.all.hasAny(a.Inputs) && !l.all.hasAny(a.From) {
		if d, ok := f.afterUse(l, a); ok {
			return d, true
		}
		return f.afterWait(l, a)
	}
	if l.data == nil {
		l.data = f.forward(l.Outcomes, dataOnly)
		l.content = f.forward(minus(l.Outcomes, l.Presence), notPresence)
	}
	d := Dependence{Traits: f.inputs(l, a) | f.decision(l, a) | f.outcome(l, a)}
	if d.Has(Walked) && !d.Has(Content) {
		d.Traits &^= Data // of the key alone
	}
	d.Polarity = f.polarity(l, a, d.Traits)
	return d, true
}

// afterUse handles an act that empties the map after something was done with
// all that was in it: what came in since then is dropped.
func (f *Func) afterUse(l *Look, a *Act) (Dependence, bool) {
	empties := a.Op == access.Clear || a.Op == access.Assign && a.Empty
	if !empties || l.Op != access.Range || !f.used(l, minus(l.Outcomes, l.Presence), a) {
		return Dependence{}, false
	}
	return Dependence{Traits: Used | Content, Polarity: Any}, true
}

// inputs says what of the act's own inputs comes from the look.
func (f *Func) inputs(l *Look, a *Act) Traits {
	controlled := l.all.Controls(a.Instr)
	value, key := l.all.Has(a.Value), l.all.Has(a.Key)
	whole := a.Op == access.Assign || !a.Lifted
	update := whole && a.Value == nil && a.Key == nil && l.data.hasAny(a.Inputs)
	same := a.Value != nil && l.gives(asserted(a.Value)) && ssautil.PointerLike(ssautil.Unwrap(a.Value).Type())
	return Traits(0).
		with(Control, controlled).
		with(Data, f.writesOf(l.data, l, a) || update).
		with(KeyOnly, !controlled && !value && key).
		with(Weak, !controlled && !value && !key).
		with(Chosen, key).
		with(Same, same).
		with(Walked, key && f.walked(l, a)).
		with(Unique, a.Op == access.Insert && f.UniqueKey(a.Key))
}

// gives reports whether a value is what the look found. A callee that looks may make another object
// where it finds none, unless its result tells.
func (l *Look) gives(v ssa.Value) bool {
	return slices.Contains(l.Outcomes, v) && (!l.Lifted || l.Senses[v] != NoSense)
}

// asserted returns the value that a value is, whatever interface and type it was told to have.
func asserted(v ssa.Value) ssa.Value {
	for {
		v = ssautil.Unwrap(v)
		at := v
		if tuple, ok := v.(*ssa.Extract); ok && tuple.Index == 0 {
			at = tuple.Tuple
		}
		told, ok := at.(*ssa.TypeAssert)
		if !ok {
			return v
		}
		v = told.X
	}
}

// zeroAt reports whether what the look found is the zero value at the act: the
// act only runs where there was no entry, so nothing that was in the map goes
// into what it writes. In a loop, it may come from the entry of a round before.
func (f *Func) zeroAt(l *Look, a *Act) bool {
	looks := l.Op == access.Lookup || l.Op == access.Load
	return looks && !f.Reach.InLoop(l.Instr) && f.polarityFrom(l, a.Instr) == Absent
}

// decision says what of the look decides on the act.
func (f *Func) decision(l *Look, a *Act) Traits {
	controlled := l.all.Controls(a.Instr)
	content := l.content.Controls(a.Instr)
	if !a.Op.Deletes() { // which entry goes is no decision on its content
		content = content || f.writesOf(l.content, l, a) || l.content.hasAny(a.Inputs) || l.content.Has(a.Key)
	}
	return Traits(0).
		with(Content, content).
		with(Ordered, controlled && f.ordered(l.content, a)).
		with(Generation, controlled && f.looksAtEntry(l.content, a)).
		with(Compared, f.comparedAgain(l.content, a)).
		with(Whether, controlled && f.asksWhether(l, a)).
		with(Emptied, a.Op.Deletes() && content && f.emptied(l.content, a)).
		with(Regardless, controlled && a.Op.Deletes() && f.regardless(l, a.Instr)).
		with(Answered, a.Lifted && a.Op.Deletes() && asked(a.Results))
}

// outcome says what else happens because of the look, and what callers see.
func (f *Func) outcome(l *Look, a *Act) Traits {
	controlled := l.all.Controls(a.Instr)
	values := minus(l.Outcomes, l.Presence)
	returned := a.Value != nil && len(ReturnsOf(ssautil.Unwrap(a.Value))) > 0 &&
		slices.ContainsFunc(l.Outcomes, func(v ssa.Value) bool { return len(ReturnsOf(v)) > 0 })
	taken := a.Op.Deletes() && slices.ContainsFunc(values, func(v ssa.Value) bool { return f.ReturnedAfter(v, a.Instr) != nil })
	if c, ok := a.Instr.(*ssa.Call); ok && a.Op.Deletes() && !taken {
		taken = l.data.Has(handedOut(c)) && len(ReturnsOf(c)) > 0
	}
	var effects Traits
	if controlled {
		effects = f.sideEffects(l.all, a)
	}
	return effects.
		with(Ends, a.Op.Deletes() && f.ends(l.data, a.Instr)).
		with(Used, a.Op.Deletes() && f.used(l, values, a)).
		with(Spent, a.Op.Deletes() && f.spent(values, a)).
		with(Returned, returned || f.memoOfConstant(l, a)).
		with(Taken, taken).
		with(Own, returned && a.Op == access.Insert && f.ownAnyway(a)).
		with(Memo, f.memo(l, a)).
		with(Seen, slices.ContainsFunc(values, used)).
		with(Told, controlled && (f.told(l, a.Instr) || !a.Op.Deletes() && f.answered(l, a.Instr)))
}

// used reports whether something uses a value.
func used(v ssa.Value) bool {
	refs := v.Referrers()
	return refs == nil || slices.ContainsFunc(*refs, func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return !debug
	})
}

// polarity says what the look found on the act's path.
func (f *Func) polarity(l *Look, a *Act, t Traits) Polarity {
	switch l.Op {
	case access.Len:
		if f.roomFor(l, a) {
			return Room
		}
		return Count
	case access.Range, access.Visit:
		if len(l.Outcomes) == 1 && len(l.Presence) == 0 && ssautil.IsBool(l.Outcomes[0].Type()) {
			return Count // a walk that uses no entry
		}
		if gives(l, isNumber) {
			return Count // a sum or a number of entries
		}
		if t.Has(Walked) && t&(Data|Content) == 0 {
			return Present
		}
		return f.polarityAt(l.Senses, a.Instr)
	}
	p := f.polarityFrom(l, a.Instr)
	switch {
	case t.Has(Data | Content):
		return Value
	case p != Any:
		return p
	case t.Has(Content):
		return Value
	}
	return Any
}

// gives reports whether a look in a callee, or in an iterator, leaves nothing but
// values of a type.
func gives(l *Look, of func(types.Type) bool) bool {
	if _, ok := l.Instr.(ssa.CallInstruction); !ok {
		return false
	}
	return !slices.ContainsFunc(l.Outcomes, func(v ssa.Value) bool {
		t := v.Type()
		if cell, ok := v.(*ssa.Alloc); ok {
			t = ssautil.Pointee(cell.Type())
		}
		return !of(t)
	})
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func minus(vs, without []ssa.Value) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(vs), func(v ssa.Value) bool { return slices.Contains(without, v) })
}

// asked reports whether the truth value that a call gives decides a branch.
func asked(results []ssa.Value) bool {
	for _, v := range results {
		if v == nil || !ssautil.IsBool(v.Type()) {
			continue
		}
		for _, r := range *v.Referrers() {
			if _, ok := r.(*ssa.If); ok {
				return true
			}
		}
	}
	return false
}
