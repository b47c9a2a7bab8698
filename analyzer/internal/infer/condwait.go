package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// waitsBetween reports whether a function calls one of the package between two instructions that waits for a condition, by itself or by
// what it calls: the lock is let go then, though it is held again when the call is over. Complexity: linear in the functions called.
func (p *Package) waitsBetween(f *Func, from, to ssautil.Point) bool {
	seen := make(map[*Func]bool)
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		callee := p.calledBy(instr)
		return callee != nil && f.Flow.Between(from, pointOf(instr), to) && p.waits(callee, seen)
	})
}

func (p *Package) waits(f *Func, seen map[*Func]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		if call, ok := instr.(*ssa.Call); ok {
			if fn, _ := ssautil.Callee(&call.Call); model.Lookup(fn).Kind == model.CondWait {
				return true
			}
		}
		callee := p.calledBy(instr)
		return callee != nil && p.waits(callee, seen)
	})
}

// calledBy returns the function of the package that an instruction calls, nil if it calls none by its name.
func (p *Package) calledBy(instr ssa.Instruction) *Func {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return nil
	}
	return p.byKey[accesspath.FuncKey(call.Call.StaticCallee())]
}
