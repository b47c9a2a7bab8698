package driver

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/fixes"
)

// An offer asks which fixes of a package's findings may be offered: those with which it compiles. The package is type-checked
// anew, with what is loaded already.
type offer struct {
	cfg      *Config
	pkg      *packages.Package
	loaded   importable
	findings []finding.Finding
	// refused says of findings, by their number, why they have no fix.
	refused map[int]string
	// old are the files as they are, wrong the declarations in which the last errors are, see [offer.nameAt].
	old   []*ast.File
	wrong map[string]bool
	tries int
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

// maxTries bounds how often one package is type-checked to find the fixes that break it. Those that break it together after
// that are not offered.
const maxTries = 100

// offered returns the findings of a package, without the fixes with which it would not compile.
func (cfg *Config) offered(p *packages.Package, loaded importable, findings []finding.Finding) []finding.Finding {
	o := &offer{cfg: cfg, pkg: p, loaded: loaded, findings: findings, refused: make(map[int]string)}
	if o.all(); len(o.refused) == 0 {
		return findings
	}
	findings = slices.Clone(findings)
	for i, why := range o.refused {
		findings[i].Fixes, findings[i].NoFix = nil, why
	}
	return findings
}

// all tries all fixes at once, and parts of them only where that fails or cannot be told, and the package as it is passes here.
func (o *offer) all() {
	var fixed []int
	for i := range o.findings {
		if len(o.findings[i].Fixes) > 0 {
			fixed = append(fixed, i)
		}
	}
	err, told := o.together(fixed)
	if err == nil && told {
		return
	}
	wrong := o.wrong
	if before, told := o.breaks(new(fixes.Plan)); before == nil && told {
		o.wrong = wrong
		o.split(fixed, err)
	}
}

// narrow refuses those of some fixes with which the package would not compile.
func (o *offer) narrow(some []int) {
	if len(some) > 0 {
		if err, told := o.together(some); err != nil || !told {
			o.split(some, err)
		}
	}
}

// split does so where some break the package, or that cannot be told of all at once. Those that change a declaration in which
// there is an error are tried each by itself, and the rest at once; where there are none, each half. Complexity: a check for
// each that breaks what it changes, the logarithm of their number for one that breaks what is elsewhere; see [maxTries].
func (o *offer) split(some []int, err error) {
	if len(some) == 1 || o.tries >= maxTries {
		o.refuse(some, err)
		return
	}
	at, rest := o.suspects(some)
	if err == nil || len(at) == 0 || len(rest) == 0 {
		half := len(some) / 2
		o.narrow(some[:half])
		o.narrow(some[half:])
		return
	}
	for len(at) > 0 && o.tries < maxTries {
		o.narrow(at[:1])
		at = at[1:]
	}
	o.narrow(at)
	o.narrow(rest)
}

// refuse notes that some fixes break the package: one, or those that are left after many tries. None does if there is no error.
func (o *offer) refuse(some []int, err error) {
	if err == nil {
		return // it imports what is not known here
	}
	why := "no fix, since what it makes would not compile: "
	if len(some) > 1 {
		why = "no fix, since many of this package's would not compile: "
	}
	for _, i := range some {
		o.refused[i] = why + o.reason(err)
	}
}

// reason is an error without the place: it would be one in the text that is not made.
func (o *offer) reason(err error) string {
	if e := (types.Error{}); errors.As(err, &e) {
		return oneLine(e.Msg)
	}
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
		return oneLine(list[0].Msg)
	}
	return oneLine(strings.ReplaceAll(err.Error(), o.pkg.Dir+string(filepath.Separator), ""))
}

// together returns the first error that the package would have with some fixes, those that meet one after the other, nil if
// it has none, and whether that can be told.
func (o *offer) together(some []int) (err error, told bool) {
	var left []finding.Finding
	for _, i := range some {
		left = append(left, o.findings[i])
	}
	o.wrong, told = nil, true
	for len(left) > 0 {
		o.tries++
		plan, err := fixes.Make(left, o.cfg.readFile)
		if err != nil {
			return err, true
		}
		err, known := o.breaks(plan)
		if err != nil || len(plan.Fixed) == 0 {
			return err, told
		}
		told, left = told && known, nil
		for _, l := range plan.Left {
			left = append(left, l.Finding)
		}
	}
	return nil, told
}

// breaks returns the first error that the package would have with a plan, nil if it has none, and whether that can be told
// here. It notes where the errors are.
func (o *offer) breaks(plan *fixes.Plan) (first error, told bool) {
	files, err := o.files(plan)
	if files == nil {
		return err, err != nil
	}
	if len(plan.Files) == 0 {
		o.old = files
	}
	if !o.loaded.all(files) {
		return nil, false
	}
	o.wrong = make(map[string]bool)
	conf := types.Config{Importer: o.loaded, Sizes: o.pkg.TypesSizes, GoVersion: o.pkg.Types.GoVersion(), Error: func(err error) {
		if first == nil {
			first = err
		}
		if e := (types.Error{}); errors.As(err, &e) {
			o.wrong[nameAt(files, e.Pos)] = true
		}
	}}
	_, _ = conf.Check(o.pkg.PkgPath, o.pkg.Fset, files, nil) // the error is the first
	return first, true
}

// suspects parts some fixes: those that change a declaration in which an error was, and the others.
func (o *offer) suspects(some []int) (at, rest []int) {
	for _, i := range some {
		if slices.ContainsFunc(o.findings[i].Fixes[0].Edits, func(e finding.Edit) bool { return o.wrong[o.changed(e)] }) {
			at = append(at, i)
		} else {
			rest = append(rest, i)
		}
	}
	return at, rest
}

// changed names the declaration that an edit changes.
func (o *offer) changed(e finding.Edit) string {
	at := slices.Index(o.pkg.CompiledGoFiles, e.File)
	if at < 0 || at >= len(o.old) {
		return ""
	}
	file := o.pkg.Fset.File(o.old[at].FileStart)
	if file == nil {
		return ""
	}
	return nameAt(o.old, file.Pos(e.Start))
}

// nameAt names the declaration of a file in which a position is, so that it has the same name in a file with other text; "" if
// it is in none.
func nameAt(files []*ast.File, pos token.Pos) string {
	for _, f := range files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if pos >= d.Pos() && pos <= d.End() {
				return nameOf(d)
			}
		}
	}
	return ""
}

func nameOf(d ast.Decl) string {
	if fn, ok := d.(*ast.FuncDecl); ok {
		if fn.Recv != nil && len(fn.Recv.List) > 0 {
			return types.ExprString(fn.Recv.List[0].Type) + "." + fn.Name.Name
		}
		return fn.Name.Name
	}
	gen, ok := d.(*ast.GenDecl)
	if !ok || len(gen.Specs) == 0 {
		return ""
	}
	switch spec := gen.Specs[0].(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		return spec.Names[0].Name
	}
	return gen.Tok.String()
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

// all reports whether everything that some files import is loaded.
func (l importable) all(files []*ast.File) bool {
	for _, f := range files {
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err != nil || l[path] == nil {
				return false
			}
		}
	}
	return true
}

// Import returns a package that is loaded as a whole.
func (l importable) Import(path string) (*types.Package, error) {
	if p := l[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("not loaded")
}
