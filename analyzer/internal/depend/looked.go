package depend

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// StoredUnder is Stored for a value that is put in under a key: what another concurrent map has under what is computed from that
// key is one object for all who put it in.
func (f *Func) StoredUnder(v, key ssa.Value) access.Stored {
	s := f.Stored(v)
	if (s == access.StoredIdentity || s == access.StoredShared) && f.lookedUp(v, key) {
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
	return len(args) == 2 && model.Lookup(fn).Kind == model.ConcurrentLoad && f.computedFrom(args[1], key)
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
