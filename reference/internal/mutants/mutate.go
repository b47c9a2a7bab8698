package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// module is the path that the packages of the module begin with.
const module = "github.com/mapguard/mapguard/reference/"

// mutant is one package of the fixed form with one mistake.
type mutant struct {
	// id names the mutant in its copy of the module.
	id string
	// dir is where the package is, pkg its name.
	dir, pkg string
	// kind says what mistake it is, place in which function and where.
	kind, place string
	// files are the files of the package, by name.
	files map[string]string

	// scenario is the first scenario that failed, took how long all of them took,
	// category what mapguard reported.
	scenario string
	took     time.Duration
	category string
}

// String names the mutant.
func (m *mutant) String() string { return m.place + ": " + m.kind }

// escaped reports whether neither a scenario nor mapguard has found the mutant.
func (m *mutant) escaped() bool { return m.scenario == "" && m.category == "" }

// write writes the package to dir.
func (m *mutant) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range m.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// edit is a replacement of a part of a file.
type edit struct {
	file       string
	start, end int
	text       string
}

// pkg is one package whose mutants are made.
type pkg struct {
	dir, name string
	fset      *token.FileSet
	files     map[string]string
	trees     map[string]*ast.File
	// maps are the names of what holds a map.
	maps map[string]bool

	made []*mutant
}

// all returns the mutants of the fixed form and of the cache of engines.
func all() ([]*mutant, error) {
	dirs, err := filepath.Glob("fixed/*")
	if err != nil {
		return nil, err
	}
	var mutants []*mutant
	for _, dir := range append(dirs, "engine") {
		p, err := load(dir)
		if err != nil {
			return nil, err
		}
		for _, name := range sortedKeys(p.trees) {
			p.file(name)
		}
		mutants = append(mutants, p.made...)
	}
	for i, m := range mutants {
		m.id = fmt.Sprintf("m%03d", i+1)
	}
	return mutants, nil
}

// load parses the package in dir.
func load(dir string) (*pkg, error) {
	p := &pkg{
		dir: dir, name: filepath.Base(dir), fset: token.NewFileSet(),
		files: map[string]string{}, trees: map[string]*ast.File{}, maps: map[string]bool{},
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		p.files[name] = string(content)
		if p.trees[name], err = parser.ParseFile(p.fset, path, content, parser.ParseComments); err != nil {
			return nil, err
		}
		ast.Inspect(p.trees[name], p.noteMaps)
	}
	return p, nil
}

// noteMaps notes the names of fields and variables that hold a map.
func (p *pkg) noteMaps(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.Field:
		if _, ok := node.Type.(*ast.MapType); ok {
			for _, name := range node.Names {
				p.maps[name.Name] = true
			}
		}
	case *ast.ValueSpec:
		for i, value := range node.Values {
			if literal, ok := value.(*ast.CompositeLit); ok {
				if _, ok := literal.Type.(*ast.MapType); ok {
					p.maps[node.Names[i].Name] = true
				}
			}
		}
	}
	return true
}

// offset returns where pos is in its file.
func (p *pkg) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

// source returns the text of node.
func (p *pkg) source(file string, node ast.Node) string {
	return p.files[file][p.offset(node.Pos()):p.offset(node.End())]
}

// replace returns the edit that puts text in the place of node.
func (p *pkg) replace(file string, node ast.Node, text string) edit {
	return edit{file, p.offset(node.Pos()), p.offset(node.End()), text}
}

// after returns the edit that puts text behind node.
func (p *pkg) after(file string, node ast.Node, text string) edit {
	end := p.offset(node.End())
	return edit{file, end, end, "\n" + text}
}

// before returns the edit that puts text before node.
func (p *pkg) before(file string, node ast.Node, text string) edit {
	start := p.offset(node.Pos())
	return edit{file, start, start, text + "\n"}
}

// add makes a mutant by edits, in the function called function.
func (p *pkg) add(kind, function string, at ast.Node, edits ...edit) {
	m := &mutant{dir: p.dir, pkg: p.name, kind: kind, files: map[string]string{}}
	position := p.fset.Position(at.Pos())
	m.place = fmt.Sprintf("%s:%d %s", filepath.ToSlash(position.Filename), position.Line, function)
	for name, text := range p.files {
		m.files[name] = apply(text, name, edits)
	}
	p.made = append(p.made, m)
}

// apply applies the edits of one file, which do not overlap.
func apply(text, file string, edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(b.start, a.start) })
	for _, e := range edits {
		if e.file == file {
			text = text[:e.start] + e.text + text[e.end:]
		}
	}
	return text
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
