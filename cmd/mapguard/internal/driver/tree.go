package driver

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
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
	// graph tells which packages get values from which.
	graph *importGraph
}

// A place is a directory, with those below it if it is a tree.
type place struct {
	dir  string
	tree bool
}

func newTree(cfg *Config, graph *checker.Graph, roots []*packages.Package) *tree {
	t := &tree{
		cfg: cfg, pkgs: make(map[string]*packages.Package), seen: make(map[string]bool),
		built: make(map[string]bool), said: make(map[place]*said), graph: newImportGraph(),
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		t.graph.add(p)
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

// paths returns the import paths of packages.
func paths(pkgs []*packages.Package) []string {
	var out []string
	for _, p := range pkgs {
		out = append(out, p.PkgPath)
	}
	return out
}
