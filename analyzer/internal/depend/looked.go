package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// StoredUnder is Stored for a value that is put in under a key: what another concurrent map has under what is computed from that
// key is one object for all who put it in, unless others replace it, and so is what another place has by then.
func (f *Func) StoredUnder(v, key ssa.Value) access.Stored {
	s := f.Stored(v)
	if (s == access.StoredIdentity || s == access.StoredShared) && (f.lookedUp(v, key) || f.readNow(v, key)) {
		return access.StoredAlike
	}
	return s
}

// lookedUp reports whether a value is what a concurrent map has, or keeps, under a key that is computed from another one, and from
// nothing else that goroutines do not have in common.
func (f *Func) lookedUp(v, key ssa.Value) bool {
	v = asserted(v)
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return f.loadedUnder(v, key)
	}
	return !slices.ContainsFunc(phi.Edges, func(x ssa.Value) bool {
		x = asserted(x)
		return !f.kept(x) && !f.loadedUnder(x, key)
	})
}

// loadedUnder is lookedUp for what one look gives.
func (f *Func) loadedUnder(v, key ssa.Value) bool {
	call, i := ssautil.CallResult(v)
	if call == nil || i != 0 || key == nil {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	if len(args) != 2 || model.Lookup(fn).Kind != model.ConcurrentLoad || f.Changes.replaced[heldIn(args[0])] {
		return false
	}
	return f.computedFrom(args[1], key)
}

// replaces notes a concurrent map in which an instruction puts another value under a key that has one: not as long as the map is
// being made.
func (c *Changes) replaces(instr ssa.Instruction) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return
	}
	fn, args := ssautil.Callee(call.Common())
	if len(args) == 0 || !model.Replaces(fn) {
		return
	}
	if fld, ok := args[0].(*ssa.FieldAddr); ok && making(fld.X, instr) {
		return
	}
	if v := heldIn(args[0]); v != nil {
		c.replaced[v] = true
	}
}

// heldIn returns the field or the package-level variable that has a map, or leads to it; nil if there is none.
func heldIn(v ssa.Value) *types.Var {
	if ld, ok := v.(*ssa.UnOp); ok {
		v = ld.X
	}
	return ssautil.Variable(v)
}

// readNow reports whether a value is what an object that goroutines have in common says of a key, in the section that puts it in:
// who comes second puts in what it says by then, which is no older than what it replaces. What was read before the section may be.
func (f *Func) readNow(v, key ssa.Value) bool {
	v = ssautil.Settled(ssautil.Unwrap(v))
	if f.put == nil || key == nil || !f.readOfCommon(v) {
		return false
	}
	for at := v; ; {
		read, ok := at.(ssa.Instruction)
		if !ok {
			return true // the object itself
		}
		switch x := at.(type) {
		case *ssa.Extract:
			at = x.Tuple
			continue
		case *ssa.Lookup:
			if !f.computedFrom(x.Index, key) {
				return false
			}
			at = x.X
		case *ssa.UnOp:
			at = x.X
		case *ssa.FieldAddr:
			at = x.X
			continue
		default:
			return false
		}
		if !f.SameSection(read, f.put) {
			return false
		}
	}
}

// computedFrom reports whether one key is computed from another one: goroutines that have the same one of these have the same
// one of those.
func (f *Func) computedFrom(key, from ssa.Value) bool {
	given := f.Backward(from)
	of := false
	for x := range f.Origins(key) {
		switch x := x.(type) {
		case *ssa.Parameter:
			if !given[x] && !isReceiver(x) {
				return false
			}
		case *ssa.FreeVar:
			if !given[x] {
				return false
			}
		case *ssa.Call:
			if f.volatileCall(x) {
				return false
			}
		}
		of = of || given[x]
	}
	return of
}
