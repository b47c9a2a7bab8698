package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxLast bounds the literals, one called by the other, that are looked at for what they do to maps.
const maxLast = 3

// EndsAfter reports whether a function does nothing with what others see any more after an instruction, deferred calls
// included: it returns, and calls only what other packages have. After a deferred call come those that were deferred before.
func EndsAfter(instr ssa.Instruction) bool {
	reach := NewReach(instr.Parent())
	_, atEnd := instr.(*ssa.Defer)
	return !Some(instr.Parent(), func(i ssa.Instruction) bool {
		_, deferred := i.(*ssa.Defer)
		after := deferred || reach.MayPrecede(instr, i)
		switch {
		case i == instr:
			after = reach.InLoop(instr)
		case atEnd:
			after = deferred && reach.MayPrecede(i, instr)
		}
		return after && !leavesMaps(i, 0)
	})
}

// leavesMaps reports whether an instruction does nothing to maps, and calls nothing of the package but literals that do not either.
func leavesMaps(instr ssa.Instruction, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.MapUpdate, *ssa.Lookup, *ssa.Range, *ssa.Store, *ssa.Go:
		return false
	case ssa.CallInstruction:
		c := instr.Common()
		if b, ok := c.Value.(*ssa.Builtin); ok {
			return b.Name() != "delete" && b.Name() != "clear"
		}
		if lit := Literal(c.Value); lit != nil && depth < maxLast {
			return !Some(lit, func(i ssa.Instruction) bool { return !leavesMaps(i, depth+1) })
		}
		fn := c.StaticCallee()
		return fn != nil && fn.Pkg != nil && fn.Pkg != instr.Parent().Pkg && fn.Parent() == nil && !slices.ContainsFunc(c.Args, func(arg ssa.Value) bool { return IsMap(arg.Type()) })
	}
	return true
}
