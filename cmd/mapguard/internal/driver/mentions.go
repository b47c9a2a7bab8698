package driver

import (
	"bytes"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mapguard/mapguard/analyzer"
)

// said is what the files of a place mention: those that the build leaves out, and those
// that are a part of it.
type said struct{ leftOut, builtIn mentions }

// mentions are the exported names in some files.
type mentions struct {
	// from are the sources of the files that mention a name: the packages which they
	// import, by their paths, and their directories. An empty name says no more than that
	// a file has such sources.
	from map[string]map[string]bool
}

func newMentions() mentions { return mentions{from: make(map[string]map[string]bool)} }

// has reports whether a file names a function of a package, which is in a directory: one that
// imports it or is beside its files or, of a method, that gets values from a package which
// does so, directly or not.
func (m *mentions) has(path, dir, name string, method bool, graph *importGraph) bool {
	sources := m.from[name]
	if sources[path] || sources[dir] {
		return true
	}
	if !method || len(sources) == 0 {
		return false
	}
	users := graph.users(path)
	for from := range sources {
		if users[from] {
			return true
		}
	}
	return false
}

// note adds a name that stands in a file with some sources.
func (m *mentions) note(name string, sources []string) {
	if m.from[name] == nil {
		m.from[name] = make(map[string]bool)
	}
	for _, from := range sources {
		m.from[name][from] = true
	}
}

// Mentions implements [analyzer.Scope].
func (t *tree) Mentions(path, name string, method bool) analyzer.Mention {
	p := t.pkgs[path]
	if p == nil || p.Module == nil || len(p.GoFiles) == 0 {
		return analyzer.BuiltIn
	}
	at := place{p.Module.Dir, true}
	if p.Name == "main" {
		at = place{filepath.Dir(p.GoFiles[0]), false}
	}
	names, ok := t.said[at]
	if !ok {
		names = t.read(at, p.Module.Path)
		t.said[at] = names
	}
	dir := filepath.Dir(p.GoFiles[0])
	switch {
	case names == nil || names.builtIn.has(path, dir, name, method, t.graph):
		return analyzer.BuiltIn
	case names.leftOut.has(path, dir, name, method, t.graph):
		return analyzer.LeftOut
	}
	return analyzer.Unmentioned
}

// maxEntries bounds the files and directories that are looked through. In a larger
// tree nothing is said of callers.
const maxEntries = 200_000

// read returns the names in the files of a place that were not analysed, nil if
// they cannot all be read. The place lies in a module of that path.
func (t *tree) read(at place, module string) *said {
	names := &said{newMentions(), newMentions()}
	entries := 0
	err := filepath.WalkDir(at.dir, func(name string, d fs.DirEntry, err error) error {
		if entries++; err != nil || entries > maxEntries {
			return fs.ErrInvalid
		}
		base := d.Name()
		if !d.IsDir() {
			if strings.HasSuffix(base, ".go") && !t.seen[name] && !strings.HasSuffix(base, "_test.go") {
				if t.built[name] {
					return t.scan(name, at.dir, &names.builtIn)
				}
				return t.scan(name, at.dir, &names.leftOut)
			}
			return nil
		}
		skip := base == "vendor" || base == "testdata" || base == "node_modules" || base[0] == '.' || base[0] == '_'
		if name != at.dir && (skip || !at.tree) {
			return filepath.SkipDir
		}
		t.pathOf(name, at, module)
		return nil
	})
	if err != nil {
		return nil
	}
	return names
}

// pathOf notes the path of the package in a directory: by its name below another one, or by
// the module that begins there. What lies beside a program no one can import.
func (t *tree) pathOf(dir string, at place, module string) {
	if !at.tree {
		return
	}
	if dir == at.dir {
		t.graph.paths[dir] = module
	} else if src, err := t.source(filepath.Join(dir, "go.mod")); err == nil {
		t.graph.paths[dir] = modfile.ModulePath(src)
	} else if within := t.graph.paths[filepath.Dir(dir)]; within != "" {
		t.graph.paths[dir] = path.Join(within, filepath.Base(dir))
	}
}

// scan notes the exported names in a file, but for those of the functions that it declares:
// a declaration calls nothing. All imports come before other code. Files that are there for tests, which lie in a
// directory such as of that name or offer what only tests can call, mention as little as tests do.
func (t *tree) scan(name, top string, names *mentions) error {
	src, err := t.source(name)
	if err != nil || injects(src) || forTests(name, top, src) {
		return err
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(src)), src, nil, 0)
	sources, imports := []string{filepath.Dir(name)}, true
	var at declared
	for {
		_, tok, lit := s.Scan()
		declares := at.next(tok)
		switch tok {
		case token.EOF:
			names.note("", sources[1:])
			t.graph.join(sources[0], sources[1:])
			return nil
		case token.FUNC, token.VAR, token.CONST, token.TYPE:
			imports = false
		case token.STRING:
			if path, err := strconv.Unquote(lit); err == nil && imports {
				sources = append(sources, path)
			}
		case token.IDENT:
			if token.IsExported(lit) && !declares {
				names.note(lit, sources)
			}
		}
	}
}

// forTests reports whether a file below a directory is there for tests.
func forTests(name, top string, src []byte) bool {
	mode := parser.ImportsOnly | parser.ParseComments
	if bytes.Contains(src, []byte(`"testing"`)) {
		mode = parser.ParseComments | parser.SkipObjectResolution // what it offers tells
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, src, mode)
	within, away := filepath.Rel(top, filepath.Dir(name))
	return err == nil && away == nil && analyzer.ForTests(f, filepath.ToSlash(within))
}

// injects reports whether a file is the input of wire: its tag keeps it out of every program, which
// has what wire makes of it (github.com/google/wire).
func injects(src []byte) bool {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if x, err := constraint.Parse(line); err == nil {
			all := func(string) bool { return true }
			return x.Eval(all) && !x.Eval(func(tag string) bool { return tag != "wireinject" })
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			break // constraints come first
		}
	}
	return false
}

// declared follows the tokens of a file to the names of the functions and methods that it
// declares.
type declared struct {
	depth int         // open parentheses, brackets and braces
	last  token.Token // the one before
	head  bool        // in front of the name in a declaration
}

// next takes a token, and reports whether it is the name that a declaration gives a function.
func (d *declared) next(tok token.Token) bool {
	before := d.last
	d.last = tok
	switch tok {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		d.depth++
	case token.RPAREN, token.RBRACK, token.RBRACE:
		d.depth--
	case token.FUNC:
		d.head = d.depth == 0 && before == token.SEMICOLON
	case token.IDENT:
		if d.head && d.depth == 0 {
			d.head = false
			return true
		}
	}
	return false
}

func (t *tree) source(name string) ([]byte, error) {
	if t.cfg.Overlay != nil {
		return t.cfg.readFile(name)
	}
	return os.ReadFile(name)
}
