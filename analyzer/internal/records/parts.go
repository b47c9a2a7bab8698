package records

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// finders notes whether the package executes templates, or calls methods that it finds by reflection.
func (g *gatherer) finders() {
	for _, obj := range g.info.Uses {
		if fn, ok := obj.(*types.Func); ok {
			g.rec.Templates = g.rec.Templates || model.Executes(fn)
			g.rec.ByName = g.rec.ByName || model.FindsMethods(fn)
		}
	}
}

// lent notes the exported methods of what a value points to that a function of another module registers as any: it may find
// them by reflection, and call them when it is asked to. The standard library's that do so are known.
func (g *gatherer) lent(made *ssa.MakeInterface) {
	if _, none := made.X.(*ssa.Const); none {
		return
	}
	if iface, ok := made.Type().Underlying().(*types.Interface); ok && iface.Empty() && slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		return callsSuch(r, g.registers)
	}) {
		g.lentAs(made.X.Type())
	}
}

func (g *gatherer) lentAs(t types.Type) {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return // what is registered is its type
	}
	for _, m := range g.exported(t) {
		g.rec.Lent[g.name(m)] = true
	}
}

// registers reports whether a function registers something in another module than this one and the standard library.
func (g *gatherer) registers(fn *types.Func) bool {
	return fn.Pkg() != nil && !g.inModule(fn.Pkg()) && !ssautil.IsStandard(fn.Pkg()) && model.Registers(fn)
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
					if fn, ok := typeutil.Callee(g.info, call).(*types.Func); ok && g.registers(fn) {
						g.lentAs(t)
					}
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
