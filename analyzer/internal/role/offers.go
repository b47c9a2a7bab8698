package role

import (
	"go/ast"
	"slices"
)

// SupportUnread tells whether a file of which only the syntax is known is there for tests without being one: by its package, or by
// what it offers, each function of which takes what a test has. Production code can measure something with package testing.
func SupportUnread(f *ast.File, within string) bool {
	return supportPackage([]*ast.File{f}) || supportPath(within) || f.Name.Name != "main" && offersTests(f)
}

// offersTests reports whether a file has exported functions or methods, and each of them has a parameter as tests have, or is a
// method of a struct of the file that has such a field. What a file does by itself at the start is not for tests alone.
func offersTests(f *ast.File) bool {
	testing := slices.IndexFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"testing"` })
	if testing < 0 {
		return false
	}
	name := "testing"
	if f.Imports[testing].Name != nil {
		name = f.Imports[testing].Name.Name
	}
	some, kept := false, keepTests(f, name)
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok || !fn.Name.IsExported() && fn.Name.Name != "init":
		case takesTest(fn.Type.Params, name), fn.Recv != nil && len(fn.Recv.List) == 1 && kept[declared(fn.Recv.List[0].Type)]:
			some = true
		default:
			return false
		}
	}
	return some
}

// keepTests returns the structs of a file that have a field as tests have.
func keepTests(f *ast.File, testing string) map[string]bool {
	kept := make(map[string]bool)
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range decl.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok {
				st, ok := spec.Type.(*ast.StructType)
				kept[spec.Name.Name] = ok && takesTest(st.Fields, testing)
			}
		}
	}
	return kept
}

// declared returns the name of the type of which a receiver is, "" if that has parameters.
func declared(recv ast.Expr) string {
	if p, ok := recv.(*ast.StarExpr); ok {
		recv = p.X
	}
	if id, ok := recv.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// takesTest reports whether one of some parameters or fields is of a type as tests have.
func takesTest(list *ast.FieldList, testing string) bool {
	return slices.ContainsFunc(list.List, func(p *ast.Field) bool { return ofTest(p.Type, testing) })
}

// ofTest reports whether an expression is a type of package testing that tests, benchmarks or fuzz tests get.
func ofTest(x ast.Expr, testing string) bool {
	if p, ok := x.(*ast.StarExpr); ok {
		x = p.X
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == testing && slices.Contains([]string{"T", "B", "F", "M", "TB"}, sel.Sel.Name)
}
