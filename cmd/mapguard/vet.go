package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

// vet does what go vet asks, and exits.
func vet() {
	a := analyzer.New(analyzer.Config{})
	a.Flags.VisitAll(func(f *flag.Flag) { flag.Var(f.Value, f.Name, f.Usage) })
	// Without flags of its own, the analyzer's do not appear a second time
	// under its name.
	a.Flags = flag.FlagSet{}
	if slices.Contains(os.Args[1:], "-V=full") {
		if version, ok := configuredVersion(); ok {
			fmt.Println(version)
			os.Exit(exitClean)
		}
	}
	if last := len(os.Args) - 1; strings.HasSuffix(os.Args[last], ".cfg") {
		if err := wrongFlag(os.Args[1:last]); err != nil {
			refuse(err, os.Args[last])
		}
		if err := notSilent(a, os.Args[last]); err != nil {
			fmt.Fprintln(os.Stderr, "mapguard:", err)
			os.Exit(exitFindings)
		}
	}
	unitchecker.Main([]*analysis.Analyzer{a}...)
}

// wrongFlag returns the error of a value that a flag does not take.
func wrongFlag(args []string) error {
	set := analyzer.New(analyzer.Config{}).Flags
	for _, arg := range args {
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		f := set.Lookup(name)
		if f == nil || !given {
			continue // the go command has refused what is no flag
		}
		if err := f.Value.Set(value); err != nil {
			return fmt.Errorf("invalid value %q for flag -%s: %w", value, name, err)
		}
	}
	return nil
}

// refuse ends the run with an error that concerns all packages. Those of other
// modules, for which the go command calls first, leave it to the module's own:
// else the one line would come once for each dependency.
func refuse(err error, name string) {
	var cfg vetConfig
	if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &cfg) == nil {
		if cfg.VetxOutput != "" && (cfg.ModulePath == "" || cfg.ModuleVersion != "") && os.WriteFile(cfg.VetxOutput, nil, 0o666) == nil {
			os.Exit(exitClean)
		}
	}
	fmt.Fprintln(os.Stderr, "mapguard:", err)
	os.Exit(exitFindings)
}

// A unit is a package that go vet describes, with what is done here against a
// gap in go vet's cache: it has one key for "the facts of this package" and for
// "its facts and findings". After go vet ./a, where a imports b, the facts of b
// are in the cache, and go vet ./... takes them for the answer that b has no
// findings. (The same holds for the vet that comes with Go.)
//
// So facts must not get into the cache when they come without the findings that
// there are. The go command offers no way to say so. But it goes on without an
// entry in the cache when it cannot copy the output: in place of the file of
// facts it finds a directory, and in this directory the packages above find the
// facts. They must not get into the cache either, since their key is then
// without these facts. Code without findings is cached as ever.
type unit struct {
	// output is where the go command looks for the facts, facts where they are
	// written.
	output, facts string
	factsOnly     bool
	// uncached: facts of a package below are not in the cache.
	uncached bool
}

// vetConfig is the part of go vet's description that matters here.
type vetConfig struct {
	VetxOnly      bool
	VetxOutput    string
	PackageVetx   map[string]string
	ModulePath    string
	ModuleVersion string
	GoFiles       []string
}

// factsFile is the name of the facts in a directory that stands for them.
const factsFile = "facts"

// notSilent changes the description of a package and the analyzer so that
// findings are not lost in the cache. Packages of other modules have none.
func notSilent(a *analysis.Analyzer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var cfg vetConfig
	all := make(map[string]json.RawMessage) // what is not known here stays
	if err := cmp.Or(json.Unmarshal(text, &cfg), json.Unmarshal(text, &all)); err != nil {
		return fmt.Errorf("cannot decode %s: %w", name, err)
	}
	if cfg.VetxOutput == "" || cfg.ModulePath == "" || cfg.ModuleVersion != "" {
		return nil
	}
	u := &unit{output: cfg.VetxOutput, facts: cfg.VetxOutput + "." + factsFile, factsOnly: cfg.VetxOnly}
	for path, file := range cfg.PackageVetx {
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			cfg.PackageVetx[path] = filepath.Join(file, factsFile)
			u.uncached = true
		}
	}
	for key, value := range map[string]any{"VetxOutput": u.facts, "PackageVetx": cfg.PackageVetx} {
		if all[key], err = json.Marshal(value); err != nil {
			return err
		}
	}
	if text, err = json.Marshal(all); err != nil {
		return err
	}
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		res, err := run(pass)
		if err != nil {
			return nil, err
		}
		if len(cfg.GoFiles) > 0 && !inKey(filepath.Dir(cfg.GoFiles[0]), explicit()) {
			u.uncached = true
		}
		r, ok := res.(*finding.Result)
		return res, u.place(ok && len(r.Findings)+len(r.Judgements) > 0)
	}
	return os.WriteFile(name, text, 0o666)
}

// place makes the output: another name of the file that the facts are about to
// be written to, or a directory with that name in it.
func (u *unit) place(found bool) error {
	output := u.output
	if u.uncached || u.factsOnly && found {
		if err := os.Mkdir(output, 0o777); err != nil {
			return err
		}
		output = filepath.Join(output, factsFile)
	}
	if err := os.WriteFile(u.facts, nil, 0o666); err != nil {
		return err
	}
	if os.Link(u.facts, output) == nil {
		return nil
	}
	return os.Symlink(u.facts, output)
}
