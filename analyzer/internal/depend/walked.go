package depend

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxWalked bounds the steps from an act's key back to the walk that gave it.
const maxWalked = 8

// walked reports whether the act's key is one that a walk over the map has found, perhaps by way of a
// list of the keys, and the walk uses nothing else of the entries. Complexity: linear in what is put into such a list, up to a bound.
func (f *Func) walked(l *Look, a *Act) bool {
	return l.Op == access.Range && !l.Lifted && a.Key != nil && !usesEntries(l) && f.keyOf(l, a.Key, maxWalked)
}

// keyOf reports whether a value is nothing but a key of a walk.
func (f *Func) keyOf(l *Look, v ssa.Value, steps int) bool {
	if steps == 0 {
		return false
	}
	switch v := ssautil.Unwrap(v).(type) {
	case *ssa.Extract:
		next, ok := v.Tuple.(*ssa.Next)
		return ok && v.Index == 1 && slices.Contains(l.Outcomes, ssa.Value(v)) && !next.IsString
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.IndexAddr:
			return f.listOf(l, x.X, nil, steps-1)
		case *ssa.Alloc:
			sole := ssautil.SoleStore(x)
			return sole != nil && f.keyOf(l, sole, steps-1)
		}
	}
	return false
}

// listOf reports whether a slice holds nothing but keys of a walk. What is open has been asked for before:
// a list that each round of a loop adds to.
func (f *Func) listOf(l *Look, list ssa.Value, open []ssa.Value, steps int) bool {
	if steps == 0 || slices.Contains(open, list) {
		return steps > 0
	}
	open = append(open, list)
	switch v := list.(type) {
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !f.listOf(l, e, open, steps-1) })
	case *ssa.MakeSlice:
		return ssautil.IsZero(v.Len)
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Slice:
		made, ok := v.X.(*ssa.Alloc)
		return ok && v.High != nil && ssautil.IsZero(v.High) && made.Comment == "makeslice"
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && f.listOf(l, v.Call.Args[0], open, steps-1) && f.keysOf(l, v.Call.Args[1], steps-1)
	}
	return false
}

// keysOf reports whether a list of further arguments holds nothing but keys of a walk.
func (f *Func) keysOf(l *Look, list ssa.Value, steps int) bool {
	part, ok := list.(*ssa.Slice)
	if !ok {
		return false
	}
	made, ok := part.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	added := ssautil.Arguments(made)
	return len(added) > 0 && !slices.ContainsFunc(added, func(v ssa.Value) bool { return !f.keyOf(l, v, steps) })
}

// usesEntries reports whether something uses what a walk has found in the entries, beside their keys.
func usesEntries(l *Look) bool {
	return slices.ContainsFunc(l.Outcomes, func(v ssa.Value) bool {
		e, ok := v.(*ssa.Extract)
		return (!ok || e.Index > 1) && used(v)
	})
}
