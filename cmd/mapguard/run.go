package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/fixes"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/output"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/rev"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/text"
)

// run does what the command line says and returns the exit code. Findings go
// to stdout, everything else to stderr.
func run(ctx context.Context, args []string, stdout, stderr *os.File) (int, error) {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, errHelp):
		return exitClean, nil
	case err != nil:
		return exitError, o.relative(err)
	case o.version:
		return answer(printVersion(stdout))
	case o.printConfig:
		return answer(o.relative(printConfig(stdout, o)))
	case o.list:
		return answer(printList(stdout))
	case o.completion != "":
		return answer(printCompletion(stdout, o.completion))
	case o.explain != "":
		return answer(printRules(stdout, o.explain))
	}
	c := &command{options: o, stdout: stdout, stderr: stderr, progress: newProgress(stderr)}
	if o.why != "" {
		return c.explainLine(ctx)
	}
	return c.run(ctx)
}

// relative names a configuration file as findings name theirs.
func (o *options) relative(err error) error {
	e := (*analyzer.ConfigError)(nil)
	if o == nil || !errors.As(err, &e) {
		return err
	}
	named := *e
	named.File = text.Path(o.dir, e.File)
	return &named
}

func answer(err error) (int, error) {
	if err != nil {
		return exitError, err
	}
	return exitClean, nil
}

// command is one run over packages.
type command struct {
	*options
	stdout, stderr *os.File
	progress       *progress
	// last is what the analysis of the tree at hand gave.
	last *driver.Result
}

func (c *command) run(ctx context.Context) (int, error) {
	findings, broken, err := c.findings(ctx)
	if err != nil {
		return exitError, err
	}
	if broken && (c.writeBaseline || c.fix || c.diff) {
		return exitError, errors.New("no baseline is written and no fix made while code cannot be analysed: repair it first")
	}
	switch {
	case c.writeBaseline:
		return c.saveBaseline(findings)
	case c.diff:
		if err := c.printDiff(ctx, findings); err != nil {
			return exitError, err
		}
		return c.exitCode(findings, false), nil
	case c.fix:
		fixed, err := c.applyFixes(ctx, findings)
		if err != nil {
			return exitError, err
		}
		if fixed > 0 { // what is left may stand on other lines now
			if findings, broken, err = c.findings(ctx); err != nil {
				return exitError, err
			}
		}
	}
	if err := c.print(findings); err != nil {
		return exitError, err
	}
	c.progress.close(findings, len(c.last.Analysed))
	return c.exitCode(findings, broken), nil
}

// exitCode asks for the categories of -fail, all without it.
func (c *command) exitCode(findings []finding.Finding, broken bool) int {
	switch {
	case broken:
		return exitError
	case slices.ContainsFunc(findings, func(f finding.Finding) bool { return len(c.fail) == 0 || slices.Contains(c.fail, f.Category) }):
		return exitFindings
	}
	return exitClean
}

// findings analyses, prints the errors of packages, and returns the findings
// that the flags ask for; broken says that there were errors.
func (c *command) findings(ctx context.Context) (found []finding.Finding, broken bool, err error) {
	res, err := driver.Run(ctx, c.driverConfig(c.dir))
	c.progress.clear()
	if err != nil {
		return nil, false, err
	}
	for _, p := range res.Problems {
		fmt.Fprintln(c.stderr, c.problem(p))
	}
	if n := len(res.Skipped); n > 0 {
		fmt.Fprintf(c.stderr, "mapguard: %s not analysed: %s\n", count(n, "package"), listed(res.Skipped, 5))
	}
	c.last = res
	found = res.Findings
	switch {
	case c.rev != "":
		found, err = rev.New(ctx, c.dir, c.rev, func(dir string) ([]finding.Finding, error) { return c.at(ctx, dir) }, found)
		c.progress.clear()
	case c.baseline != "" && !c.writeBaseline:
		var known *baseline.Baseline
		if known, err = baseline.Read(c.baseline); err == nil {
			found = known.New(found, c.dir)
		}
	}
	if err == nil {
		found, err = c.proved(ctx, found)
	}
	return found, len(res.Problems) > 0, err
}

// at analyses an older tree, of which dir is a copy, with the same flags: in
// its place where that is possible and as good as in the copy, which takes
// longer and says what is wrong.
func (c *command) at(ctx context.Context, dir string) ([]finding.Finding, error) {
	if old, err := rev.Overlay(ctx, c.dir, dir); err == nil {
		conf := c.driverConfig(old.Dir)
		conf.MayMiss, conf.Overlay = true, old.Files
		if res, err := driver.Run(ctx, conf); err == nil && len(res.Problems) == 0 {
			for i := range res.Findings {
				f := &res.Findings[i]
				f.Pos.File = old.Old(f.Pos.File)
			}
			return res.Findings, nil
		}
	}
	conf := c.driverConfig(dir)
	conf.MayMiss = true // a package that is new
	res, err := driver.Run(ctx, conf)
	if err != nil {
		return nil, err
	}
	if len(res.Problems) > 0 {
		return nil, errors.New(res.Problems[0].String())
	}
	return res.Findings, nil
}

func (c *command) driverConfig(dir string) driver.Config {
	return driver.Config{
		Dir: dir, Patterns: c.patterns, Tags: c.tags, Builds: c.builds, Std: c.config.Std, Tests: c.config.Tests,
		Analyzer: c.analyzer, Progress: c.progress.show,
	}
}

func (c *command) problem(p driver.Problem) string {
	if p.Pos.File == "" {
		return "mapguard: " + p.String()
	}
	p.Pos.File = (&text.Options{Dir: c.dir, Prefix: c.pathPrefix}).Path(p.Pos.File)
	return p.String()
}

func (c *command) print(findings []finding.Finding) error {
	if c.showIgnored {
		findings = slices.Concat(findings, c.last.Ignored)
		slices.SortStableFunc(findings, driver.Compare)
	}
	if c.format == formatText {
		return text.Write(c.stdout, findings, text.Options{Dir: c.dir, Prefix: c.pathPrefix, Verbose: c.verbose, Color: colored(c.stdout), ReadFile: os.ReadFile})
	}
	report := output.Report{
		Findings: findings, Root: c.dir, Version: version(), Confidence: c.config.Confidence, NotAnalysed: c.last.Skipped,
		PathRoot: c.pathRoot(), PathPrefix: c.pathPrefix,
	}
	for _, p := range c.last.Problems {
		report.Problems = append(report.Problems, output.Problem{Pos: p.Pos, Message: p.Text()})
	}
	for _, r := range analyzer.Rules() {
		if !c.wanted(r.Name) {
			continue
		}
		report.Rules = append(report.Rules, output.Rule{Name: r.Name, Summary: r.Summary, Text: r.Markdown, URL: r.URL})
	}
	return output.Write(c.stdout, c.format, report)
}

// pathRoot returns the directory that the paths of a format are relative to.
// Annotations and code scanning match paths of the repository; reviewdog those
// of the directory that it runs in, and so does mapguard before it. All others
// are relative to the directory that is analysed.
func (c *command) pathRoot() string {
	switch {
	case c.pathPrefix != "":
		return c.dir
	case c.format == "github" || c.format == "sarif":
		return repository(c.dir)
	case c.format == "rdjson":
		if dir, err := os.Getwd(); err == nil {
			return enclosing(dir, c.dir)
		}
	}
	return c.dir
}

// repository returns the root of the git repository or work tree that holds a
// directory, or the directory where there is none.
func repository(dir string) string {
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// enclosing returns outer if it holds dir, else dir.
func enclosing(outer, dir string) string {
	if rel, err := filepath.Rel(outer, dir); err == nil && filepath.IsLocal(rel) {
		return outer
	}
	return dir
}

// printDiff also says how many findings the fixes leave: they are not
// part of a diff.
func (c *command) printDiff(ctx context.Context, findings []finding.Finding) error {
	plan, err := c.plan(ctx, findings)
	if err != nil {
		return err
	}
	if none := len(findings) - len(plan.Fixed); none > 0 {
		fmt.Fprintf(c.stderr, "mapguard: the diff leaves %s\n", count(none, "finding"))
	}
	return plan.Diff(c.stdout, func(name string) string { return text.Path(c.dir, name) })
}

// applyFixes returns how many findings it has fixed.
func (c *command) applyFixes(ctx context.Context, findings []finding.Finding) (int, error) {
	plan, err := c.plan(ctx, findings)
	if err != nil {
		return 0, err
	}
	if err := plan.Write(); err != nil {
		return 0, err
	}
	if len(plan.Fixed) > 0 {
		fmt.Fprintf(c.stderr, "mapguard: %s fixed in %s\n", count(len(plan.Fixed), "finding"), count(len(plan.Files), "file"))
	}
	return len(plan.Fixed), nil
}

// plan also says which fixes have to wait for the next run, and leaves out those
// with which a package would not compile.
func (c *command) plan(ctx context.Context, findings []finding.Finding) (*fixes.Plan, error) {
	plan, err := fixes.Make(findings, os.ReadFile)
	if err != nil {
		return nil, err
	}
	if len(plan.Files) > 0 {
		if plan, err = c.compiling(ctx, findings, plan); err != nil {
			return nil, err
		}
	}
	for _, l := range plan.Left {
		if l.Why != "" {
			p := l.Finding.Pos
			fmt.Fprintf(c.stderr, "%s:%d:%d: %s: %s\n", text.Path(c.dir, p.File), p.Line, p.Column, l.Finding.Category, l.Why)
		}
	}
	return plan, nil
}

// compiling returns a plan with which all packages compile. If one does not, each
// fix is tried by itself, and those that break something are left out.
func (c *command) compiling(ctx context.Context, findings []finding.Finding, plan *fixes.Plan) (*fixes.Plan, error) {
	broken, err := c.breaks(ctx, plan)
	if err != nil || broken == "" {
		return plan, err
	}
	tried := make([]finding.Finding, 0, len(findings))
	for _, f := range findings {
		if len(f.Fixes) > 0 {
			alone, err := fixes.Make([]finding.Finding{f}, os.ReadFile)
			if err != nil {
				return nil, err
			}
			why, err := c.breaks(ctx, alone)
			if err != nil {
				return nil, err
			}
			if why != "" {
				fmt.Fprintf(c.stderr, "%s:%d:%d: %s: the fix would not compile and is left out: %s\n", text.Path(c.dir, f.Pos.File), f.Pos.Line, f.Pos.Column, f.Category, why)
				f.Fixes = nil
			}
		}
		tried = append(tried, f)
	}
	if plan, err = fixes.Make(tried, os.ReadFile); err != nil {
		return nil, err
	}
	if broken, err = c.breaks(ctx, plan); err == nil && broken != "" {
		err = fmt.Errorf("the fixes would not compile together (%s): nothing is changed", broken)
	}
	return plan, err
}

// breaks returns an error that the packages of a plan would have; "" if there is
// none.
func (c *command) breaks(ctx context.Context, plan *fixes.Plan) (string, error) {
	cfg := c.driverConfig(c.dir)
	cfg.Overlay = make(map[string][]byte)
	for _, f := range plan.Files {
		cfg.Overlay[f.Name] = f.New
	}
	return driver.Compiles(ctx, cfg)
}

// listed names the first of a list of names, and counts the others.
func listed(names []string, limit int) string {
	if more := len(names) - limit; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), more)
	}
	return strings.Join(names, ", ")
}

// count words a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
