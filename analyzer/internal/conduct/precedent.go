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
	return s.Kind == summary.Calls && s.Func != nil && inert(s.Func.Signature()) && t.calledUnder(s, lock, mode)
}

// FieldPrecedent reports the same of a function that a field beside the lock holds. That is
// enough to turn a section into one that keeps out more, but not to widen one over the call:
// it may be made before or behind the section on purpose, since it takes its time.
func (t *Theory) FieldPrecedent(s *summary.Stay, lock *types.Var, mode locks.Mode) bool {
	return s.Kind == summary.Value && s.Field != nil && s.Sig != nil && inert(s.Sig) && together(s.Field, lock) && t.calledUnder(s, lock, mode)
}

// calledUnder reports whether a section of the lock calls what another place calls.
func (t *Theory) calledUnder(s *summary.Stay, lock *types.Var, mode locks.Mode) bool {
	for _, f := range t.pkg.Funcs {
		if f.Ctx.Dead {
			continue
		}
		for i := range f.Stays {
			o := &f.Stays[i]
			if sameCallee(o, s) && Within(o.Held, lock, mode) {
				return true
			}
		}
	}
	return false
}

// sameCallee reports whether two places call the same function of another package, or
// what the same field holds.
func sameCallee(o, s *summary.Stay) bool {
	if o.Kind != s.Kind || s.Kind == summary.Value {
		return o.Kind == s.Kind && o.Field == s.Field
	}
	return o.Func != nil && o.Func.Origin() == s.Func.Origin()
}

// together reports whether two variables are fields of one struct type of their package.
func together(a, b *types.Var) bool {
	if !a.IsField() || !b.IsField() || a.Pkg() == nil || a.Pkg() != b.Pkg() {
		return false
	}
	scope := a.Pkg().Scope()
	for _, name := range scope.Names() {
		st, ok := scope.Lookup(name).Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		found := 0
		for f := range st.Fields() {
			if f.Origin() == a.Origin() || f.Origin() == b.Origin() {
				found++
			}
		}
		if found == 2 {
			return true
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
