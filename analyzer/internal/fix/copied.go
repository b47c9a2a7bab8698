package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// copied returns a statement that defines name as a copy of a map that is to be walked, with the edits that import what
// it needs; "" if there is none. Where the file cannot have the package maps, the copy is made entry by entry.
// Of a nil map that makes an empty one: to walk both is the same.
func (s *scene) copied(name string, x ast.Expr, indent string) (string, []analysis.TextEdit) {
	if clone, imports := s.m.library(s, "maps", "Clone"); clone != "" {
		return name + " := " + clone + "(" + s.src.of(x) + ")", imports
	}
	t, ok := s.inWords(s.body.info.TypeOf(x), x.Pos())
	key, value := s.fresh("key", "k"), s.fresh("value", "v")
	if !ok || !s.means("make", x.Pos()) || !s.means("len", x.Pos()) || key == "" || value == "" {
		return "", nil
	}
	text := s.src.of(x)
	nl := "\n" + indent
	return name + " := make(" + t + ", len(" + text + "))" + nl +
		"for " + key + ", " + value + " := range " + text + " {" + nl +
		"\t" + name + "[" + key + "] = " + value + nl + "}", nil
}

// copyBack makes a copy of the one result of a return, entry by entry, behind some text in front of it; nil if there is none. The
// result stays nil where it is.
func (s *scene) copyBack(ret *ast.ReturnStmt, head string) []analysis.TextEdit {
	if len(ret.Results) != 1 {
		return nil
	}
	x, indent := ret.Results[0], s.src.indent(ret.Pos())
	name := s.fresh(others["map"]...)
	text, imports := s.copied(name, x, indent)
	if name == "" || text == "" || !s.means("nil", x.Pos()) {
		return nil
	}
	head += "if " + s.src.of(x) + " == nil {\n" + indent + "\treturn nil\n" + indent + "}\n" + indent
	return append(imports, insert(ret.Pos(), head+text+"\n"+indent), replace(x, name))
}

// inWords writes a type as a place of the source names it; false if it cannot: a package is not imported in the file, or a name
// means something else there.
func (s *scene) inWords(t types.Type, pos token.Pos) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == s.m.pass.Pkg {
			return ""
		}
		name := s.imported(p)
		ok = ok && name != "" && s.seenAs(name, pos) != nil
		return name
	})
	return text, ok && s.nameable(t, pos, make(map[types.Type]bool))
}

// imported returns the name that the file has for a package, "" if it has none.
func (s *scene) imported(p *types.Package) string {
	for _, spec := range s.src.file.Imports {
		if name := s.m.pass.TypesInfo.PkgNameOf(spec); name != nil && name.Imported() == p && name.Name() != "." && name.Name() != "_" {
			return name.Name()
		}
	}
	return ""
}

// seenAs returns what a name means at a place.
func (s *scene) seenAs(name string, pos token.Pos) types.Object {
	scope := s.m.pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return nil
	}
	_, obj := scope.LookupParent(name, pos)
	return obj
}

// means reports whether a name is the language's own at a place.
func (s *scene) means(name string, pos token.Pos) bool {
	return s.seenAs(name, pos) == types.Universe.Lookup(name)
}

// nameable reports whether all names of a type mean at a place what they mean in it, and can be
// written there: those that other packages export, and what is declared here.
func (s *scene) nameable(t types.Type, pos token.Pos, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	each := func(ts ...types.Type) bool {
		for _, t := range ts {
			if !s.nameable(t, pos, seen) {
				return false
			}
		}
		return true
	}
	switch t := t.(type) {
	case *types.Basic:
		return s.means(t.Name(), pos)
	case *types.TypeParam:
		return s.named(t.Obj(), pos)
	case *types.Named:
		return s.named(t.Obj(), pos) && each(listed(t.TypeArgs())...)
	case *types.Alias:
		return s.named(t.Obj(), pos) && each(listed(t.TypeArgs())...)
	case *types.Map:
		return each(t.Key(), t.Elem())
	case *types.Pointer:
		return each(t.Elem())
	case *types.Slice:
		return each(t.Elem())
	case *types.Array:
		return each(t.Elem())
	case *types.Chan:
		return each(t.Elem())
	case *types.Signature:
		return each(elements(t.Params())...) && each(elements(t.Results())...)
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Interface:
		return t.Empty()
	}
	return false
}

// named reports whether the name of a declared type can be written at a place.
func (s *scene) named(obj *types.TypeName, pos token.Pos) bool {
	if p := obj.Pkg(); p != nil && p != s.m.pass.Pkg {
		pkg, ok := s.seenAs(s.imported(p), pos).(*types.PkgName)
		return ok && pkg.Imported() == p && obj.Exported()
	}
	return s.seenAs(obj.Name(), pos) == obj
}

func listed(l *types.TypeList) (out []types.Type) {
	for t := range l.Types() {
		out = append(out, t)
	}
	return out
}

func elements(t *types.Tuple) (out []types.Type) {
	for v := range t.Variables() {
		out = append(out, v.Type())
	}
	return out
}
