package fix

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// reachable reports whether other packages can have a type's values, or pointers to them, of which they could make copies.
func (m *Maker) reachable(t *types.Named) bool {
	if m.pass.Pkg.Name() == "main" {
		return false
	}
	if t.Obj().Exported() {
		return true
	}
	for _, obj := range m.pass.TypesInfo.Defs {
		if obj == nil || !obj.Exported() {
			continue
		}
		of := obj.Type()
		if tn, ok := obj.(*types.TypeName); ok && !tn.IsAlias() {
			of = of.Underlying()
		}
		if of != nil && leadsTo(of, t) {
			return true
		}
	}
	return false
}

// leadsTo reports whether who has a value of one type comes to one of another, but by the fields and methods of types with a name.
func leadsTo(from types.Type, t *types.Named) bool {
	switch from := types.Unalias(from).(type) {
	case *types.Named:
		return types.Identical(from, t) || slices.ContainsFunc(slices.Collect(from.TypeArgs().Types()), func(a types.Type) bool { return leadsTo(a, t) })
	case *types.Map:
		return leadsTo(from.Key(), t) || leadsTo(from.Elem(), t)
	case interface{ Elem() types.Type }:
		return leadsTo(from.Elem(), t)
	case *types.Signature:
		return leadsTo(from.Params(), t) || leadsTo(from.Results(), t)
	case *types.Tuple:
		return slices.ContainsFunc(slices.Collect(from.Variables()), func(v *types.Var) bool { return leadsTo(v.Type(), t) })
	}
	return false
}

// namesPart reports whether a name of a type, with the nodes around it, the innermost last, stands for values that are parts of
// others, or of which nothing is known: it is not what a pointer points to, what is made for one, a receiver, or the type of a variable.
func namesPart(id *ast.Ident, around []ast.Node) bool {
	switch p := around[len(around)-1].(type) {
	case *ast.StarExpr:
		return false
	case *ast.CompositeLit:
		return len(around) < 2 || !isAddress(around[len(around)-2])
	case *ast.CallExpr:
		fn, ok := p.Fun.(*ast.Ident)
		return !ok || fn.Name != "new"
	case *ast.ValueSpec:
		return p.Type != ast.Expr(id)
	case *ast.Field:
		d, ok := around[max(len(around)-3, 0)].(*ast.FuncDecl)
		return !ok || d.Recv != around[len(around)-2]
	}
	return true
}

func isAddress(n ast.Node) bool {
	x, ok := n.(*ast.UnaryExpr)
	return ok && x.Op == token.AND
}

// isArgument reports whether a type is the argument of a generic function or type, whose code handles its values by themselves.
func (m *Maker) isArgument(t *types.Named) bool {
	for _, in := range m.pass.TypesInfo.Instances {
		for a := range in.TypeArgs.Types() {
			if types.Identical(types.Unalias(a), t) {
				return true
			}
		}
	}
	return false
}

// namedUnseen reports whether a file of the package that was not analysed, as a test or one for another system, may
// have values of a type: it names the type otherwise than behind a pointer, or cannot be read.
func (m *Maker) namedUnseen(t *types.Named) bool {
	dir := filepath.Dir(m.pass.Fset.File(t.Obj().Pos()).Name())
	tests, err := filepath.Glob(filepath.Join(escaped(dir), "*_test.go"))
	if err != nil {
		return true
	}
	for _, name := range slices.Concat(tests, m.pass.IgnoredFiles) {
		seen := func(f *ast.File) bool { return m.pass.Fset.File(f.FileStart).Name() == name }
		if filepath.Ext(name) != ".go" || slices.ContainsFunc(m.pass.Files, seen) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution) // the pass reads its own files alone
		if err != nil || namesValue(f, t.Obj().Name()) {
			return true
		}
	}
	return false
}

// escaped quotes what has a meaning of its own in a pattern for files.
func escaped(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// namesValue reports whether a file of which no types are known may name the values of a type. A name in front of a dot, or alone in an
// expression, may be that of a variable.
func namesValue(file *ast.File, name string) bool {
	found := false
	ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = found || asType(id, around)
		}
		return !found
	})
	return found
}

// asType reports whether a name stands where that of a type may, for more than what a pointer points to.
func asType(id *ast.Ident, around []ast.Node) bool {
	var x ast.Expr = id
	switch p := around[len(around)-1].(type) {
	case *ast.Field:
		return p.Type == x
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.Ellipsis, *ast.TypeSpec, *ast.CaseClause:
		return true
	case *ast.ValueSpec:
		return p.Type == x
	case *ast.TypeAssertExpr:
		return p.Type == x
	case *ast.CompositeLit:
		return p.Type == x && namesPart(id, around)
	case *ast.IndexExpr:
		return p.Index == x
	case *ast.IndexListExpr:
		return true
	case *ast.CallExpr:
		return p.Fun == x
	}
	return false
}
