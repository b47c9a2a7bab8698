package conduct

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Precedent reports whether the package makes a call under the lock already, in a
// section of its own that keeps out as much: to make it in another section adds
// nothing to what is waited for under the lock. The function gets nothing that it
// could call back or wait for, so what it does is the same at both places.
func (t *Theory) Precedent(s *summary.Stay, lock *types.Var, mode locks.Mode) bool {
	if s.Kind != summary.Calls || s.Func == nil || !inert(s.Func.Signature()) {
		return false
	}
	for _, f := range t.pkg.Funcs {
		if f.Ctx.Dead {
			continue
		}
		for i := range f.Stays {
			o := &f.Stays[i]
			if o.Kind != summary.Calls || o.Func == nil || o.Func.Origin() != s.Func.Origin() {
				continue
			}
			if Within(o.Held, lock, mode) {
				return true
			}
		}
	}
	return false
}

// Within reports whether a place stands in a section of the lock already that keeps out as much, by the locks that are
// held there: a section that is widened over it adds nothing to what is waited for under the lock.
func Within(held locks.State, lock *types.Var, mode locks.Mode) bool {
	return slices.ContainsFunc(held.Held(), func(h locks.Held) bool { return h.Lock.Location().Var == lock && h.Mode >= mode })
}

// inert reports whether what a function gets is data: nothing that has methods or
// can be called. Of what is printed, the methods are known apart.
func inert(sig *types.Signature) bool {
	if r := sig.Recv(); r != nil && !model.Plain(r.Type()) {
		return false
	}
	for v := range sig.Params().Variables() {
		typ := v.Type()
		if s, ok := typ.(*types.Slice); ok && sig.Variadic() {
			typ = s.Elem()
		}
		if i, ok := typ.Underlying().(*types.Interface); !model.Plain(typ) && !(ok && i.Empty()) {
			return false
		}
	}
	return true
}
