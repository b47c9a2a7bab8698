package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxSetters bounds the functions, one called by the other, that set fields of what they get.
const maxSetters = 3

// setBy returns the fields, by index, that lead to a map and that a call gives new values in the
// struct at addr before it returns, and without having read them.
func setBy(call *ssa.Call, addr ssa.Value, depth int) (set uint64) {
	callee := call.Call.StaticCallee()
	if callee == nil || depth == maxSetters || len(callee.Blocks) == 0 || len(callee.Params) != len(call.Call.Args) {
		return 0
	}
	for i, arg := range call.Call.Args {
		if arg == addr {
			set |= setAlways(callee.Params[i], depth)
		}
	}
	return set
}

// setAlways is setBy for a parameter of the function that is called.
func setAlways(p *ssa.Parameter, depth int) (set uint64) {
	var fields uint64
	sets := func(instr ssa.Instruction) uint64 {
		switch instr := instr.(type) {
		case *ssa.Store:
			if fa, ok := instr.Addr.(*ssa.FieldAddr); ok && fa.X == ssa.Value(p) && fa.Field < 64 && refers(instr.Val.Type()) {
				return 1 << fa.Field
			}
		case *ssa.Call:
			return setBy(instr, p, depth+1)
		}
		return 0
	}
	Some(p.Parent(), func(instr ssa.Instruction) bool {
		fields |= sets(instr)
		return false
	})
	for f := range 64 {
		if bit := uint64(1) << f; fields&bit != 0 && setFirst(p, f, func(instr ssa.Instruction) bool { return sets(instr)&bit != 0 }) {
			set |= bit
		}
	}
	return set
}

// setFirst reports whether each way through the function to its end comes to an instruction that
// sets a field, and does not read the field before. Complexity: linear in the function.
func setFirst(p *ssa.Parameter, field int, sets func(ssa.Instruction) bool) bool {
	entry := p.Parent().Blocks[0]
	seen := map[*ssa.BasicBlock]bool{entry: true}
	for work := []*ssa.BasicBlock{entry}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		at := slices.IndexFunc(b.Instrs, sets)
		before := b.Instrs
		if at >= 0 {
			before = b.Instrs[:at]
		}
		if slices.ContainsFunc(before, func(instr ssa.Instruction) bool { return comesTo(instr, p, field) }) {
			return false
		}
		if at >= 0 {
			continue
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return true
}

// comesTo reports whether an instruction reads a field of what a parameter points to, does
// something else with its address than assign it, or ends the function.
func comesTo(instr ssa.Instruction, p *ssa.Parameter, field int) bool {
	switch instr := instr.(type) {
	case *ssa.Return:
		return true
	case *ssa.FieldAddr:
		return instr.X == ssa.Value(p) && instr.Field == field && slices.ContainsFunc(*instr.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			_, debug := r.(*ssa.DebugRef)
			return !debug && (!ok || st.Addr != ssa.Value(instr))
		})
	}
	return false
}
