package role

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A Field is a struct field, or a variable of a package-level declaration,
// with what stands around it.
type Field struct {
	Var  *types.Var
	Text string // its comments, before and behind it
	// Hat numbers the group of fields without a blank line in between, so
	// that a mutex and the fields under it share a number.
	Hat int
	// Order is the position in the struct or declaration.
	Order int
}

// A Group is a struct type, or all package-level variables.
type Group struct {
	Owner  *types.TypeName // nil for package-level variables and anonymous structs
	Doc    string
	Fields []Field
	// Outer is the struct that an anonymous struct stands in.
	Outer *Group
}

// An Index holds the comments of one package.
type Index struct {
	Groups []*Group
	// ByVar gives each variable's group.
	ByVar map[*types.Var]*Group
	// Docs are the documentation comments of functions and types.
	Docs map[types.Object]string
	// heads are the comments with which the bodies of functions begin.
	heads map[types.Object]string
	// support are the functions that are there for tests, outside of test files.
	support map[types.Object]bool
}

// NewIndex reads the comments of the files of a package, which lies in its module
// at the path within; "" where that is not known. Complexity: linear in the syntax
// of declarations.
func NewIndex(fset *token.FileSet, files []*ast.File, info *types.Info, within string) *Index {
	x := &Index{
		ByVar: make(map[*types.Var]*Group), Docs: make(map[types.Object]string),
		heads: make(map[types.Object]string), support: make(map[types.Object]bool),
	}
	var globals Group
	hat := 0
	supports := Support(fset, files, within)
	for _, f := range files {
		support := supports(f)
		x.readHeads(f, info)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if support || standsIn(fset, d) {
					x.support[info.Defs[d.Name]] = true
				}
				if obj := info.Defs[d.Name]; obj != nil && d.Doc != nil {
					x.Docs[obj] = d.Doc.Text()
				}
			case *ast.GenDecl:
				hat += 1000
				x.genDecl(fset, info, d, &globals, hat)
			}
		}
	}
	x.Groups = append(x.Groups, &globals)
	for _, g := range x.Groups {
		for _, f := range g.Fields {
			x.ByVar[f.Var] = g
		}
	}
	return x
}

func (x *Index) genDecl(fset *token.FileSet, info *types.Info, d *ast.GenDecl, globals *Group, hat int) {
	last := 0
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			doc := text(d.Doc, s.Doc, s.Comment)
			tn, _ := info.Defs[s.Name].(*types.TypeName)
			if tn != nil {
				x.Docs[tn] = doc
			}
			x.structs(fset, info, tn, doc, s.Type)
		case *ast.ValueSpec:
			if d.Tok != token.VAR {
				continue
			}
			line := fset.Position(s.Pos()).Line
			if last != 0 && line > last+1+lines(fset, s.Doc) {
				hat++
			}
			last = fset.Position(s.End()).Line
			doc := s.Doc
			if len(d.Specs) == 1 || !d.Lparen.IsValid() {
				doc = d.Doc
			}
			for _, n := range s.Names {
				if v, ok := info.Defs[n].(*types.Var); ok {
					globals.Fields = append(globals.Fields, Field{Var: v, Text: text(doc, s.Doc, s.Comment), Hat: hat, Order: len(globals.Fields)})
				}
			}
			if s.Type != nil {
				x.structs(fset, info, nil, "", s.Type)
			}
			for _, v := range s.Values {
				if lit, ok := v.(*ast.CompositeLit); ok && lit.Type != nil {
					x.structs(fset, info, nil, "", lit.Type)
				}
			}
		}
	}
}

// structs indexes the struct types in the type expression e.
func (x *Index) structs(fset *token.FileSet, info *types.Info, owner *types.TypeName, doc string, e ast.Expr) {
	x.structsIn(fset, info, &Group{Owner: owner, Doc: doc}, nil, e)
}

// structsIn indexes e: the first struct type becomes g, which stands in outer.
func (x *Index) structsIn(fset *token.FileSet, info *types.Info, g, outer *Group, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		st, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		g.Outer = outer
		hat, last := 0, 0
		for _, f := range st.Fields.List {
			line := fset.Position(f.Pos()).Line
			if last != 0 && line > last+1+lines(fset, f.Doc) {
				hat++
			}
			last = fset.Position(f.End()).Line
			for _, v := range fieldVars(info, f) {
				g.Fields = append(g.Fields, Field{Var: v, Text: text(f.Doc, f.Comment), Hat: hat, Order: len(g.Fields)})
			}
			x.structsIn(fset, info, new(Group), g, f.Type)
		}
		x.Groups = append(x.Groups, g)
		g = new(Group)
		return false
	})
}

func fieldVars(info *types.Info, f *ast.Field) []*types.Var {
	var out []*types.Var
	for _, n := range f.Names {
		if v, ok := info.Defs[n].(*types.Var); ok {
			out = append(out, v)
		}
	}
	if len(f.Names) == 0 {
		if v := embedded(info, f.Type); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// embedded returns the field that an embedded type declares.
func embedded(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.SelectorExpr:
			e = t.Sel
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			v, _ := info.Defs[t].(*types.Var)
			return v
		default:
			return nil
		}
	}
}

func lines(fset *token.FileSet, c *ast.CommentGroup) int {
	if c == nil {
		return 0
	}
	return fset.Position(c.End()).Line - fset.Position(c.Pos()).Line + 1
}

func text(groups ...*ast.CommentGroup) string {
	out := ""
	for i, g := range groups {
		if g == nil || i > 0 && g == groups[i-1] {
			continue
		}
		// Directives such as +checklocks: are not part of Text.
		for _, c := range g.List {
			if !silences(c.Text) {
				out += c.Text + "\n"
			}
		}
	}
	return out
}

// silences reports whether a comment silences a finding: the reason it gives
// is no claim about the code.
func silences(text string) bool {
	for _, form := range [...]string{"//mapguard:ignore", "//lint:", "//nolint"} {
		if strings.HasPrefix(text, form) {
			return true
		}
	}
	return false
}
