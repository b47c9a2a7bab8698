package depend

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A counter beside a map can keep room for entries that are still to come: who looks at the size adds the counter to it,
// counts it up in the same section, and down again where the entry is put in.

// Beside returns the counter that is added to a size wherever that is used, or the map whose size is, and where it is read.
func (f *Func) Beside(size ssa.Value) (counter accesspath.Path, at ssa.Instruction) {
	for v := size; ; {
		sum := onlyAdded(v)
		if sum == nil {
			return accesspath.Path{}, nil
		}
		other := sum.X
		if other == v {
			other = sum.Y
		}
		if call, ok := other.(*ssa.Call); ok && mapSize(call) {
			return f.Paths.Of(call.Call.Args[0]), call
		}
		if as, ok := other.(*ssa.Convert); ok && numbers(as.X.Type()) {
			other = as.X
		}
		if p, at := f.Version(other); at != nil && p.Known() {
			return p, at
		}
		v = sum
	}
}

// mapSize reports whether a call asks for the size of a map.
func mapSize(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return false
	}
	_, ok = call.Call.Args[0].Type().Underlying().(*types.Map)
	return ok
}

// onlyAdded returns the sum that alone uses a value, nil if there is something else.
func onlyAdded(v ssa.Value) (only *ssa.BinOp) {
	if v.Referrers() == nil {
		return nil
	}
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		sum, ok := r.(*ssa.BinOp)
		if !ok || only != nil || sum.Op != token.ADD {
			return nil
		}
		only = sum
	}
	return only
}

// CountsDown returns the address of the counter that an instruction counts down by one, nil if it does something else.
func CountsDown(paths *accesspath.Builder, instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		ld, ok := operand(instr, instr.Val, lessOne).(*ssa.UnOp)
		if ok && ld.Op == token.MUL && counter(instr.Addr) && paths.Of(ld.X) == paths.Of(instr.Addr) {
			return instr.Addr
		}
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		if model.Flag(fn) == model.FlagCount && len(args) == 2 && isInt(args[1], -1) && ssautil.Variable(args[0]) != nil {
			return args[0]
		}
	}
	return nil
}

// lessOne reports whether an operation with a constant takes one away.
func lessOne(op token.Token, k ssa.Value) bool {
	return op == token.SUB && isInt(k, 1) || op == token.ADD && isInt(k, -1)
}

func isInt(v ssa.Value, n int64) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && constant.Compare(k.Value, token.EQL, constant.MakeInt64(n))
}
