package depend

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A version is a counter that each change of a map counts up: a field or variable beside the map, or
// the entry of a second map under the same key. Where it has the value that it had at a look, there was
// no change in between.

// CountsUp returns the address of the counter that an instruction counts up by a constant, nil if it
// does something else. What is read and what is stored are one step: no call comes in between.
func CountsUp(paths *accesspath.Builder, instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		ld, ok := addend(instr, instr.Val).(*ssa.UnOp)
		if ok && ld.Op == token.MUL && counter(instr.Addr) && paths.Of(ld.X) == paths.Of(instr.Addr) {
			return instr.Addr
		}
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		if model.Flag(fn) == model.FlagCount && len(args) == 2 && positive(args[1]) && ssautil.Variable(args[0]) != nil {
			return args[0]
		}
	}
	return nil
}

// Counted returns the path of the counter that an instruction counts up: a field, a variable, or the
// entry of a map.
func (f *Func) Counted(instr ssa.Instruction) accesspath.Path {
	if addr := CountsUp(f.Paths, instr); addr != nil {
		return f.Paths.Of(addr)
	}
	put, ok := instr.(*ssa.MapUpdate)
	if !ok || !numbers(put.Value.Type()) {
		return accesspath.Path{}
	}
	old, _ := f.Version(addend(put, put.Value))
	if entry := f.entry(put.Map, put.Key); old == entry {
		return entry
	}
	return accesspath.Path{}
}

// Version returns the counter that a value was read from, and where.
func (f *Func) Version(v ssa.Value) (p accesspath.Path, at ssa.Instruction) {
	v = ssautil.Settled(v)
	if ld, ok := v.(*ssa.UnOp); ok {
		if st := ssautil.LastStore(ld); st != nil {
			v = st.Val
		}
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL && counter(v.X) {
			return f.Paths.Of(v.X), v
		}
	case *ssa.Call:
		if fn, args := ssautil.Callee(&v.Call); model.ReadsFlag(fn) && ssautil.Variable(args[0]) != nil {
			return f.Paths.Of(args[0]), v
		}
		return f.valueOf(v, 0)
	case *ssa.Lookup:
		if numbers(v.Type()) {
			return f.entry(v.X, v.Index), v
		}
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 && numbers(v.Type()) {
			return f.entry(l.X, l.Index), l
		}
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return f.valueOf(c, v.Index)
		}
	}
	return accesspath.Path{}, nil
}

// valueOf returns the counter of which a result of a call is the value, and the call.
func (f *Func) valueOf(c *ssa.Call, result int) (accesspath.Path, ssa.Instruction) {
	if f.Env.Counter == nil {
		return accesspath.Path{}, nil
	}
	p := f.Env.Counter(c, result)
	if !p.Known() {
		return accesspath.Path{}, nil
	}
	return p, c
}

// A Reading is a counter that is found to be equal to a value: what is read, where, and the value.
type Reading struct {
	Counter accesspath.Path
	At      ssa.Instruction
	Equal   ssa.Value
}

// Readings returns the counters that are found to be equal to something on each way to an instruction.
func (f *Func) Readings(instr ssa.Instruction) (out []Reading) {
	for cond, holds := range f.decided(instr) {
		cond, not := ssautil.Unnegated(cond)
		holds = holds != not
		op, ok := cond.(*ssa.BinOp)
		if !ok || op.Op != token.EQL && op.Op != token.NEQ || (op.Op == token.EQL) != holds {
			continue
		}
		for _, sides := range [...][2]ssa.Value{{op.X, op.Y}, {op.Y, op.X}} {
			if p, at := f.Version(sides[0]); at != nil {
				out = append(out, Reading{p, at, sides[1]})
			}
		}
	}
	return out
}

// entry names the entry of a map under a key.
func (f *Func) entry(m, key ssa.Value) accesspath.Path {
	return f.Paths.Elem(f.Paths.Of(m), f.KeyOf(key))
}

// addend returns to what a positive constant is added to give v, nil if v is something else, or if
// code of others may run between the sum's reading and the instruction that stores it.
func addend(at ssa.Instruction, v ssa.Value) ssa.Value {
	return operand(at, v, func(op token.Token, k ssa.Value) bool { return op == token.ADD && positive(k) })
}

// operand returns from what an operation with a suitable constant makes v, nil if v is something else, or if code of
// others may run between the reading and the instruction that stores it.
func operand(at ssa.Instruction, v ssa.Value, suits func(op token.Token, k ssa.Value) bool) ssa.Value {
	sum, ok := v.(*ssa.BinOp)
	if !ok {
		return nil
	}
	x, k := sum.X, sum.Y
	if _, first := x.(*ssa.Const); first && sum.Op == token.ADD {
		x, k = k, x
	}
	read, ok := x.(ssa.Instruction)
	if !ok || !suits(sum.Op, k) || read.Block() != at.Block() {
		return nil
	}
	instrs := at.Block().Instrs
	from, to := slices.Index(instrs, read), slices.Index(instrs, at)
	if from > to || slices.ContainsFunc(instrs[from:to], func(i ssa.Instruction) bool { _, call := i.(ssa.CallInstruction); return call }) {
		return nil
	}
	return x
}

func positive(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && constant.Sign(k.Value) > 0
}

// counter reports whether an address is that of a field or package-level variable with a number.
func counter(addr ssa.Value) bool {
	return ssautil.Variable(addr) != nil && numbers(ssautil.Pointee(addr.Type()))
}

// numbers reports whether a type has integers enough that no counter comes round to where it was
// while one goroutine works.
func numbers(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16:
		return false
	}
	return true
}
