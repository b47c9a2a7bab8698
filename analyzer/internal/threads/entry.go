package threads

import (
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// entries marks the functions that the callers can call.
func (t *Theory) entries() {
	x := leavers(t.pkg, false)
	for _, f := range t.pkg.Funcs {
		switch {
		case f.Ctx.InitOnly || f.Ctx.Dead || t.start(f):
		case f.Ctx.Outer:
			t.entry[f] = true
		case !f.Ctx.Root && t.pkg.Outer(f) != nil:
			t.entry[f] = t.keptValue(f) // only this package calls it
		case f.Ctx.Root, t.keptValue(f), f.Is(role.Method) && f.Obj != nil && x.method(f.Obj):
			t.entry[f] = true
		}
	}
}

// keptValue reports whether the value of f is kept where it may be called at any
// time.
func (t *Theory) keptValue(f *infer.Func) bool {
	for _, s := range t.pkg.CallersOf(f) {
		if s.Call.Kind == summary.Escaped && !s.Call.Option {
			return true
		}
	}
	return false
}

// start reports whether f is where the program starts.
func (t *Theory) start(f *infer.Func) bool {
	return f.SSA.Name() == "main" && f.SSA.Parent() == nil && f.SSA.Signature.Recv() == nil && t.pkg.Types.Name() == "main"
}
