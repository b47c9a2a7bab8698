package rewrite

import (
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is the path of the module that Write makes.
const Module = "rewrites.test"

// A Program is a package, or two of which one uses the other.
type Program struct {
	Form  string
	Wrong bool
	// Bugs are the functions of each bug, or of its right twin.
	Bugs [][]string
	// Files are the texts by their names below the program's directory.
	Files []File
}

// A File is a Go file.
type File struct{ Name, Text string }

// Name is the form's name behind its verdict.
func (p *Program) Name() string {
	if p.Wrong {
		return "wrong " + p.Form
	}
	return "right " + p.Form
}

// Dir is the program's directory in the module.
func (p *Program) Dir() string { return strings.NewReplacer(" ", "/", "+", "_").Replace(p.Name()) }

// Path is the import path of the program's first package.
func (p *Program) Path() string { return Module + "/" + p.Dir() }

func (p *Program) text() string {
	var out []string
	for _, f := range p.Files {
		out = append(out, f.Text)
	}
	return fmt.Sprint(p.Wrong) + strings.Join(out, "\n")
}

// program prints the plan.
func (p *plan) program(form string) *Program {
	p.surroundings()
	p.operate(p.base.op)
	if p.layout.twice {
		p.operate(p.base.op + "Again")
	}
	prog := &Program{Form: form, Wrong: p.wrong, Bugs: p.groups}
	for _, file := range []struct {
		name  string
		parts []part
	}{{"cache.go", []part{types, bug}}, {"operation.go", []part{bug}}, {"client/client.go", []part{client}}} {
		if text := p.file(file.name, file.parts); text != "" {
			prog.Files = append(prog.Files, File{file.name, text})
		}
	}
	for i, group := range prog.Bugs {
		for j, name := range group {
			prog.Bugs[i][j] = p.renamed(name)
		}
	}
	return prog
}

// file returns the text of a file with the declarations of some parts.
func (p *plan) file(name string, parts []part) string {
	if p.layout.twoFiles && name == "cache.go" {
		parts = []part{types}
	} else if !p.layout.twoFiles && name == "operation.go" {
		return ""
	}
	var texts []string
	for _, d := range p.decls {
		if slices.Contains(parts, d.in) {
			texts = append(texts, d.text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	if p.layout.reversed {
		slices.Reverse(texts)
	}
	text := p.rewritten(strings.Join(texts, "\n\n"))
	pkg := "cache"
	if name == "client/client.go" {
		pkg = "client"
	}
	return formatted("package " + pkg + "\n\n" + imports(text, pkg == "client") + text + "\n")
}

// formatted is the text as gofmt writes it. One that does not parse is left to
// the compiler, which has the better message.
func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return string(out)
}

// libraries are the packages that programs import.
var libraries = []string{"errors", "iter", "log", "maps", "runtime", "slices", "sync", "sync/atomic", "time"}

var qualifier = regexp.MustCompile(`\b([a-z]+)\.`)

// imports returns the import declaration that a text needs. A client needs the
// other package, too.
func imports(text string, client bool) string {
	used := make(map[string]bool)
	for _, m := range qualifier.FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
	}
	var specs []string
	for _, path := range libraries {
		if used[filepath.Base(path)] {
			specs = append(specs, fmt.Sprintf("%q", path))
		}
	}
	if client {
		specs = append(specs, `"$CACHE"`)
	}
	if len(specs) == 0 {
		return ""
	}
	return "import (\n" + strings.Join(specs, "\n") + "\n)\n\n"
}

// renamed is the name that a function has in the end.
func (p *plan) renamed(name string) string {
	for i := 0; i+1 < len(p.layout.rename); i += 2 {
		if p.layout.rename[i] == name {
			return p.layout.rename[i+1]
		}
	}
	return name
}

// rewritten gives the identifiers of a text their final names.
func (p *plan) rewritten(text string) string {
	if len(p.layout.rename) == 0 {
		return text
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	var out strings.Builder
	end := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out.String() + text[end:]
		}
		if tok == token.IDENT {
			at := file.Offset(pos)
			out.WriteString(text[end:at])
			out.WriteString(p.renamed(lit))
			end = at + len(lit)
		}
	}
}

// Write writes programs as packages of one module below dir.
func Write(dir string, programs []*Program) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+Module+"\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	for _, p := range programs {
		for _, f := range p.Files {
			name := filepath.Join(dir, filepath.FromSlash(p.Dir()), filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			text := strings.ReplaceAll(f.Text, "$CACHE", p.Path())
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}
