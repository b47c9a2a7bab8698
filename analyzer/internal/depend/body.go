package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// SetWhereFound reports whether a variable is set only where the walk has come
// to the entry that it looks for.
func (f *Func) SetWhereFound(finds map[ssa.Value]Sense, stores []*ssa.Store) bool {
	return !slices.ContainsFunc(stores, func(st *ssa.Store) bool { return f.polarityAt(finds, st) != Present })
}

// KeepsEntry reports whether one of the stores keeps something of the entry's
// value.
func (f *Func) KeepsEntry(values []*ssa.Parameter, stores []*ssa.Store) bool {
	var seeds []ssa.Value
	for _, v := range values {
		seeds = append(seeds, v)
	}
	data := f.forward(seeds, dataOnly)
	return slices.ContainsFunc(stores, func(st *ssa.Store) bool { return data.Has(st.Val) })
}

// Left says how a variable that a literal sets by what a look found tells presence,
// to those who read it afterwards, and whether it tells nothing else. A variable
// that is not set keeps its zero value, as one that is set to it.
func (f *Func) Left(l *Look, stores []*ssa.Store) (s Sense, presence bool) {
	for _, st := range stores {
		here := f.senseOf(l.Senses, ssautil.Unwrap(st.Val), 0)
		if here == NoSense {
			here = f.senseWhere(l.Senses, st.Val, st)
		}
		switch {
		case here == NoSense && isZero(st.Val):
			continue // what it begins with
		case here != TrueIfPresent && here != TrueIfAbsent, s != NoSense && s != here:
			return NoSense, false
		}
		s = here
	}
	if s == NoSense {
		return NoSense, false
	}
	content := f.forward(minus(l.Outcomes, l.Presence), notPresence)
	return s, !slices.ContainsFunc(stores, func(st *ssa.Store) bool { return content.Has(st.Val) || content.Controls(st) })
}

// Flags gives the senses of a variable that a literal sets where it has found
// the entry: of its values where the function around it makes it zero before,
// and of comparisons with a constant that it has only then.
func (f *Func) Flags(senses, finds map[ssa.Value]Sense, v *ssa.Alloc, stores []*ssa.Store) {
	flag := f.SetWhereFound(finds, stores) && !slices.ContainsFunc(stores, func(st *ssa.Store) bool { return isZero(st.Val) })
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			flag = flag && isZero(r.Val)
		case *ssa.UnOp:
			f.comparisons(senses, finds, r, stores)
		}
	}
	if !flag {
		return
	}
	for _, r := range *v.Referrers() {
		if ld, ok := r.(*ssa.UnOp); ok {
			senses[ld] = TrueIfPresent
		}
	}
}

func isZero(v ssa.Value) bool {
	c, ok := ssautil.Unwrap(v).(*ssa.Const)
	return ok && ssautil.IsZeroConst(c)
}

// comparisons handles a loop that is left from inside the literal: it notes
// how, and the function around it asks for that.
func (f *Func) comparisons(senses, finds map[ssa.Value]Sense, ld *ssa.UnOp, stores []*ssa.Store) {
	for _, r := range *ld.Referrers() {
		b, ok := r.(*ssa.BinOp)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			continue
		}
		c, ok := b.Y.(*ssa.Const)
		if !ok || c.Value == nil {
			continue
		}
		some, always := false, true
		for _, st := range stores {
			if k, ok := st.Val.(*ssa.Const); ok && k.Value != nil && k.Value.ExactString() == c.Value.ExactString() {
				some = true
				always = always && f.polarityAt(finds, st) == Present
			}
		}
		if some && always {
			senses[b] = TrueIfFound.If(b.Op == token.EQL)
		}
	}
}

// InCopy gives the senses of what is asked of a copy of a map or of its keys,
// the key that it is asked for, and whether the copy is used for nothing else.
func (f *Func) InCopy(copies []ssa.Value) (senses map[ssa.Value]Sense, sought ssa.Value, only bool) {
	data := f.forward(copies, dataOnly)
	senses = make(map[ssa.Value]Sense)
	only = true
	ask := func(key ssa.Value, answers map[ssa.Value]Sense) {
		only = only && (sought == nil || sought == key)
		sought = key
		for v, s := range answers {
			senses[v] = s
		}
	}
	for v := range data.vals {
		switch v := v.(type) {
		case *ssa.Lookup:
			if !data.Has(v.X) {
				continue
			}
			found := []ssa.Value{v}
			if v.CommaOk {
				found, _ = ssautil.CommaOk(v)
			}
			ask(v.Index, Tell(found))
		case *ssa.Call:
			fn, args := ssautil.Callee(&v.Call)
			switch _, plain := v.Type().Underlying().(*types.Basic); {
			case model.Contains(fn) && len(args) == 2 && data.Has(args[0]):
				ask(args[1], map[ssa.Value]Sense{v: TrueIfPresent})
			case plain:
				only = false // a length, or something else that is made of it
			}
		case *ssa.Range, *ssa.IndexAddr:
			only = false
		}
	}
	return senses, sought, only && sought != nil
}

// DeletedKey returns the key of the one entry that a predicate chooses: it does
// nothing but compare the key with a value.
func DeletedKey(predicate ssa.Value) ssa.Value {
	lit := ssautil.Literal(predicate)
	if lit == nil || len(lit.Params) != 2 || len(*lit.Params[1].Referrers()) > 0 {
		return nil
	}
	b, ok := soleResult(lit).(*ssa.BinOp)
	if !ok || b.Op != token.EQL {
		return nil
	}
	switch ssa.Value(lit.Params[0]) {
	case b.X:
		return b.Y
	case b.Y:
		return b.X
	}
	return nil
}

// ContentDecides reports whether one of the results rests on more of an entry
// than that it is there.
func (f *Func) ContentDecides(outcomes, presence []ssa.Value, rets []*ssa.Return, i int) bool {
	s := f.forward(minus(outcomes, presence), notPresence)
	return slices.ContainsFunc(rets, func(r *ssa.Return) bool { return s.Has(ssautil.ResultAt(r, i)) || s.Controls(r) })
}
