package threads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Shows reports whether the package shows all threads that can come to the map
// of an access: it is reached through a variable of the program that no caller
// gets to, or through an object that the function which makes it gives to its
// callees and goroutines alone. Then two accesses that do not meet never do,
// whatever lock there is beside the map.
func (t *Theory) Shows(s *infer.Site) bool {
	if runs := t.runs[s.Func]; runs.any || s.Imported() {
		return false
	}
	w := &tracing{t: t, seen: make(map[handed]bool)}
	return w.shows(s.Func, s.Acc.Path)
}

// maxTraced bounds the parameters through which one access is followed up, and
// the values through which one object is.
const maxTraced = 64

// A tracing follows an object from an access up to where it is made.
type tracing struct {
	t    *Theory
	seen map[handed]bool
}

// shows reports whether all that come to the object of a path of f are shown.
func (w *tracing) shows(f *infer.Func, path accesspath.Path) bool {
	if w.t.cutShort(f) || f.IsLiteral() && w.t.entry[f] || !w.t.pkg.OwnParts(path.Base()) {
		return false
	}
	switch r := path.Root(); r.Kind {
	case accesspath.Global:
		named := r.Obj.Exported() && w.t.pkg.Types.Name() != "main"
		return !named && r.Obj.Pkg() == w.t.pkg.Types && !w.t.Open(f)
	case accesspath.Value:
		v, ok := r.Val.(interface{ Parent() *ssa.Function })
		return ok && v.Parent() != nil && w.private(r.Val)
	case accesspath.Param:
		h, ok := w.t.handedAt(f, path)
		return ok && w.given(h)
	}
	return false
}

// given reports whether all objects that a parameter can be are shown.
func (w *tracing) given(h handed) bool {
	if w.seen[h] {
		return true // decided by the other calls
	}
	if w.t.entry[h.f] || h.f.Ctx.Outer || len(w.seen) >= maxTraced {
		return false
	}
	w.seen[h] = true
	for _, s := range w.t.pkg.CallersOf(h.f) {
		if s.Call.Kind == summary.Escaped || s.Call.Registered || h.param >= len(s.Call.Args) {
			return false
		}
		if arg := s.Call.Args[h.param]; !arg.Known() || !w.shows(s.Caller, arg) {
			return false
		}
	}
	return true
}

// cutShort reports whether not all is known of what f runs in.
func (t *Theory) cutShort(f *infer.Func) bool {
	runs := t.runs[f]
	if runs.any {
		return true
	}
	for _, id := range runs.ids {
		if th := t.Threads[id]; th.cut || th.Registered || th.Kind == Server {
			return true
		}
	}
	return false
}

// private reports whether the object that a value denotes stays with the
// function that has it, and with its callees, literals and goroutines.
func (w *tracing) private(v ssa.Value) bool {
	e := &spreading{t: w.t, seen: make(map[ssa.Value]bool)}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
	case *ssa.Call:
		if !w.t.pkg.Makes(v) {
			return false
		}
	default:
		return false
	}
	return e.stays(v)
}

// A spreading follows a value to all its uses.
type spreading struct {
	t    *Theory
	seen map[ssa.Value]bool
}

func (e *spreading) stays(v ssa.Value) bool {
	if e.seen[v] {
		return true
	}
	if len(e.seen) >= maxTraced || v.Referrers() == nil {
		return false
	}
	e.seen[v] = true
	for _, r := range *v.Referrers() {
		if !e.use(v, r) {
			return false
		}
	}
	return true
}

// use reports whether one use of an object, of a part of it, or of a variable
// that holds it leaves it where it is.
func (e *spreading) use(v ssa.Value, r ssa.Instruction) bool {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.Range:
		return true
	case *ssa.MapUpdate:
		return r.Key != v && r.Value != v
	case *ssa.UnOp, *ssa.Phi, *ssa.ChangeType, *ssa.FieldAddr, *ssa.Field:
		val := r.(ssa.Value)
		return !e.t.leads(val.Type(), 0) || e.stays(val)
	case *ssa.Store:
		if r.Val != v {
			return true
		}
		cell, ok := r.Addr.(*ssa.Alloc)
		return ok && e.stays(cell)
	case *ssa.MakeClosure:
		return e.captured(v, r)
	case ssa.CallInstruction:
		return e.passed(v, r.Common())
	}
	return false
}

// leads reports whether a value of a type can lead to a map of this package.
func (t *Theory) leads(typ types.Type, depth int) bool {
	if n, ok := types.Unalias(typ).(*types.Named); ok && n.Obj().Pkg() != t.pkg.Types || depth > maxType {
		return depth > maxType
	}
	switch u := typ.Underlying().(type) {
	case *types.Basic, *types.Chan, *types.Signature:
		return false
	case *types.Pointer:
		return t.leads(u.Elem(), depth+1)
	}
	return true
}

func (e *spreading) captured(v ssa.Value, c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	if !ok || fn.Synthetic != "" {
		return false
	}
	for i, b := range c.Bindings {
		if b == v && !e.stays(fn.FreeVars[i]) {
			return false
		}
	}
	return true
}

// passed reports whether a callee that gets the object as an argument, or calls
// it, keeps it to itself.
func (e *spreading) passed(v ssa.Value, call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() != "append"
	}
	fn := call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || e.t.pkg.Lookup(accesspath.FuncKey(fn)) == nil {
		return false
	}
	for i, arg := range call.Args {
		if arg == v && !e.stays(fn.Params[i]) {
			return false
		}
	}
	return true
}
