package transfer

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A parameter that says in which mode a lock is to be taken, by a truth value or by a constant that it is compared with, is decided
// where a call passes a constant.

// runWhen expresses a condition on a parameter of a runner at its call: one that gets a constant is decided, one that gets a
// parameter of this function is a condition on that.
func (a *Env) runWhen(c locks.Cond, callee target) (locks.Cond, locks.Verdict) {
	if v, known := decidedAt(c, &callee); known {
		return c, v
	}
	arg := argOf(c, &callee)
	if arg == nil || a.Recursive {
		return c, locks.Unknown
	}
	if c.Test == locks.True {
		value, not := ssautil.Unnegated(arg)
		arg, c.Holds = value, c.Holds != not
	}
	if _, param := arg.(*ssa.Parameter); !param {
		return c, locks.Unknown
	}
	c.Val = a.Paths.Of(arg)
	return c, locks.If
}

// argOf returns what a callee gets as the parameter that a condition asks for, nil if it asks for something else.
func argOf(c locks.Cond, t *target) ssa.Value {
	r := c.Val.Root()
	if c.Result != 0 || r.Kind != accesspath.Param || r.Fn != t.key || c.Val.Depth() > 0 || r.Index >= len(t.args) {
		return nil
	}
	return t.args[r.Index]
}

// decidedAt says what becomes of a callee's condition at a call that passes a constant, or what is known, for the parameter
// that it asks for; false if it asks for something else, or that is not known.
func decidedAt(c locks.Cond, t *target) (v locks.Verdict, known bool) {
	is := false
	if i, k := comparedParam(c); k != nil {
		if accesspath.FuncKey(c.Val.Root().Val.Parent()) != t.key || i >= len(t.args) {
			return locks.Unknown, false
		}
		arg, ok := t.args[i].(*ssa.Const)
		if !ok || arg.Value == nil {
			return locks.Unknown, false
		}
		is = constant.Compare(arg.Value, token.EQL, k.Value)
	} else {
		arg := argOf(c, t)
		if arg == nil {
			return locks.Unknown, false
		}
		not := false
		if c.Test == locks.True {
			arg, not = ssautil.Unnegated(arg)
		}
		if is, known = knownValue(arg, c.Test); !known {
			return locks.Unknown, false
		}
		is = is != not
	}
	if is != c.Holds {
		return locks.Never, true
	}
	return locks.Unknown, true
}

// comparedParam returns the parameter of its function that a condition compares with a constant, by its position, and that
// constant; nil if it asks for something else.
func comparedParam(c locks.Cond) (int, *ssa.Const) {
	if c.Test != locks.True || c.Val.Depth() > 0 {
		return 0, nil
	}
	op, ok := c.Val.Root().Val.(*ssa.BinOp)
	if !ok || op.Op != token.EQL && op.Op != token.NEQ {
		return 0, nil
	}
	param, ok := op.X.(*ssa.Parameter)
	k, isConst := op.Y.(*ssa.Const)
	if !ok || !isConst || k.Value == nil {
		return 0, nil
	}
	for i, p := range param.Parent().Params {
		if p == param {
			return i, k
		}
	}
	return 0, nil
}
