package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// watched finds the methods whose value alone goes somewhere, and that to what makes a lock of the method's own object: it is
// the lock that calls them as it is taken or let go, to check what it protects. They run with it held, for reading if there
// is that.
func (p *Package) watched(sites map[*Func][]site) {
	var given map[*types.Func]*types.Var
	for _, f := range p.Funcs {
		called := slices.ContainsFunc(sites[f], func(s site) bool { return s.call.Kind != summary.Escaped })
		if f.Obj == nil || called || f.Is(role.Public) {
			continue
		}
		if given == nil {
			given = p.givenToLocks()
		}
		if lock := given[f.Obj]; lock != nil {
			path := p.Paths.Field(p.Paths.ParamOf(f.Key, 0), lock)
			f.Ctx.Root = true // for the lock
			p.handed[f] = append(p.handed[f], locks.Held{Lock: path, Mode: weakestMode(lock.Type()), Sec: locks.Entry.Of()})
		}
	}
}

// weakestMode is how a lock of a type is held at least.
func weakestMode(t types.Type) locks.Mode {
	if model.HasReadSide(t) {
		return locks.Read
	}
	return locks.Write
}

// givenToLocks returns, for each method of which the package makes a method value, the field of its object with the lock that
// gets it; nil if one goes elsewhere, or two go to different fields.
func (p *Package) givenToLocks() map[*types.Func]*types.Var {
	out := make(map[*types.Func]*types.Var)
	note := func(instr ssa.Instruction) {
		made, ok := instr.(*ssa.MakeClosure)
		if !ok {
			return
		}
		object, m := ssautil.BoundMethod(made)
		if m == nil {
			return
		}
		lock := p.madeWith(object, made)
		if before, known := out[m.Origin()]; known && before != lock {
			lock = nil
		}
		out[m.Origin()] = lock
	}
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				note(instr)
			}
		}
	}
	return out
}

// madeWith returns the field of an object to which goes what a call makes of a function value, if that is a lock, and nothing else
// becomes of either; nil otherwise.
func (p *Package) madeWith(object ssa.Value, fn *ssa.MakeClosure) *types.Var {
	call, ok := ssautil.OnlyUse(fn).(*ssa.Call)
	if !ok || call.Call.IsInvoke() || call.Call.Value == ssa.Value(fn) || !model.IsMutex(call.Type()) {
		return nil
	}
	store, ok := ssautil.OnlyUse(call).(*ssa.Store)
	if !ok || store.Val != ssa.Value(call) {
		return nil
	}
	field, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || p.Paths.Of(field.X) != p.Paths.Of(object) {
		return nil
	}
	return ssautil.FieldOf(field)
}
