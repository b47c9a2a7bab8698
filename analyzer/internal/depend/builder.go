package depend

import (
	"golang.org/x/tools/go/ssa"
)

// findBuilders returns the parameters that are objects being made wherever the package calls
// their function, and nothing else can: what such a function changes there is a part of the
// making. Complexity: linear in the instructions, times the nesting of such calls.
func findBuilders(funcs []*ssa.Function) map[*ssa.Parameter]bool {
	calls := make(map[*ssa.Function][]*ssa.Call)
	open := make(map[*ssa.Function]bool)
	invoked := make(map[string]bool)
	var ops []*ssa.Value
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, isCall := instr.(*ssa.Call)
				if isCall && call.Call.IsInvoke() {
					invoked[call.Call.Method.Name()] = true
				}
				ops = instr.Operands(ops[:0])
				for i, op := range ops {
					callee, ok := (*op).(*ssa.Function)
					switch {
					case !ok:
					case isCall && i == 0 && !call.Call.IsInvoke():
						calls[callee] = append(calls[callee], call)
					default:
						open[callee] = true
					}
				}
			}
		}
	}
	out := make(map[*ssa.Parameter]bool)
	for fn := range calls {
		if obj := fn.Object(); obj != nil && !obj.Exported() && !open[fn] && !invoked[fn.Name()] {
			for _, p := range fn.Params {
				out[p] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for fn, sites := range calls {
			for i, p := range fn.Params {
				if out[p] && !allMaking(out, sites, i) {
					delete(out, p)
					changed = true
				}
			}
		}
	}
	return out
}

// allMaking reports whether argument i of each call is an object that is being made.
func allMaking(builders map[*ssa.Parameter]bool, sites []*ssa.Call, i int) bool {
	for _, call := range sites {
		switch arg := call.Call.Args[i].(type) {
		case *ssa.Alloc:
			if !making(arg, call) {
				return false
			}
		case *ssa.Parameter:
			if !builders[arg] {
				return false
			}
		default:
			return false
		}
	}
	return true
}
