package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// mode asks for the syntax and types of the packages that are named, and for
// the import graph with the modules of all others.
const mode = packages.LoadSyntax | packages.NeedModule | packages.NeedForTest

// load returns the packages that patterns name, and all packages to analyse:
// these and those of the main module that they import, whose facts they need.
// Only a run over part of a module needs the second look.
func load(ctx context.Context, cfg *Config) (roots, own []*packages.Package, err error) {
	patterns := byPackage(cfg.Dir, cfg.Patterns)
	roots, err = list(ctx, cfg, patterns)
	if err != nil {
		return nil, nil, err
	}
	if cfg.MayMiss {
		roots = slices.DeleteFunc(roots, nothing)
	}
	switch {
	case len(roots) == 0 && cfg.MayMiss:
		return nil, nil, nil
	case len(roots) == 0:
		return nil, nil, noneMatch(ctx, cfg)
	}
	missing := imported(roots, cfg.Std)
	if len(missing) == 0 {
		return roots, analysed(roots), nil
	}
	ids := make(map[string]bool)
	for _, p := range roots {
		ids[p.ID] = true
	}
	all, err := list(ctx, cfg, slices.Concat(patterns, missing))
	if err != nil {
		return nil, nil, err
	}
	roots = slices.DeleteFunc(slices.Clone(all), func(p *packages.Package) bool { return !ids[p.ID] })
	return roots, analysed(all), nil
}

// errNone is the error of patterns that name no package.
var errNone = errors.New("no packages match")

// noneMatch also says where there is no module at all: the go command does so
// for some patterns only.
func noneMatch(ctx context.Context, cfg *Config) error {
	err := fmt.Errorf("%w %s", errNone, strings.Join(cfg.Patterns, " "))
	env := goEnv(ctx, cfg, "GOMOD", "GOWORK")
	if mod, ok := env["GOMOD"]; ok && (mod == "" || mod == os.DevNull) && !strings.HasSuffix(env["GOWORK"], ".work") {
		return fmt.Errorf("%w: no go.mod file here or above: %s", err, outside)
	}
	if said := refused(ctx, cfg); said != "" {
		return fmt.Errorf("%w: %s", err, said)
	}
	return err
}

// refused returns why the go command lists nothing, "" if it does list something: such as a
// go.mod file that must be updated, of which the loader says nothing.
func refused(ctx context.Context, cfg *Config) string {
	cmd := cfg.goCommand(ctx, append([]string{"list", "-find", "--"}, cfg.Patterns...)...)
	var said strings.Builder
	cmd.Stderr = &said
	if cmd.Run() == nil {
		return ""
	}
	return message(strings.TrimPrefix(said.String(), "go: "))
}

// outOfScope is the error of packages of which the analyzer would look into none:
// silence would pass for the answer that they are clean.
func outOfScope(roots []*packages.Package, cfg *Config) error {
	if slices.ContainsFunc(roots, func(p *packages.Package) bool { return len(p.Errors) > 0 || inScope(p, cfg.Std) }) {
		return nil
	}
	if len(roots) == 0 {
		return nil
	}
	first := roots[0]
	if first.Module == nil {
		return fmt.Errorf("nothing to analyse: %s belongs to no module: add -std", first.PkgPath)
	}
	return fmt.Errorf("nothing to analyse: %s belongs to the module %s: run mapguard in a copy of that module", first.PkgPath, first.Module.Path)
}

// nothing reports whether the package is only the name of one: the go command
// has found no code for it.
func nothing(p *packages.Package) bool {
	return len(p.Errors) > 0 && len(p.GoFiles) == 0 && len(p.OtherFiles) == 0
}

// byPackage replaces the names of files by queries for the packages that they
// belong to: a package of some files could not be loaded together with others,
// whose facts it needs.
func byPackage(dir string, patterns []string) []string {
	out := slices.Clone(patterns)
	for i, p := range out {
		if strings.HasSuffix(p, ".go") {
			if !filepath.IsAbs(p) {
				p = filepath.Join(dir, p)
			}
			out[i] = "file=" + p
		}
	}
	return out
}

func list(ctx context.Context, cfg *Config, patterns []string) ([]*packages.Package, error) {
	conf := &packages.Config{Context: ctx, Mode: mode, Dir: cfg.Dir, Tests: cfg.Tests, Overlay: cfg.Overlay, Env: cfg.environ()}
	if cfg.Tags != "" {
		conf.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	pkgs, err := packages.Load(conf, patterns...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, errors.New(message(err.Error()))
	}
	return pkgs, nil
}

// imported returns the packages of the main module or workspace that roots
// import, directly or not, and that are not among them, sorted.
func imported(roots []*packages.Package, std bool) []string {
	named := make(map[string]bool)
	for _, p := range roots {
		named[p.PkgPath] = true
	}
	out := make(map[string]bool)
	packages.Visit(roots, nil, func(p *packages.Package) {
		if !named[p.PkgPath] && inScope(p, std) && p.ForTest == "" {
			out[p.PkgPath] = true
		}
	})
	return slices.Sorted(maps.Keys(out))
}

// inScope reports whether the analyzer looks into the package; it is the
// analyzer's own rule, on what the loader knows.
func inScope(p *packages.Package, std bool) bool {
	if m := p.Module; m != nil {
		return m.Version == ""
	}
	return std && p.PkgPath != "unsafe"
}

// analysed leaves out the main packages that the go command makes for tests.
func analysed(pkgs []*packages.Package) []*packages.Package {
	return slices.DeleteFunc(slices.Clone(pkgs), func(p *packages.Package) bool {
		return madeForTests(p) || len(p.Syntax) == 0
	})
}

// madeForTests reports whether the go command has made the package.
func madeForTests(p *packages.Package) bool {
	return p.Name == "main" && strings.HasSuffix(p.ID, ".test")
}
