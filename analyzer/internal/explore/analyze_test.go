package explore_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// libraries are the packages that programs import: sync, and where they are
// fixed, maps.
var libraries = sync.OnceValues(func() (importer, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes}, "sync", "maps")
	if err != nil {
		return nil, err
	}
	out := make(importer)
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("package %s: %v", p.PkgPath, p.Errors)
		}
		out[p.PkgPath] = p.Types
	}
	return out, nil
})

// importer imports some packages, and nothing else.
type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("import of %s", path)
}

// load type-checks a program's source, in a package of a module of its own.
func load(src *program.Source, name string) (*packages.Package, error) {
	return loadFile(src.Text, name, filepath.Join(name, name+".go"))
}

// loadFile is load for a file of that name.
func loadFile(text, name, path string) (*packages.Package, error) {
	imp, err := libraries()
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	sizes := types.SizesFor("gc", runtime.GOARCH)
	conf := types.Config{Importer: imp, Sizes: sizes, GoVersion: "go1.26"}
	pkg, err := conf.Check("explore.test/"+name, fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	return &packages.Package{
		ID: pkg.Path(), Name: pkg.Name(), PkgPath: pkg.Path(), Fset: fset, Syntax: []*ast.File{file},
		Types: pkg, TypesInfo: info, TypesSizes: sizes, Imports: make(map[string]*packages.Package),
		Module: &packages.Module{Path: "explore.test", Main: true, GoVersion: "1.26"},
	}, nil
}

// analyzers are mapguard at its default confidence, and at low.
var analyzers = [...]*analysis.Analyzer{
	analyzer.New(analyzer.Config{}),
	analyzer.New(analyzer.Config{Confidence: "low"}),
}

// analyze returns the findings of each analyzer.
func analyze(pkg *packages.Package) (out [len(analyzers)][]finding.Finding, err error) {
	for i, a := range analyzers {
		graph, err := checker.Analyze([]*analysis.Analyzer{a}, []*packages.Package{pkg}, nil)
		if err != nil {
			return out, err
		}
		for _, act := range graph.Roots {
			if act.Err != nil {
				return out, act.Err
			}
			out[i] = act.Result.(*finding.Result).Findings
		}
	}
	return out, nil
}
