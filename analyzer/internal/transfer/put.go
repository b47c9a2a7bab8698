package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// putBefore notes, of what a goroutine gets from a field, the object that its starter has made and put there just before: where
// a lock keeps others from the field, each goroutine has its own.
func (a *analysis) putBefore(c *summary.Call, t *target) {
	for i, arg := range t.args {
		load, ok := arg.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			continue
		}
		p := a.justPut(load)
		if !p.Known() {
			continue
		}
		if c.Put == nil {
			c.Put = make([]summary.Placed, len(t.args))
		}
		c.Put[i] = summary.Placed{Object: p, Held: a.stateAt(load)}
		if !slices.Contains(c.Kept, p) {
			c.Kept = append(c.Kept, p)
		}
	}
}

// justPut returns the object that a field holds where it is loaded: one that the function has made, and put there with
// nothing in between that could change the field, or what is held. It is unknown where that is not so.
func (a *analysis) justPut(load *ssa.UnOp) accesspath.Path {
	if _, field := load.X.(*ssa.FieldAddr); !field {
		return accesspath.Path{}
	}
	st := a.lastPut(load, a.mayPut)
	if st == nil {
		return accesspath.Path{}
	}
	made := a.Paths.Of(st.Val)
	if made.Root().Kind != accesspath.Value || made.Depth() > 0 || a.own.Of(made, st) != ownership.Owned {
		return accesspath.Path{}
	}
	return made
}

// lastPut returns the store that gives a field what is loaded from it, nil where it is not known, since others may
// give it something in between.
func (a *analysis) lastPut(load *ssa.UnOp, others func(ssa.Instruction, accesspath.Path) bool) *ssa.Store {
	place := a.Paths.Of(load.X)
	for instr := range ssautil.Backwards(load) {
		if st, ok := instr.(*ssa.Store); ok && a.Paths.Of(st.Addr) == place {
			return st
		}
		if others(instr, place) {
			return nil
		}
	}
	return nil
}

// mayPut reports whether an instruction may give a place another value, or lets others do that.
func (a *analysis) mayPut(instr ssa.Instruction, place accesspath.Path) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		field := a.Paths.Of(instr.Addr).LastField()
		for p := place; field != nil && p.Known(); p = p.Parent() {
			if p.LastField() == field {
				return true
			}
		}
	case *ssa.Call:
		if _, builtin := instr.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
		fn := instr.Call.StaticCallee()
		if fn == nil || len(fn.Blocks) > 0 {
			return true
		}
		e := a.effects[instr]
		return e != nil && (e.changesLocks() || len(e.targets) > 0 || len(e.open) > 0)
	case *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}

// fillsPut returns the variable or field into which the function has just put an object that it made, where an instruction
// assigns to a field of that, and the lock in whose section it does both: who takes the lock finds the
// object as it is in the end, and before that none. It returns nil if that is not so.
func (a *analysis) fillsPut(addr ssa.Value, at ssa.Instruction) (place, lock *types.Var) {
	field, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	load, ok := field.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || ssautil.Variable(load.X) == nil {
		return nil, nil
	}
	st := a.lastPut(load, a.mayReplace)
	if st == nil {
		return nil, nil
	}
	made := a.Paths.Of(st.Val)
	if made.Root().Kind != accesspath.Value || made.Depth() > 0 || !ssautil.Allocates(made.Root().Val) {
		return nil, nil
	}
	now := a.stateAt(at)
	for _, h := range a.stateAt(st).Held() {
		if h.Mode == locks.Write && now.Keeps(h) {
			return ssautil.Variable(load.X), h.Lock.Location().Var
		}
	}
	return nil, nil
}

// mayReplace is mayPut under a lock that keeps others out: functions of which it is known that they leave it as it is do not
// put another object where the one is that is being filled.
func (a *analysis) mayReplace(instr ssa.Instruction, place accesspath.Path) bool {
	if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee() != nil {
		e := a.effects[call]
		return e != nil && e.changesLocks()
	}
	return a.mayPut(instr, place)
}
