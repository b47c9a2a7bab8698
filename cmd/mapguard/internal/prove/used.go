package prove

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// used runs what a call returns, where the finding is in a function literal: that
// is part of what is returned, and runs when a caller uses it.
func (d *driver) used(e *entry, sig *types.Signature, call string) string {
	if sig.Results().Len() != 1 || !slices.ContainsFunc(d.t.own(), func(op *operation) bool { return op.later(e) }) {
		return call
	}
	var uses []string
	switch u := sig.Results().At(0).Type().Underlying().(type) {
	case *types.Signature:
		if u.Variadic() || !d.nameable(u.Params()) {
			return call
		}
		var args []string
		for v := range u.Params().Variables() {
			args = append(args, d.arg(v.Type()))
		}
		uses = append(uses, "got("+strings.Join(args, ", ")+")")
	case *types.Interface:
		for m := range u.Methods() {
			if m.Exported() && m.Signature().Params().Len() == 0 {
				uses = append(uses, "got."+m.Name()+"()")
			}
		}
	}
	if len(uses) == 0 {
		return call
	}
	return "if got := " + call + "; got != nil { " + strings.Join(uses, "; ") + " }"
}

// later reports whether an operation is in a function literal of an entry.
func (op *operation) later(e *entry) bool {
	return op.declaration() == e.fn && slices.ContainsFunc(op.path, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		return ok
	})
}
