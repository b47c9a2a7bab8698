// Package driver loads packages and runs the analyzer over them.
//
// The packages that the analyzer looks into, which are those of the main
// module or workspace, are type-checked from source; all others come from the
// compiler's export data, which the go command makes and caches. They run in
// the order of their dependencies, in parallel, and pass their facts on in
// memory.
package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

// A Config says what to analyse.
type Config struct {
	// Dir is the absolute directory in which patterns are resolved.
	Dir string
	// Patterns are those of the go command; a file stands for its package.
	Patterns []string
	// Tags are build tags, separated by commas.
	Tags string
	// Builds, unless there are none, are analysed one after the other, and what
	// they give is merged. Tags are then those of each.
	Builds []Build
	// env are the settings of the one build at hand.
	env []string
	// Std and Tests say that the analyzer looks into the standard library and
	// into test files.
	Std, Tests bool
	// Overlay replaces the contents of files, by absolute name.
	Overlay map[string][]byte
	// MayMiss: a pattern that names nothing is no error.
	MayMiss bool
	// Analyzer's result must be a [*finding.Result].
	Analyzer *analysis.Analyzer
	// Progress, unless it is nil, is called after each package, by several
	// goroutines.
	Progress func(done, total int)
}

// A Result is what a run found.
type Result struct {
	// Findings are sorted by position.
	Findings []finding.Finding
	// Ignored are those that comments and the configuration silence, sorted
	// too.
	Ignored []finding.Finding
	// Judgements are the answers where the analyzer was asked why, and Reached
	// says that the place in question was analysed.
	Judgements []finding.Judgement
	Reached    bool
	// Problems are the reasons why code could not be analysed, each once.
	Problems []Problem
	// Analysed are the paths of the packages that were asked for and analysed,
	// Skipped those of the packages that were not.
	Analysed, Skipped []string
	// empty are those that have no files in the build at hand.
	empty []string
}

// Run analyses packages. An error means that nothing could be analysed at all.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	if len(cfg.Builds) > 0 {
		return runBuilds(ctx, cfg)
	}
	res := new(Result)
	if !cfg.MayMiss { // an older tree is as good as the one at hand
		res.Problems = withoutCgo(ctx, &cfg)
	}
	roots, own, err := load(ctx, &cfg)
	if errors.Is(err, errNone) && len(res.Problems) > 0 {
		return res, nil // cgo is why there are none
	}
	if err == nil && !cfg.MayMiss {
		err = outOfScope(roots, &cfg)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range problems(cfg.Dir, roots) {
		// Of a package whose files all import C, the reason is given already.
		if len(res.Problems) == 0 || !strings.HasPrefix(p.Message, "build constraints exclude all Go files") {
			res.Problems = append(res.Problems, p)
		}
	}
	only(own)
	module := analyzer.NewModule(paths(own))
	graph, err := checker.Analyze([]*analysis.Analyzer{guarded(ctx, &cfg, module, len(own))}, own, nil)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	results, errs := module.Judge(newTree(&cfg, graph, roots))
	for _, act := range graph.Roots {
		if r := results[act.Package.Types]; r != nil {
			act.Result = r
		}
		act.Err = cmp.Or(act.Err, errs[act.Package.Types])
	}
	res.gather(&cfg, roots, graph)
	return res, nil
}

// gather takes what the analyzer returned of the packages that were asked for. Of an older tree, no fixes are wanted.
func (res *Result) gather(cfg *Config, roots []*packages.Package, graph *checker.Graph) {
	loaded := importsOf(graph)
	left := make(map[*packages.Package]bool) // asked for, and not analysed
	for _, p := range reported(roots) {
		left[p] = !madeForTests(p) && !nothing(p)
		if nothing(p) {
			res.empty = append(res.empty, p.PkgPath)
		}
	}
	for _, act := range graph.Roots {
		if err := act.Err; err != nil && !act.Package.IllTyped && !strings.HasPrefix(err.Error(), "failed prerequisites") {
			res.Problems = append(res.Problems, failed(act.Package.PkgPath, err))
		}
		if r, ok := act.Result.(*finding.Result); ok && left[act.Package] {
			delete(left, act.Package)
			res.Analysed = append(res.Analysed, act.Package.PkgPath)
			if !cfg.MayMiss {
				r.Findings = cfg.offered(act.Package, loaded, r.Findings)
			}
			res.Findings = append(res.Findings, r.Findings...)
			res.Ignored = append(res.Ignored, r.Ignored...)
			res.Judgements = append(res.Judgements, r.Judgements...)
			res.Reached = res.Reached || r.Reached
		}
	}
	for p, isPackage := range left {
		if isPackage && len(res.Problems) > 0 {
			res.Skipped = append(res.Skipped, p.PkgPath)
		}
	}
	slices.Sort(res.Skipped)
	res.Skipped = slices.Compact(res.Skipped)
	slices.SortFunc(res.Problems, Problem.compare)
	res.Problems = slices.Compact(res.Problems) // many packages have one configuration
	res.Findings, res.Ignored = sorted(res.Findings), sorted(res.Ignored)
}

// failed is the problem of a package that the analyzer returned an error of.
func failed(pkg string, err error) Problem {
	if e := (*analyzer.ConfigError)(nil); errors.As(err, &e) {
		return Problem{Pos: finding.Position{File: e.File, Line: e.Line}, Message: e.Message}
	}
	return Problem{Message: pkg + ": " + oneLine(err.Error())}
}

func (cfg *Config) readFile(name string) ([]byte, error) {
	if data, ok := cfg.Overlay[name]; ok {
		return slices.Clone(data), nil
	}
	return os.ReadFile(name)
}

// only cuts the import graph down to the packages that are analysed: the
// others have no syntax and no facts. What their types are, the type checker
// has taken from the export data.
func only(own []*packages.Package) {
	keep := make(map[*packages.Package]bool, len(own))
	for _, p := range own {
		keep[p] = true
	}
	for _, p := range own {
		imports := make(map[string]*packages.Package)
		for path, imp := range p.Imports {
			if keep[imp] {
				imports[path] = imp
			}
		}
		p.Imports = imports
	}
}

// reported returns the packages whose findings are shown. Where a package is
// loaded a second time with its test files, it is that one alone, as under go
// vet: the evidence may differ.
func reported(roots []*packages.Package) []*packages.Package {
	tested := make(map[string]bool)
	for _, p := range roots {
		if p.ForTest == p.PkgPath {
			tested[p.PkgPath] = true
		}
	}
	var out []*packages.Package
	for _, p := range roots {
		if p.ForTest != "" || !tested[p.PkgPath] {
			out = append(out, p)
		}
	}
	return out
}

// guarded returns the analyzer with a limit on how many packages it works on
// at a time, since each holds its SSA, and with a panic turned into an error of
// the package. A context that is done stops the packages that have not begun.
func guarded(ctx context.Context, cfg *Config, module *analyzer.Module, total int) *analysis.Analyzer {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var done atomic.Int64
	inner := cfg.Analyzer
	return &analysis.Analyzer{
		Name: inner.Name, Doc: inner.Doc, URL: inner.URL,
		ResultType: inner.ResultType, FactTypes: inner.FactTypes,
		Run: func(pass *analysis.Pass) (res any, err error) {
			slots <- struct{}{}
			defer func() {
				<-slots
				if r := recover(); r != nil {
					res, err = nil, fmt.Errorf("internal error: %v", r)
				}
				if n := done.Add(1); cfg.Progress != nil {
					cfg.Progress(int(n), total)
				}
			}()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if cfg.Overlay != nil {
				own := *pass
				own.ReadFile = cfg.readFile
				pass = &own
			}
			defer release(module, pass)
			return inner.Run(module.In(pass))
		},
	}
}

// release lets go of the syntax of a package that is not judged again, and of what
// the type checker says of it, which is half of the memory of a run. The types stay:
// other packages refer to them.
func release(module *analyzer.Module, pass *analysis.Pass) {
	if !module.Keeps(pass.Pkg) {
		clear(pass.Files)
		*pass.TypesInfo = types.Info{}
	}
}
