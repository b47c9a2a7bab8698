package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// passed notes which of the parameters that the runner gives are still unknown
// to others.
func (a *analysis) passed(c *summary.Call, t *target, instr ssa.Instruction) {
	if len(t.bound) == 0 || t.sure == guessed || c.Kind == summary.Goroutine || c.Kind == summary.Escaped {
		return
	}
	c.Bound = slices.Clone(t.bound)
	for i := range c.Bound {
		b := &c.Bound[i]
		b.Owned = b.Owned || b.Arg.Known() && b.Arg.Depth() == 0 && a.fresh(b.Arg, instr)
	}
}

// captured notes which objects that a literal captures are still unknown to
// others when it is called.
func (a *analysis) captured(c *summary.Call, t *target, instr ssa.Instruction) {
	lit, ok := t.key.(*ssa.Function)
	if !ok || c.Kind == summary.Goroutine || c.Kind == summary.Escaped || t.sure == guessed {
		return
	}
	for _, fv := range lit.FreeVars {
		p := a.Paths.Of(fv)
		root := a.Paths.Root(p.Root())
		object := root
		if b, ok := t.boundTo(root.Root()); ok {
			object = b.Arg
		}
		if object.Known() && object.Depth() == 0 && a.fresh(object, instr) {
			c.Captured = append(c.Captured, root)
		}
	}
}

// closure notes a function literal or a method value that leaves: it may run
// at any time.
func (a *analysis) closure(instr *ssa.MakeClosure) {
	if t, ok := a.functionValue(instr); ok {
		a.leaving(instr, []target{t})
	}
}

// option reports whether a function value is only returned, as a value of a
// named function type, as functional options are: they are applied to an object
// under construction.
func option(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.ChangeType:
			if !optional(r.Type()) || !returnedOnly(r) {
				return false
			}
		case *ssa.Return:
			res := r.Parent().Signature.Results()
			if res.Len() == 0 || !optional(res.At(0).Type()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// optional reports whether t can be the type of options: it has a name, and is
// no iterator, which gets a function.
func optional(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	sig, ok := named.Underlying().(*types.Signature)
	return !ok || sig.Params().Len() != 1 || !callback.Carries(sig.Params().At(0).Type())
}

func returnedOnly(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.Return, *ssa.MakeInterface, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
