package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/output"
)

// formatText is the format of the terminal; output has the others.
const formatText = "text"

// options are what the command line says.
type options struct {
	analyzer *analysis.Analyzer
	// config is what the flags say, and then what holds in dir, with the
	// configuration file.
	config      analyzer.Config
	flags       analyzer.Config // what the flags say alone
	printConfig bool
	fail        analyzer.Categories
	builds      builds
	tags, dir   string
	fix, diff   bool
	format      string
	verbose     bool
	showIgnored bool
	pathPrefix  string

	prove proving

	baseline      string
	writeBaseline bool
	rev           string

	explain       string
	completion    string
	list, version bool
	why           string

	patterns []string
}

// errHelp says that the usage was asked for and printed.
var errHelp = flag.ErrHelp

// parse reads the command line. Its errors are one line, name the flag and say
// what to do.
func parse(args []string, help io.Writer) (*options, error) {
	o := &options{analyzer: analyzer.New(analyzer.Config{})}
	set := flag.NewFlagSet("mapguard", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	json := o.define(set)
	switch err := set.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		usage(help, set)
		return nil, errHelp
	case err != nil:
		return nil, misuse(err)
	}
	o.patterns = set.Args()
	o.why = set.Lookup("why").Value.String()
	given := make(map[string]bool)
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	o.given(set, given)
	if *json {
		if given["f"] && o.format != "json" {
			return nil, fmt.Errorf("-json and -f %s: -json is short for -f json, leave one out", o.format)
		}
		o.format = "json"
	}
	return o, o.check(given)
}

// given notes what the analyzer's own flags say.
func (o *options) given(set *flag.FlagSet, given map[string]bool) {
	value := func(name string) string { return set.Lookup(name).Value.String() }
	if given["confidence"] {
		o.config.Confidence = value("confidence")
	}
	o.config.Std, o.config.Tests, o.config.File = value("std") == "true", value("tests") == "true", value("config")
	for name, to := range map[string]*[]string{"only": &o.config.Only, "skip": &o.config.Skip} {
		if list := set.Lookup(name).Value.(*analyzer.Categories); len(*list) > 0 {
			*to = *list
		}
	}
}

// configure reads the configuration file. It comes after the flags, which say
// where it is.
func (o *options) configure() (err error) {
	if file := o.config.File; file != "" && file != "none" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(o.dir, file)
		}
		o.config.File = file
		if err := o.analyzer.Flags.Set("config", file); err != nil {
			return err
		}
	}
	if o.printConfig {
		return nil // it reads the file itself
	}
	o.flags = o.config
	o.config, err = o.config.Effective(o.dir)
	return err
}

func (o *options) define(set *flag.FlagSet) (json *bool) {
	o.analyzer.Flags.VisitAll(func(f *flag.Flag) { set.Var(f.Value, f.Name, f.Usage) })
	set.Var(&o.fail, "fail", "exit with 1 for findings of these `categories` only, separated by commas; all are printed")
	set.StringVar(&o.tags, "tags", "", "build `tags`, separated by commas")
	set.Var(&o.builds, "build", "analyse this `build`, such as 'GOOS=windows -tags=a,b'; given several times, each finding names the builds that have it")
	set.StringVar(&o.dir, "C", "", "run in this `directory`")
	set.BoolVar(&o.fix, "fix", false, "apply the fixes that findings carry")
	set.BoolVar(&o.diff, "diff", false, "print the fixes as a unified diff, and change nothing")
	set.StringVar(&o.format, "f", formatText, "`format` of the findings: "+strings.Join(formats(), ", "))
	json = set.Bool("json", false, "the same as -f json")
	set.StringVar(&o.pathPrefix, "path-prefix", "", "put `prefix` before paths, which are then relative to the directory of -C")
	set.BoolVar(&o.verbose, "v", false, "also print the interleaving and the source of each finding")
	set.BoolVar(&o.showIgnored, "show-ignored", false, "also print what comments and the configuration silence, with the reason; it fails no run")
	set.StringVar(&o.baseline, "baseline", "", "report only findings that this `file` does not list")
	set.BoolVar(&o.writeBaseline, "write-baseline", false, "write the findings to the file of -baseline and report none")
	set.StringVar(&o.rev, "new-from-rev", "", "report only findings that this git `revision` does not have")
	o.prove.define(set)
	set.StringVar(&o.explain, "explain", "", "explain a `category`, or all")
	set.BoolVar(&o.list, "list", false, "list the categories")
	set.BoolVar(&o.printConfig, "print-config", false, "print the configuration that holds here, and where it comes from")
	set.StringVar(&o.completion, "completion", "", "print the completion script of a `shell`: "+strings.Join(shellNames(), ", "))
	set.BoolVar(&o.version, "version", false, "print the version")
	return json
}

func formats() []string {
	return slices.Concat([]string{formatText}, slices.Sorted(slices.Values(output.Formats())))
}

// check refuses flags that have no sound value, contradict each other or mean
// nothing together.
func (o *options) check(given map[string]bool) error {
	for _, p := range o.patterns {
		switch {
		case strings.HasPrefix(p, "-") && p != "-":
			return fmt.Errorf("flag %s comes after a package: put flags first", p)
		case strings.TrimSpace(p) == "": // a variable that is not set
			return errors.New("a package is empty: give its name, or leave it out")
		}
	}
	for _, f := range []struct{ name, value string }{{"C", o.dir}, {"f", o.format}, {"path-prefix", o.pathPrefix}, {"baseline", o.baseline}, {"new-from-rev", o.rev}, {"explain", o.explain}, {"completion", o.completion}, {"why", o.why}, {"config", o.config.File}} {
		if given[f.name] && f.value == "" {
			return fmt.Errorf("-%s is empty: give it a value, or leave it out", f.name)
		}
	}
	if o.tags != "" && !tagList.MatchString(o.tags) {
		return fmt.Errorf("-tags %q: give tags separated by commas, without spaces", o.tags)
	}
	if !slices.Contains(formats(), o.format) {
		return fmt.Errorf("-f %s: unknown format, use one of %s", o.format, strings.Join(formats(), ", "))
	}
	if err := o.checkQuestion(given); err != nil {
		return err
	}
	if err := o.checkTogether(); err != nil {
		return err
	}
	if err := o.checkProve(given); err != nil {
		return err
	}
	if err := o.checkWhy(); err != nil {
		return err
	}
	if err := o.place(); err != nil {
		return err
	}
	return o.configure()
}

// checkQuestion looks at the flags that ask for something else than findings.
func (o *options) checkQuestion(given map[string]bool) error {
	var asked []string
	for _, name := range []string{"explain", "list", "version", "print-config", "completion"} {
		if given[name] {
			asked = append(asked, "-"+name)
		}
	}
	switch {
	case len(asked) > 1:
		return fmt.Errorf("%s each print something of their own: use one of them", strings.Join(asked, " and "))
	case len(asked) == 1 && len(o.patterns) > 0:
		return fmt.Errorf("%s analyses nothing: leave %s out", asked[0], o.patterns[0])
	}
	if o.explain != "" && o.explain != "all" {
		if err := known(o.explain); err != nil {
			return fmt.Errorf("-explain %s: %v, or all", o.explain, err)
		}
	}
	if o.completion != "" && shells[o.completion] == nil {
		return fmt.Errorf("-completion %s: unknown shell, use one of %s", o.completion, strings.Join(shellNames(), ", "))
	}
	return nil
}

func (o *options) checkTogether() error {
	switch {
	case o.tags != "" && len(o.builds) > 0:
		return errors.New("-tags and -build both choose a build: write -build '-tags=a,b'")
	case len(o.builds) > 1 && (o.fix || o.diff || o.why != ""):
		return errors.New("-fix, -diff and -why are for one build: give one -build")
	case o.writeBaseline && o.baseline == "":
		return errors.New("-write-baseline needs -baseline FILE, the file to write")
	case o.writeBaseline && o.rev != "":
		return errors.New("-write-baseline writes all findings: leave -new-from-rev out")
	case o.writeBaseline && (o.fix || o.diff):
		return errors.New("-write-baseline changes no code: leave -fix and -diff out")
	case o.writeBaseline && (o.verbose || o.format != formatText || o.showIgnored):
		return errors.New("-write-baseline prints no findings: leave -f, -json, -v and -show-ignored out")
	case o.baseline != "" && o.rev != "":
		return errors.New("-baseline and -new-from-rev both say what is new: use one of them")
	case o.diff && o.format != formatText:
		return fmt.Errorf("-diff prints a diff: leave -f %s out", o.format)
	case o.diff && o.verbose:
		return errors.New("-diff prints a diff: leave -v out")
	case o.diff && o.showIgnored:
		return errors.New("-diff prints a diff: leave -show-ignored out")
	case o.verbose && o.format != formatText:
		return fmt.Errorf("-v is for text: -f %s has everything, leave -v out", o.format)
	case len(o.config.Only) > 0 && !slices.ContainsFunc(o.config.Only, o.wanted):
		return errors.New("-skip leaves nothing of -only: name a category in one of them")
	}
	return nil
}

// tagList is what the go command takes: names separated by commas.
var tagList = regexp.MustCompile(`^[\pL\d_.]+(,[\pL\d_.]+)*$`)

// place makes the directory absolute.
func (o *options) place() error {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("-C %s: not a directory", o.dir)
	}
	o.dir = dir
	if o.baseline != "" && !filepath.IsAbs(o.baseline) {
		o.baseline = filepath.Join(dir, o.baseline)
	}
	if len(o.patterns) == 0 {
		o.patterns = []string{"."}
	}
	return nil
}

// wanted reports whether the findings of a category are asked for.
func (o *options) wanted(category string) bool { return o.config.Wants(category) }

func known(category string) error {
	var names []string
	for _, r := range analyzer.Rules() {
		names = append(names, r.Name)
	}
	if slices.Contains(names, category) {
		return nil
	}
	return fmt.Errorf("no category %q, use one of %s", category, strings.Join(names, ", "))
}

// builds is the flag that lists builds.
type builds []driver.Build

func (b *builds) String() string { return "" }

func (b *builds) Set(s string) error {
	build, err := driver.ParseBuild(s)
	if err == nil && slices.ContainsFunc(*b, func(other driver.Build) bool { return other.Name == build.Name }) {
		err = errors.New("the build is given twice")
	}
	*b = append(*b, build)
	return err
}

// misuse words an error of package flag.
func misuse(err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		return fmt.Errorf("unknown flag %s: mapguard -help lists the flags", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return fmt.Errorf("flag %s needs a value: mapguard -help says which", name)
	}
	if strings.Contains(text, "invalid boolean") {
		return fmt.Errorf("%s: give the flag alone, or =true or =false", text)
	}
	return errors.New(text)
}

func usage(w io.Writer, set *flag.FlagSet) {
	fmt.Fprint(w, `usage: mapguard [flags] [packages]

mapguard finds check-then-act on shared maps that is not atomic. Packages are
patterns of the go command, such as ./...; without any it is the one here, and
with -why that of the file. A file stands for its package.

exit codes: 0 nothing to report, 1 findings, 2 wrong use or a package that
cannot be loaded

as a vettool: go vet -vettool=$(command -v mapguard) ./...

flags:
`)
	set.SetOutput(w)
	set.PrintDefaults()
}
