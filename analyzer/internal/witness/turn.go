package witness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// calledInTurn reports whether all known callers of a function that others can call, too, as of the methods of an interface by which
// an event loop calls what it is given, are run by one goroutine in turn; and all else that comes to the map runs in that turn, or
// is called so. A turn is no map's guard, but it is what keeps these apart, if it is that of the object which has the map.
func (j *Judge) calledInTurn(f *infer.Func, pl *infer.Place) bool {
	if !f.Is(role.Public) {
		return false
	}
	for i := range pl.Sites {
		for _, h := range pl.Sites[i].Held {
			if turn := h.Lock.Location().Var; locks.Turn(h.Lock) && j.Guards.Near(turn, pl.Loc.Var) && j.turnOfAll(pl, turn) {
				return j.Sharing.CallersHold(f, holding(turn)) && !j.servesTwo(f, pl, turn)
			}
		}
	}
	return false
}

// turnOfAll reports whether all that needs to be kept apart at a place has the turn, or all known callers have it there.
func (j *Judge) turnOfAll(pl *infer.Place, turn *types.Var) bool {
	has := holding(turn)
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		if !needsLock(&s) || has(s.Func, s.Held) {
			return false
		}
		return !s.Func.Is(role.Public) || !j.Sharing.CallersHold(s.Func, has)
	})
}

// servesTwo reports whether the package gives the receiver of a method, which comes to the map by a field, to two objects that have a
// turn each: the loop of the one calls it, and it comes to the map of the other.
func (j *Judge) servesTwo(f *infer.Func, pl *infer.Place, turn *types.Var) bool {
	recv := f.SSA.Signature.Recv()
	if recv == nil || !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return s.Func == f && s.Acc.Path.Base().Depth() > 0 }) {
		return false // it is the object itself
	}
	given := make(map[ssa.Value]bool)
	return slices.ContainsFunc(j.Pkg.Funcs, func(in *infer.Func) bool {
		reach := ssautil.NewReach(in.SSA)
		return ssautil.Some(in.SSA, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || !makesField(call.Common().StaticCallee(), turn) {
				return false
			}
			return slices.ContainsFunc(call.Common().Args, func(arg ssa.Value) bool {
				v := ssautil.Settled(ssautil.Unwrap(arg))
				if !types.Identical(v.Type(), recv.Type()) {
					return false
				}
				two := given[v] || ofPackage(v) || reach.InLoop(call) && !madeInLoop(reach, v, call)
				given[v] = true
				return two
			})
		})
	})
}

// makesField reports whether a function makes an object that has a field.
func makesField(fn *ssa.Function, field *types.Var) bool {
	return fn != nil && ssautil.Some(fn, func(instr ssa.Instruction) bool {
		addr, ok := instr.(*ssa.FieldAddr)
		if !ok || ssautil.FieldOf(addr) != field {
			return false
		}
		_, made := addr.X.(*ssa.Alloc)
		return made
	})
}

// madeInLoop reports whether each round of the loop around an instruction makes a value anew.
func madeInLoop(reach *ssautil.Reach, v ssa.Value, in ssa.Instruction) bool {
	def, ok := v.(ssa.Instruction)
	return ok && reach.InLoop(def) && reach.MayPrecede(in, def)
}

// ofPackage reports whether a value is read from a package-level variable.
func ofPackage(v ssa.Value) bool {
	ld, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	_, global := ld.X.(*ssa.Global)
	return global
}
