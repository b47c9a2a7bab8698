package driver

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
)

// A tree is what a run has seen of its module: which packages nothing else can
// import, and what the files say that were not analysed. Such files there are with
// another build's constraints, with C where there is no compiler for it, in
// packages with errors, and in modules below this one.
type tree struct {
	cfg  *Config
	pkgs map[string]*packages.Package // those that were analysed
	seen map[string]bool              // their files
	// built are the files of all packages of the build, those with errors included.
	built map[string]bool
	// said are the names that other files mention: those in a directory, or in a
	// tree. It is nil where not all could be read.
	said map[place]*said
}

// said is what the files of a place mention: those that the build leaves out, and those
// that are a part of it.
type said struct{ leftOut, builtIn mentions }

// mentions are the exported names in some files.
type mentions struct {
	all map[string]bool
	// from are those in files that import a package, by its path, and in files beside
	// its own, by their directory. An empty name says no more than that a file imports it.
	from map[string]map[string]bool
}

func newMentions() mentions {
	return mentions{all: make(map[string]bool), from: make(map[string]map[string]bool)}
}

// has reports whether a file names a function of a package, which is in a directory.
func (m *mentions) has(path, dir, name string, method bool) bool {
	if method {
		return m.all[name]
	}
	return m.from[path][name] || m.from[dir][name]
}

// note adds a name that stands in a file of some packages' importers.
func (m *mentions) note(name string, sources []string) {
	m.all[name] = true
	for _, from := range sources {
		if m.from[from] == nil {
			m.from[from] = make(map[string]bool)
		}
		m.from[from][name] = true
	}
}

// A place is a directory, with those below it if it is a tree.
type place struct {
	dir  string
	tree bool
}

func newTree(cfg *Config, graph *checker.Graph, roots []*packages.Package) *tree {
	t := &tree{
		cfg: cfg, pkgs: make(map[string]*packages.Package), seen: make(map[string]bool),
		built: make(map[string]bool), said: make(map[place]*said),
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, name := range p.GoFiles {
			t.built[name] = true
		}
	})
	for act := range graph.All() {
		p := act.Package
		if act.Err != nil {
			continue
		}
		t.pkgs[p.PkgPath] = p
		for _, name := range p.GoFiles {
			t.seen[name] = true
		}
	}
	return t
}

// Closed implements [analyzer.Scope].
func (t *tree) Closed(path string, application bool) bool {
	p := t.pkgs[path]
	switch {
	case p == nil || p.Module == nil || len(p.GoFiles) == 0 || usesC(p):
		return false
	case p.Name == "main":
		return true
	case application:
		return t.Whole(path)
	}
	root, ok := importers(p.PkgPath)
	if !ok || root != p.Module.Path && !strings.HasPrefix(root, p.Module.Path+"/") {
		return false // a package above the module's can import it
	}
	return t.covers(p, filepath.Join(p.Module.Dir, filepath.FromSlash(strings.TrimPrefix(root, p.Module.Path))), root)
}

// Whole implements [analyzer.Scope].
func (t *tree) Whole(path string) bool {
	p := t.pkgs[path]
	return p != nil && p.Module != nil && t.covers(p, p.Module.Dir, p.Module.Path)
}

// importers returns the path of the tree whose packages alone can import one, by
// the rule for internal packages.
func importers(path string) (string, bool) {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i <= 0 {
		return "", false
	}
	return path[:i-1], true
}

// usesC reports whether the package has C's functions, or lets C call its own.
func usesC(p *packages.Package) bool {
	made := slices.ContainsFunc(p.CompiledGoFiles, func(name string) bool { return !slices.Contains(p.GoFiles, name) })
	return made || len(p.OtherFiles) > 0
}

// covers reports whether a pattern of this run names all packages of a tree.
func (t *tree) covers(p *packages.Package, dir, path string) bool {
	if p.Module.Dir == "" {
		return false
	}
	for _, pattern := range t.cfg.Patterns {
		base, all := strings.CutSuffix(pattern, "...")
		if !all {
			continue
		}
		base = strings.TrimSuffix(base, "/")
		switch {
		case base == "." || strings.HasPrefix(base, "./") || base == ".." || strings.HasPrefix(base, "../"):
			base = filepath.Join(t.cfg.Dir, filepath.FromSlash(base))
		case filepath.IsAbs(base):
		default:
			if base != "" && (path == base || strings.HasPrefix(path, base+"/")) {
				return true
			}
			continue
		}
		if rel, err := filepath.Rel(base, dir); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
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
		names = t.read(at)
		t.said[at] = names
	}
	dir := filepath.Dir(p.GoFiles[0])
	switch {
	case names == nil || names.builtIn.has(path, dir, name, method):
		return analyzer.BuiltIn
	case names.leftOut.has(path, dir, name, method):
		return analyzer.LeftOut
	}
	return analyzer.Unmentioned
}

// maxEntries bounds the files and directories that are looked through. In a larger
// tree nothing is said of callers.
const maxEntries = 200_000

// read returns the names in the files of a place that were not analysed, nil if
// they cannot all be read.
func (t *tree) read(at place) *said {
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
					return t.scan(name, &names.builtIn)
				}
				return t.scan(name, &names.leftOut)
			}
			return nil
		}
		skip := base == "vendor" || base == "testdata" || base == "node_modules" || base[0] == '.' || base[0] == '_'
		if name != at.dir && (skip || !at.tree) {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return names
}

// scan notes the exported names in a file, but for those of the functions that it declares:
// a declaration calls nothing. All imports come before other code.
func (t *tree) scan(name string, names *mentions) error {
	src, err := t.source(name)
	if err != nil {
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

// paths returns the import paths of packages.
func paths(pkgs []*packages.Package) []string {
	var out []string
	for _, p := range pkgs {
		out = append(out, p.PkgPath)
	}
	return out
}
