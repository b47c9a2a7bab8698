package fix

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// library returns the words for a function of the standard library at a scene,
// with the edits that import its package; "" if the file cannot have it.
func (m *Maker) library(s *scene, path, name string) (string, []analysis.TextEdit) {
	if !model.Since(m.goVersion(s.src.file), path) {
		return "", nil
	}
	for _, spec := range s.src.file.Imports {
		if got, err := strconv.Unquote(spec.Path.Value); err != nil || got != path {
			continue
		}
		if spec.Name == nil {
			return path + "." + name, nil
		}
		if spec.Name.Name == "_" || spec.Name.Name == "." {
			return "", nil
		}
		return spec.Name.Name + "." + name, nil
	}
	word := path
	if !m.freeInFile(s.src.file, word) {
		word = "std" + path
		if !m.freeInFile(s.src.file, word) {
			return "", nil
		}
	}
	return word + "." + name, m.imports(s.src, path, word)
}

func (m *Maker) goVersion(f *ast.File) string {
	if v := m.pass.TypesInfo.FileVersions[f]; v != "" {
		return v
	}
	return m.pass.Pkg.GoVersion()
}

// freeInFile reports whether a file uses a name for nothing.
func (m *Maker) freeInFile(f *ast.File, name string) bool {
	if m.pass.Pkg.Scope().Lookup(name) != nil {
		return false
	}
	free := true
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			ast.Inspect(sel.X, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name == name {
					free = false
				}
				return free
			})
			return false
		}
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			free = false
		}
		return free
	})
	return free
}

// imports adds an import, in the order of the first group of the standard
// library's.
func (m *Maker) imports(src *source, path, word string) []analysis.TextEdit {
	line := strconv.Quote(path)
	if word != path {
		line = word + " " + line
	}
	var decl *ast.GenDecl
	for _, d := range src.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && len(g.Specs) > 0 && !importsC(g) {
			decl = g
			break
		}
	}
	switch {
	case decl == nil:
		return []analysis.TextEdit{insert(src.file.Name.End(), "\n\nimport "+line)}
	case !decl.Lparen.IsValid():
		spec := decl.Specs[0].(*ast.ImportSpec)
		got, _ := strconv.Unquote(spec.Path.Value)
		switch {
		case !standard(got):
			line += "\n"
		case got < path:
			return append(src.parenthesised(decl), insert(src.after(spec), "\n\t"+line))
		}
		return append(src.parenthesised(decl), insert(spec.Pos(), line+"\n\t"))
	}
	for i, sp := range decl.Specs {
		spec := sp.(*ast.ImportSpec)
		if got, _ := strconv.Unquote(spec.Path.Value); got > path || !standard(got) {
			if i > 0 && !standard(got) { // the last of its group
				return []analysis.TextEdit{insert(src.after(decl.Specs[i-1]), "\n\t"+line)}
			}
			at := spec.Pos()
			if spec.Doc != nil {
				at = spec.Doc.Pos()
			}
			if !standard(got) { // a group of its own
				line += "\n"
			}
			return []analysis.TextEdit{insert(at, line+"\n\t")}
		}
	}
	return []analysis.TextEdit{insert(decl.Rparen, "\t"+line+"\n")}
}

// parenthesised puts the parentheses around a single import, apart from the places where others are added before and behind it: a fix
// may add two.
func (s *source) parenthesised(d *ast.GenDecl) []analysis.TextEdit {
	spec := d.Specs[0]
	begin := d.TokPos + token.Pos(len("import"))
	end, after, behind := s.after(spec), s.after(spec), ""
	if next := s.tok.LineStart(s.line(end) + 1); strings.TrimSpace(s.between(end, next)) == "" {
		after, behind = next, "\n"
	}
	return []analysis.TextEdit{
		{Pos: begin, End: spec.Pos(), NewText: []byte(s.between(begin, spec.Pos()) + "(\n\t")},
		{Pos: end, End: after, NewText: []byte("\n)" + behind)},
	}
}

func importsC(g *ast.GenDecl) bool {
	spec, ok := g.Specs[0].(*ast.ImportSpec)
	return ok && spec.Path.Value == `"C"`
}

func standard(path string) bool {
	for _, c := range path {
		switch c {
		case '.':
			return false
		case '/':
			return true
		}
	}
	return true
}
