package depend

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// memo reports whether the function gives its callers what the look found in the
// entry, or else what it has made, and puts in. What it gives of the entry does not
// change once that is there.
func (f *Func) memo(l *Look, a *Act) bool {
	if !looksAndPuts(l, a) {
		return false
	}
	found, made := f.answers(l, a)
	if len(found) == 0 || len(found) > maxEnds {
		return false
	}
	if f.changing(f.Backward(found...), l) {
		return false
	}
	return f.shareWork(f.Backward(made...), f.parts(a.Value), l, a) || f.memoOfConstant(l, a)
}

// looksAndPuts reports whether a look reads one entry, and an act puts a value in.
func looksAndPuts(l *Look, a *Act) bool {
	looks := l.Op == access.Lookup || l.Op == access.Load
	puts := a.Op == access.Insert || a.Op == access.Store
	return looks && puts && a.Value != nil
}

// memoOfConstant reports whether the function, once it has put a constant in, gives its callers
// the same one, where it gives them what the entry says if there is one.
func (f *Func) memoOfConstant(l *Look, a *Act) bool {
	if !looksAndPuts(l, a) {
		return false
	}
	put, ok := ssautil.Unwrap(a.Value).(*ssa.Const)
	if !ok || put.Value == nil {
		return false
	}
	from, then := make(map[int]bool), make(map[int]bool)
	for _, r := range Returns(f.Fn) {
		for i := range r.Results {
			x := ssautil.ResultAt(r, i)
			from[i] = from[i] || l.data.Has(x)
			k, ok := x.(*ssa.Const)
			same := ok && k.Value != nil && types.Identical(k.Type(), put.Type()) && constant.Compare(k.Value, token.EQL, put.Value)
			then[i] = then[i] || same && a.Instr.Block().Dominates(r.Block())
		}
	}
	for i := range from {
		if from[i] && then[i] {
			return true
		}
	}
	return false
}

// answers returns the results that say what the look found, and those that are given
// once the act has run. An error is no answer.
func (f *Func) answers(l *Look, a *Act) (found, made []ssa.Value) {
	for _, r := range Returns(f.Fn) {
		for i := range r.Results {
			x := ssautil.ResultAt(r, i)
			if _, constant := x.(*ssa.Const); constant || ssautil.IsError(x.Type()) {
				continue
			}
			if l.data.Has(x) {
				found = append(found, x)
			}
			if f.leads(a.Instr.Block(), r.Block()) {
				made = append(made, x)
			}
		}
	}
	return found, made
}

// changing reports whether one of the values is read from a field of the entry that
// changes once its object is made.
func (f *Func) changing(values map[ssa.Value]bool, l *Look) bool {
	for v := range values {
		if fld, ok := v.(*ssa.FieldAddr); ok && l.data.Has(fld.X) && f.Changes.fields[ssautil.FieldOf(fld)] {
			return true
		}
	}
	return false
}

// shareWork reports whether something was made, other than by the look, that goes
// into both a result and what the act puts in. An object with identity is no
// answer by itself, nor is the time or a counter's number.
func (f *Func) shareWork(result, into map[ssa.Value]bool, l *Look, a *Act) bool {
	self := ssautil.Unwrap(a.Value)
	for v := range result {
		if !into[v] || l.data.Has(v) {
			continue
		}
		switch v := v.(type) {
		case *ssa.Call:
			if !f.volatileCall(v) && (v != self || f.Stored(v) != access.StoredIdentity) {
				return true
			}
		case *ssa.Alloc:
			if v != self || f.Stored(v) != access.StoredIdentity {
				return true
			}
		case *ssa.BinOp, *ssa.MakeSlice, *ssa.MakeMap:
			return true
		}
	}
	return false
}
