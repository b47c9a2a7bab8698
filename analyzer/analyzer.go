package analyzer

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/check/registry"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/fix"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/report"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssabuild"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/suppress"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A Config holds the analyzer's settings. The zero Config has the defaults.
type Config struct {
	// Confidence is the lowest confidence that is reported: low, medium
	// (the default) or high.
	Confidence string
	// Std also analyses packages that belong to no module, which are those
	// of the standard library.
	Std bool
	// Tests also analyses the functions of _test.go files.
	Tests bool
	// Why, when it is FILE:LINE, asks for the judgement on every candidate at
	// that line instead of findings. FILE may be the end of the file's name.
	Why string
	// Only and Skip are categories: only those are reported, and not these.
	Only, Skip []string
	// File is the configuration file, none for no such file. Without it, it is
	// the .mapguard.yaml in the directory of the package or above it. What is
	// set here comes before what the file says.
	File string
	// LeaveNolint leaves comments of the form //nolint:mapguard to the
	// driver. It is for golangci-lint, which applies them itself and reports
	// those that suppress nothing.
	LeaveNolint bool
}

// Analyzer is mapguard with default settings.
var Analyzer = New(Config{})

// New returns an analyzer with the given settings; each has flags of its own.
// Its result, for drivers that show more than diagnostics can carry, is a
// [*finding.Result].
func New(cfg Config) *analysis.Analyzer {
	r := &runner{cfg: cfg}
	a := &analysis.Analyzer{
		Name:       "mapguard",
		Doc:        doc,
		URL:        RulesURL, // a diagnostic's own is this with # and its category
		Run:        func(pass *analysis.Pass) (any, error) { return r.run(complete(pass)) },
		ResultType: reflect.TypeFor[*finding.Result](),
		FactTypes:  []analysis.Fact{new(summary.Fact), new(guard.Fact)},
	}
	a.Flags.Var(&level{&r.cfg.Confidence}, "confidence", "report findings of at least this confidence: low, medium or high")
	a.Flags.Var(&place{&r.cfg.Why}, "why", "explain at `FILE:LINE` what is reported there, or why nothing is")
	a.Flags.Var((*Categories)(&r.cfg.Only), "only", "report only these `categories`, separated by commas")
	a.Flags.Var((*Categories)(&r.cfg.Skip), "skip", "do not report these `categories`, separated by commas")
	a.Flags.StringVar(&r.cfg.File, "config", cfg.File, "the configuration `file`, or none; by default it is the .mapguard.yaml of the package's directory or above")
	a.Flags.BoolVar(&r.cfg.Std, "std", cfg.Std, "also analyse packages that belong to no module (the standard library)")
	a.Flags.BoolVar(&r.cfg.Tests, "tests", cfg.Tests, "also analyse _test.go files")
	return a
}

// level is the flag for a confidence. It refuses unknown ones at once, so that
// they are reported once and not for each package.
type level struct{ s *string }

func (l *level) String() string {
	if l.s == nil {
		return "" // package flag asks a zero value
	}
	return cmp.Or(*l.s, sharing.Medium.String())
}

func (l *level) Set(s string) error {
	if _, err := sharing.Parse(s); err != nil {
		return err
	}
	*l.s = s
	return nil
}

// A runner holds the settings of one analyzer, and the configuration files that
// its packages have. It is safe for concurrent use, as drivers run packages in
// parallel.
type runner struct {
	cfg   Config
	files files
}

func (r *runner) run(pass *analysis.Pass) (any, error) {
	if _, err := sharing.Parse(cmp.Or(r.cfg.Confidence, sharing.Medium.String())); err != nil {
		return nil, err
	}
	if !r.inScope(pass) {
		return new(finding.Result), nil
	}
	cfg, err := r.settings(pass)
	if err != nil {
		return nil, err
	}
	if r.cfg.Why != "" {
		return r.why(pass, cfg)
	}
	if !needed(pass, cfg.model) {
		// A comment may still silence what is no longer there.
		module(pass).unread(pass, cfg)
		problems := cfg.chosen(withProblems(nil, readIgnores(pass, cfg.Config), pass.Fset), pass)
		return report.Diagnostics(pass, problems, nil, cfg.min), nil
	}
	p := analyze(pass, cfg)
	m := module(pass)
	var fixes *fix.Maker // in a module they are made when callers are known
	if m == nil {
		fixes = fix.New(pass, p.in)
	}
	found := p.findings()
	res := p.report(pass, found, fixes)
	p.export()
	quiet := report.Quiet(pass) // what is reported the second time is the result alone
	keep := len(res.Findings) > 0 || p.in.Sharing.MayRise() || p.belowHigh(found)
	m.analysed(p, keep, func(p *program) *finding.Result { return p.report(quiet, p.findings(), fix.New(quiet, p.in)) })
	return res, nil
}

// report reports of what the rules find what the settings ask for; fixes may be
// nil.
func (p *program) report(pass *analysis.Pass, found []check.Finding, fixes *fix.Maker) *finding.Result {
	return report.Diagnostics(pass, p.cfg.chosen(found, pass), fixes, p.cfg.min)
}

// belowHigh reports whether those of high confidence alone are to be reported, and there are others, of which the
// module may make some.
func (p *program) belowHigh(found []check.Finding) bool {
	return p.cfg.min > sharing.Medium && slices.ContainsFunc(found, func(f check.Finding) bool { return f.Confidence == sharing.Medium })
}

// why explains instead of reporting; facts are made all the same.
func (r *runner) why(pass *analysis.Pass, cfg *settings) (any, error) {
	file, line, err := splitPlace(r.cfg.Why)
	if err != nil {
		return nil, err
	}
	if !needed(pass, cfg.model) {
		module(pass).unread(pass, cfg)
		return report.Why(pass, nil, nil, nil, file, line), nil
	}
	p := analyze(pass, cfg)
	p.export()
	explain := func(p *program) *finding.Result {
		found := slices.Concat(p.ignores().Filter(p.raw()))
		p.in.Complete(found)
		return report.Why(pass, p.in, found, fix.New(pass, p.in), file, line)
	}
	res := explain(p)
	module(pass).analysed(p, res.Reached, explain)
	return res, nil
}

// inScope reports whether the package belongs to the main module or
// workspace. All others are known through the model table alone, so every
// driver sees the same and the dependencies cost nothing.
func (r *runner) inScope(pass *analysis.Pass) bool {
	if standard(pass) {
		return r.cfg.Std
	}
	return pass.Module == nil || pass.Module.Version == ""
}

// within returns the path of the package within its module, "" where the driver
// gives no module.
func within(pass *analysis.Pass) string {
	if m := pass.Module; m != nil && m.Path != "" {
		return strings.TrimPrefix(strings.TrimPrefix(pass.Pkg.Path(), m.Path), "/")
	}
	return ""
}

// library returns what tells the packages of other modules: the driver knows those of the module, or its path; else they are
// told by the first part of their paths.
func library(pass *analysis.Pass) func(*types.Package) bool {
	if m := module(pass); m != nil {
		return func(pkg *types.Package) bool { return pkg != pass.Pkg && !m.inScope(pkg.Path()) }
	}
	own, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	if m := pass.Module; m != nil && m.Path != "" {
		own = m.Path
	}
	return func(pkg *types.Package) bool { return pkg.Path() != own && !strings.HasPrefix(pkg.Path(), own+"/") }
}

// standard reports whether the package belongs to the standard library.
// Drivers differ in what module they give for it, if any; it is known by its
// path, whose first element has no dot.
func standard(pass *analysis.Pass) bool {
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Path == "std" || m.Path == "cmd"
	}
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return !strings.Contains(first, ".") && first != "command-line-arguments" && first != "main"
}

// needed reports whether the package can hold a finding or a summary that
// matters: it mentions a map, a lock or a channel that may be one, draws what others use as keys, or runs what
// they pass it.
func needed(pass *analysis.Pass, extra *model.Extra) bool {
	for _, tv := range pass.TypesInfo.Types {
		switch t := types.Unalias(tv.Type).(type) {
		case *types.Map:
			return true
		case *types.Named:
			if pkg := t.Obj().Pkg(); pkg != nil && pkg.Path() == "sync" {
				return true
			}
			if _, ok := t.Underlying().(*types.Map); ok || extra.IsConcurrentMap(t) {
				return true
			}
		case *types.Pointer:
			if extra.IsConcurrentMap(t) {
				return true
			}
		case *types.Chan:
			if t.Dir() == types.SendRecv && model.IsToken(t.Elem()) {
				return true
			}
		}
	}
	for _, f := range pass.AllObjectFacts() {
		if _, ok := f.Fact.(*summary.Fact); ok && f.Object.Pkg() != pass.Pkg {
			return true
		}
	}
	return draws(pass) || runs(pass)
}

// runs reports whether the package starts goroutines, or may run functions that it is passed.
func runs(pass *analysis.Pass) bool {
	for _, obj := range pass.TypesInfo.Defs {
		if fn, ok := obj.(*types.Func); ok && takesFunction(fn.Signature()) {
			return true
		}
	}
	starts := false
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			_, isGo := n.(*ast.GoStmt)
			starts = starts || isGo
			return !starts
		})
	}
	return starts
}

// takesFunction reports whether a function is passed another one, but for handlers: it is known
// how a server runs those.
func takesFunction(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if fn, ok := v.Type().Underlying().(*types.Signature); ok && model.HandlerOf(fn, nil) == nil {
			return true
		}
	}
	return false
}

// draws reports whether the package calls a random source or a counter.
func draws(pass *analysis.Pass) bool {
	for _, obj := range pass.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && model.Unique(fn) {
			return true
		}
	}
	return false
}

// A program is one analysed package.
type program struct {
	pass *analysis.Pass
	cfg  *settings
	in   *check.Input
	ssa  *ssabuild.Program
	gset *guard.Set
	docs *role.Index
	cod  *summary.Codec
	// votes are what other packages of the module do with locations, once known.
	votes guard.Votes
	// uses are the functions of the module that come to locations, once known.
	uses guard.Uses
}

func analyze(pass *analysis.Pass, cfg *settings) *program {
	p := &program{pass: pass, cfg: cfg}
	p.solve(ssabuild.Build(pass, p.importedNoReturn, cfg.Tests))
	return p
}

// solve runs the analysis over SSA, up to what the rules look at.
func (p *program) solve(prog *ssabuild.Program) {
	pass := p.pass
	paths := accesspath.NewBuilder()
	p.cod = summary.NewCodec(paths.Table, pass.Pkg)
	p.ssa = prog
	p.docs = role.NewIndex(pass.Fset, pass.Files, pass.TypesInfo, within(pass))
	pkg := infer.Run(infer.Config{
		Pkg: p.ssa.Pkg, Funcs: p.ssa.Funcs, Imported: p.imported,
		Roles: infer.ReadRoles(p.docs), Paths: paths, Model: p.cfg.model, Codec: p.cod,
		Module: module(p.pass).contains(), Library: library(p.pass),
	})
	p.judge(pkg)
}

// judge answers the questions of all candidates of an analysed package.
func (p *program) judge(pkg *infer.Package) {
	th := threads.Analyze(pkg)
	places := pkg.Places()
	im := guard.Imported(p.pass)
	im.Votes, im.Uses = p.votes, p.uses
	p.gset = guard.Infer(places, p.docs, im, p.cfg.guards, pkg.Single)
	judge := sharing.NewJudge(th, p.gset, p.typeClaims, p.typeDenies, im.Shared)
	p.in = &check.Input{Judge: witness.NewJudge(pkg, places, p.gset, judge, p.line)}
}

func (p *program) line(pos token.Pos) int {
	if !pos.IsValid() {
		return 0
	}
	return p.pass.Fset.Position(pos).Line
}

// typeClaims reports whether the type that owns a location says that it is
// safe for concurrent use.
func (p *program) typeClaims(loc accesspath.Location) bool {
	g := p.docs.ByVar[loc.Var]
	return g != nil && role.OfType(g.Doc).Has(role.Concurrent)
}

// typeDenies reports whether it says that it is not, or the field's own comment
// does.
func (p *program) typeDenies(loc accesspath.Location) bool {
	g := p.docs.ByVar[loc.Var]
	if g == nil {
		return false
	}
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Var == loc.Var && role.OfType(f.Text).Has(role.NotConcurrent) {
			return true
		}
	}
	return role.OfType(g.Doc).Has(role.NotConcurrent)
}

// raw returns what the rules find, before anything is left out.
func (p *program) raw() []check.Finding {
	var all []check.Finding
	for _, rule := range registry.Rules() {
		all = append(all, rule.Find(p.in)...)
	}
	return all
}

// findings asks the rules. What a comment silences still replaces the weaker
// findings of its place, and each place is silenced for itself: both happen
// before findings are merged. The silenced ones are among those returned.
func (p *program) findings() []check.Finding {
	all := p.raw()
	files := make(map[*token.File]bool)
	for _, f := range written(p.pass, p.cfg.Tests) {
		files[p.pass.Fset.File(f.FileStart)] = true
	}
	all = slices.DeleteFunc(all, func(f check.Finding) bool { return !files[p.pass.Fset.File(f.Pos)] })
	ignores := p.ignores()
	kept, ignored := ignores.Filter(check.Strongest(all, p.pass.Fset))
	kept = check.Merge(kept, p.pass.Fset)
	if len(ignored) > 0 {
		kept = append(kept, ignored...)
		check.Sort(kept, p.pass.Fset)
	}
	p.in.Complete(kept)
	return withProblems(kept, ignores, p.pass.Fset)
}

// ignores reads the comments that silence findings.
func (p *program) ignores() *suppress.Set { return readIgnores(p.pass, p.cfg.Config) }

func readIgnores(pass *analysis.Pass, cfg Config) *suppress.Set {
	opts := suppress.Options{LeaveNolint: cfg.LeaveNolint}
	for _, rule := range registry.Rules() {
		opts.Categories = append(opts.Categories, rule.Category())
	}
	return suppress.Read(pass.Fset, written(pass, cfg.Tests), opts)
}

// withProblems adds what is wrong with the comments themselves.
func withProblems(findings []check.Finding, ignores *suppress.Set, fset *token.FileSet) []check.Finding {
	problems := ignores.Problems()
	if len(problems) == 0 {
		return findings
	}
	findings = append(findings, problems...)
	check.Sort(findings, fset)
	return findings
}

func (p *program) imported(fn *types.Func) *summary.Func {
	var fact summary.Fact
	if !p.pass.ImportObjectFact(fn, &fact) {
		return nil
	}
	s, err := p.cod.Decode(fn, &fact)
	if err != nil {
		return nil // made by another version: as if there were no fact
	}
	return s
}

func (p *program) importedNoReturn(fn *types.Func) bool {
	var fact summary.Fact
	return p.pass.ImportObjectFact(fn, &fact) && fact.NoReturn
}

// export writes the facts that importing packages need.
func (p *program) export() {
	conduct := conduct.New(p.in.Pkg)
	for _, f := range p.in.Pkg.Funcs {
		if f.Obj == nil || f.Obj.Pkg() != p.pass.Pkg || !visible(f.Obj) {
			continue
		}
		f.Asks, f.Calm, f.CalmWith = f.Is(role.CallerLocks), conduct.Calm(f), conduct.CalmWith(f)
		f.Wraps = p.in.Pkg.Wraps(f)
		fact := p.cod.Encode(f.Func, f.Ctx.Entry)
		fact.NoReturn = p.ssa.NoReturn[f.Obj]
		if !fact.Empty() {
			p.pass.ExportObjectFact(f.Obj, fact)
		}
	}
	if fact := guard.Export(p.gset, p.in.Places, p.in.Memoized, p.in.FilledWhole, p.pass.Pkg); !fact.Empty() {
		p.pass.ExportPackageFact(fact)
	}
}

// visible reports whether other packages can call fn: it is exported, or a
// method that an interface can reach.
func visible(fn *types.Func) bool { return fn.Exported() }
