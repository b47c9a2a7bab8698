package model

import "go/types"

// within holds the packages, beside those that are harmless, of which no function starts a goroutine.
var within = set(`io/fs go/ast`)

// runsWithin reports whether a library function runs what functions it gets before it returns, if at all: its package
// starts no goroutine, and nothing can hold them afterwards, neither what it gives nor its receiver.
func runsWithin(fn *types.Func) bool {
	if fn.Pkg() == nil || !harmless[fn.Pkg().Path()] && !within[fn.Pkg().Path()] {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() != nil && !Immutable(sig.Recv().Type()) {
		return false
	}
	takes := false
	for p := range sig.Params().Variables() {
		_, function := p.Type().Underlying().(*types.Signature)
		takes = takes || function
	}
	for r := range sig.Results().Variables() {
		if canHold(r.Type()) {
			return false
		}
	}
	return takes
}

// canHold reports whether a value of a result's type can lead to a function.
func canHold(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param || types.Identical(t, types.Universe.Lookup("error").Type()) {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Slice:
		return canHold(t.Elem())
	case *types.Map:
		return canHold(t.Key()) || canHold(t.Elem())
	}
	return true
}
