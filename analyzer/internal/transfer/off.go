package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// takenOff returns the field or variable from which the object was taken out that has the map of an event, nil if it was not.
func (a *analysis) takenOff(e *event) *types.Var {
	if place, read := a.own.Off(e.val, e.instr); place != nil && a.oneSection(read) {
		return place
	}
	return nil
}

// oneSection reports whether what gives a place another value does so in the critical section, for writing, in which the
// place was read, and shares nothing with what was there: else another goroutine can read that in between, or later.
func (a *analysis) oneSection(read ssa.Value) bool {
	at, ok := read.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if !a.own.Replaces(instr, read) || !a.reach.MayPrecede(at, instr) {
				continue
			}
			if !a.own.Apart(instr, read) || !a.sameSection(at, instr) {
				return false
			}
		}
	}
	return true
}

// sameSection reports whether one section, for writing, goes on from an instruction to another one, or no lock is held at
// either.
func (a *analysis) sameSection(from, to ssa.Instruction) bool {
	held, now := a.stateAt(from).Held(), a.stateAt(to)
	if len(held) == 0 && len(now.Held()) == 0 {
		return true
	}
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Mode == locks.Write && now.Keeps(h) })
}

// foundEarlier reports whether the object that has a map was found before the section in which the map is used: a
// call gave it, it comes from around a literal, or it was read in another section.
func (a *analysis) foundEarlier(v ssa.Value, at ssa.Instruction) bool {
	o := ownership.HolderOf(v)
	switch o := o.(type) {
	case nil, *ssa.Alloc, *ssa.Parameter:
		return false
	case *ssa.Call, *ssa.FreeVar:
		return true
	case ssa.Instruction:
		if o.Parent() != a.fn {
			return true
		}
		now := a.stateAt(at)
		return len(now.Held()) > 0 && !slices.ContainsFunc(a.stateAt(o).Held(), now.Keeps)
	}
	return true
}
