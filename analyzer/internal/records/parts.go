package records

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// templates notes whether the package executes templates.
func (g *gatherer) templates() {
	for _, obj := range g.info.Uses {
		if fn, ok := obj.(*types.Func); ok && model.Executes(fn) {
			g.rec.Templates = true
			return
		}
	}
}

// parts notes what a template finds in a value that becomes one of an interface. Templates take any value, so that an
// interface with methods goes to none.
func (g *gatherer) parts(made *ssa.MakeInterface) {
	if iface, ok := made.Type().Underlying().(*types.Interface); ok && iface.Empty() && !printed(made) {
		g.partsOf(made.X.Type())
	}
}

func (g *gatherer) partsOf(t types.Type) {
	if g.parted[t] {
		return
	}
	g.parted[t] = true
	for _, m := range g.methodsIn(t) {
		g.rec.Parts[g.name(m)] = true
	}
}

// unreadParts is parts for a package that was not analysed: it looks at what the package gives to calls.
func (g *gatherer) unreadParts(files []*ast.File) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sig, ok := types.Unalias(g.info.TypeOf(call.Fun)).(*types.Signature)
			if !ok {
				return true // a conversion, or a builtin function
			}
			for i, arg := range call.Args {
				if t := g.info.TypeOf(arg); t != nil && !types.IsInterface(t) && takesAny(sig, i) {
					g.partsOf(t)
				}
			}
			return true
		})
	}
}

// takesAny reports whether the i-th argument of a function can be any value.
func takesAny(sig *types.Signature, i int) bool {
	last := sig.Params().Len() - 1
	if last < 0 {
		return false
	}
	t := sig.Params().At(min(i, last)).Type()
	if s, ok := t.(*types.Slice); ok && sig.Variadic() && i >= last {
		t = s.Elem()
	}
	iface, ok := t.Underlying().(*types.Interface)
	return ok && iface.Empty()
}
