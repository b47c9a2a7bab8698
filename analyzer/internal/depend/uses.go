package depend

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// uses tells who calls the functions of a package, and what it stores where.
type uses struct {
	calls   map[*ssa.Function][]ssa.CallInstruction
	invokes map[string][]ssa.CallInstruction // of a method of an interface, by its name
	dynamic []ssa.CallInstruction            // of function values
	methods map[string][]*ssa.Function
	stored  map[any][]ssa.Value // in fields and variables of the package
}

// findUses gathers them. Complexity: linear in the instructions.
func findUses(funcs []*ssa.Function) *uses {
	u := &uses{
		calls: make(map[*ssa.Function][]ssa.CallInstruction), invokes: make(map[string][]ssa.CallInstruction),
		methods: make(map[string][]*ssa.Function), stored: make(map[any][]ssa.Value),
	}
	for _, fn := range funcs {
		if fn.Signature.Recv() != nil {
			u.methods[fn.Name()] = append(u.methods[fn.Name()], fn)
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case ssa.CallInstruction:
					u.addCall(instr)
				case *ssa.Store:
					if _, local := instr.Addr.(*ssa.Alloc); !local {
						place := placeOf(instr.Addr)
						u.stored[place] = append(u.stored[place], instr.Val)
					}
				}
			}
		}
	}
	return u
}

func (u *uses) addCall(call ssa.CallInstruction) {
	common := call.Common()
	if common.IsInvoke() {
		u.invokes[common.Method.Name()] = append(u.invokes[common.Method.Name()], call)
		return
	}
	if fn := common.StaticCallee(); fn != nil {
		fn = written(fn)
		u.calls[fn] = append(u.calls[fn], call)
		return
	}
	if _, builtin := common.Value.(*ssa.Builtin); !builtin {
		u.dynamic = append(u.dynamic, call)
	}
}

// callsOf returns the calls of the package that can run a function.
func (u *uses) callsOf(fn *ssa.Function) []ssa.CallInstruction {
	out := u.calls[fn]
	if fn.Signature.Recv() != nil {
		return append(out[:len(out):len(out)], u.invokes[fn.Name()]...)
	}
	for _, call := range u.dynamic {
		if types.Identical(call.Common().Value.Type().Underlying(), fn.Signature) {
			out = append(out[:len(out):len(out)], call)
		}
	}
	return out
}

// runs returns the functions of the package that a call can run, as far as that shows.
func (u *uses) runs(call *ssa.CallCommon) []*ssa.Function {
	if call.IsInvoke() {
		return u.methods[call.Method.Name()]
	}
	if fn := call.StaticCallee(); fn != nil && len(written(fn).Blocks) > 0 {
		return []*ssa.Function{written(fn)}
	}
	return nil
}

// written returns the function that stands in the source: of a generic one, for what it is called with, that for all.
func written(fn *ssa.Function) *ssa.Function {
	if of := fn.Origin(); of != nil {
		return of
	}
	return fn
}
