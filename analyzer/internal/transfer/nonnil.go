package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// assumeNonNil returns s on the branch where a condition holds, or does not, with what that says of a value which it
// does not compare with nil: what equals something that is not nil, or is found to be a kind of error, is not nil.
func (a *analysis) assumeNonNil(s locks.State, cond ssa.Value, holds bool) locks.State {
	cond, not := ssautil.Unnegated(cond)
	v := a.shownNonNil(cond, holds != not)
	if v == nil {
		return s
	}
	if c, ok := a.outcome(v, locks.Nil, false); ok && a.tests.remembers(c) {
		return s.Assume(c)
	}
	return s
}

// foundNonNil reports whether control comes to an instruction only where a value was found not to be nil.
func foundNonNil(v ssa.Value, at ssa.Instruction) bool {
	for b := at.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		br, ok := last(b.Preds[0]).(*ssa.If)
		if !ok || br.Block().Succs[0] == br.Block().Succs[1] {
			continue
		}
		cmp, ok := br.Cond.(*ssa.BinOp)
		if ok && nilCompared(cmp) == v && (cmp.Op == token.NEQ) == (b == br.Block().Succs[0]) {
			return true
		}
	}
	return false
}

// shownNonNil returns the value that a condition with this outcome shows not to be nil, nil if none.
func (a *analysis) shownNonNil(cond ssa.Value, holds bool) ssa.Value {
	nonNil := func(v ssa.Value) bool {
		is, known := a.known(v, locks.Nil)
		return known && !is
	}
	switch cond := cond.(type) {
	case *ssa.BinOp:
		if equal := cond.Op == token.EQL; !equal && cond.Op != token.NEQ || equal != holds {
			return nil
		}
		switch {
		case nonNil(cond.Y):
			return cond.X
		case nonNil(cond.X):
			return cond.Y
		}
	case *ssa.Call:
		fn, args := ssautil.Callee(&cond.Call)
		tests, equal := model.TestsError(fn)
		if !holds || !tests || len(args) == 0 {
			return nil
		}
		if !equal || len(args) > 1 && nonNil(args[1]) {
			return args[0]
		}
	}
	return nil
}
