package prove

import (
	"context"
	"errors"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A module is what the go command knows of the packages at hand.
type module struct {
	// all are the packages of the main module or workspace by import path,
	// without syntax; tests says which of them have tests.
	all   map[string]*packages.Package
	tests map[string]bool
	// dirs are the directories of packages.
	dirs map[string]string
	// importers lists who imports a package, its own tests aside.
	importers map[string][]string
	// probed are the packages with syntax.
	probed []*packages.Package
	fset   *token.FileSet
	files  map[string]*file
}

// A file is one source file of a probed package.
type file struct {
	name string
	src  []byte
	ast  *ast.File
	pkg  *packages.Package
	// edits are what the rewriting does to it.
	edits []edit
}

// survey lists the packages of the module and who imports them.
func survey(ctx context.Context, cfg *Config) (*module, error) {
	conf := cfg.load(ctx)
	conf.Mode, conf.Tests = packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedModule|packages.NeedForTest, true
	pkgs, err := packages.Load(conf, modules(ctx, cfg)...)
	if err != nil {
		return nil, err
	}
	m := &module{all: make(map[string]*packages.Package), tests: make(map[string]bool), dirs: make(map[string]string), importers: make(map[string][]string)}
	for _, p := range pkgs {
		m.add(p)
	}
	if len(m.all) == 0 {
		return nil, errors.New("no packages of the module in " + cfg.Dir)
	}
	return m, nil
}

func (m *module) add(p *packages.Package) {
	if strings.HasSuffix(p.ID, ".test") && p.Name == "main" {
		return
	}
	if p.ForTest != "" {
		m.tests[p.ForTest] = true
		if len(p.GoFiles) > 0 {
			m.dirs[p.ForTest] = filepath.Dir(p.GoFiles[0])
		}
		for path := range p.Imports {
			if path = strings.TrimSuffix(path, " ["+p.ForTest+".test]"); path != p.ForTest {
				m.importers[path] = append(m.importers[path], p.ForTest)
			}
		}
		return
	}
	m.all[p.PkgPath] = p
	if len(p.GoFiles) > 0 {
		m.dirs[p.PkgPath] = filepath.Dir(p.GoFiles[0])
	}
	for path := range p.Imports {
		m.importers[path] = append(m.importers[path], p.PkgPath)
	}
}

// modules are the patterns of the main module, or of those of a workspace.
func modules(ctx context.Context, cfg *Config) []string {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{if .Main}}{{.Dir}}{{end}}")
	cmd.Dir, cmd.Env = cfg.Dir, append(os.Environ(), cfg.Env...)
	out, err := cmd.Output()
	if err != nil {
		return []string{"./..."}
	}
	var patterns []string
	for dir := range strings.Lines(string(out)) {
		if dir = strings.TrimSpace(dir); dir != "" {
			patterns = append(patterns, dir+"/...")
		}
	}
	return patterns
}

func (cfg *Config) load(ctx context.Context) *packages.Config {
	conf := &packages.Config{Context: ctx, Dir: cfg.Dir, Env: append(os.Environ(), cfg.Env...)}
	if cfg.Tags != "" {
		conf.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	return conf
}

// read loads the syntax of packages.
func (m *module) read(ctx context.Context, cfg *Config, paths []string) error {
	conf := cfg.load(ctx)
	conf.Mode = packages.LoadSyntax | packages.NeedModule
	m.fset, m.probed, m.files = token.NewFileSet(), nil, make(map[string]*file)
	conf.Fset = m.fset
	pkgs, err := packages.Load(conf, paths...)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		if len(p.Syntax) == 0 || p.IllTyped {
			continue
		}
		m.probed = append(m.probed, p)
		for _, f := range p.Syntax {
			name := m.fset.PositionFor(f.Package, false).Filename
			if !slices.Contains(p.GoFiles, name) { // made by the go command, as of cgo
				continue
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			m.files[name] = &file{name: name, src: src, ast: f, pkg: p}
		}
	}
	return nil
}

// offset is the place of a position in its file.
func (m *module) offset(pos token.Pos) int { return m.fset.PositionFor(pos, false).Offset }

// text is the source of a node.
func (f *file) text(m *module, n ast.Node) string {
	return string(f.src[m.offset(n.Pos()):m.offset(n.End())])
}
