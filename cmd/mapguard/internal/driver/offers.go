package driver

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/fixes"
)

// An offer asks which fixes of a package's findings may be offered: those with which it compiles. The package is type-checked
// anew, with what is loaded already.
type offer struct {
	cfg    *Config
	pkg    *packages.Package
	loaded importable
	// missing: what was tried last imports something that is not loaded.
	missing bool
}

// importable are the packages that those of a run import, by path.
type importable map[string]*types.Package

// importsOf returns what the packages of a run import: of that, all is loaded.
func importsOf(graph *checker.Graph) importable {
	known := importable{"unsafe": types.Unsafe}
	for _, act := range graph.Roots {
		for _, imported := range act.Package.Types.Imports() {
			known[imported.Path()] = imported
		}
	}
	return known
}

// offered returns the findings of a package, without the fixes with which it would not compile. All fixes that can be made at
// once are tried at once, and each by itself only where that fails or cannot be told.
func (cfg *Config) offered(p *packages.Package, loaded importable, findings []finding.Finding) []finding.Finding {
	if !slices.ContainsFunc(findings, func(f finding.Finding) bool { return len(f.Fixes) > 0 }) {
		return findings
	}
	o := &offer{cfg: cfg, pkg: p, loaded: loaded}
	for left := findings; len(left) > 0; {
		plan, err := fixes.Make(left, cfg.readFile)
		if err != nil || o.breaks(plan) != nil || o.missing {
			return o.eachAlone(findings)
		}
		if len(plan.Fixed) == 0 {
			break
		}
		left = nil
		for _, l := range plan.Left {
			left = append(left, l.Finding)
		}
	}
	return findings
}

// eachAlone tries each fix by itself, unless the package as it is does not pass here either.
func (o *offer) eachAlone(findings []finding.Finding) []finding.Finding {
	if o.breaks(new(fixes.Plan)) != nil {
		return findings
	}
	findings = slices.Clone(findings)
	for i := range findings {
		f := &findings[i]
		if len(f.Fixes) == 0 {
			continue
		}
		plan, err := fixes.Make(findings[i:i+1], o.cfg.readFile)
		if err == nil {
			err = o.breaks(plan)
		}
		if err != nil {
			f.Fixes, f.NoFix = nil, "no fix, since what it makes would not compile: "+oneLine(err.Error())
		}
	}
	return findings
}

// breaks returns the first error that the package would have with a plan; nil if it has none, or that cannot be told here.
func (o *offer) breaks(plan *fixes.Plan) error {
	files, err := o.files(plan)
	if err != nil || files == nil {
		return err
	}
	o.missing = false
	var first error
	conf := types.Config{Importer: o, Sizes: o.pkg.TypesSizes, GoVersion: o.pkg.Types.GoVersion(), Error: func(err error) {
		if first == nil {
			first = err
		}
	}}
	_, _ = conf.Check(o.pkg.PkgPath, o.pkg.Fset, files, nil) // the error is the first
	if o.missing {
		return nil
	}
	return first
}

// files returns the files of the package as a plan makes them; none if it changes those of another package, or the files are
// not known.
func (o *offer) files(plan *fixes.Plan) ([]*ast.File, error) {
	names := o.pkg.CompiledGoFiles
	if len(names) != len(o.pkg.Syntax) || slices.ContainsFunc(plan.Files, func(f fixes.File) bool { return !slices.Contains(names, f.Name) }) {
		return nil, nil
	}
	files := slices.Clone(o.pkg.Syntax)
	for i, name := range names {
		var text any
		if at := slices.IndexFunc(plan.Files, func(f fixes.File) bool { return f.Name == name }); at >= 0 {
			text = plan.Files[at].New
		} else if files[i] != nil {
			continue
		} else if old, err := o.cfg.readFile(name); err != nil { // its syntax was let go of
			return nil, nil
		} else {
			text = old
		}
		var err error
		if files[i], err = parser.ParseFile(o.pkg.Fset, name, text, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Import returns a package that is loaded as a whole.
func (o *offer) Import(path string) (*types.Package, error) {
	if p := o.loaded[path]; p != nil {
		return p, nil
	}
	o.missing = true
	return nil, errors.New("not loaded")
}
