// Package sharedcache tests go vet with a cache that machines share, as
// docs/shared-cache.md describes it. The cache is testdata/cacheprog.
package sharedcache

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/mapguard/mapguard/analyzer"
)

// The test binary is also the tool that go vet runs: it logs the package and
// goes on as mapguard.
const toolVar, logVar = "SHAREDCACHE_TOOL", "SHAREDCACHE_LOG"

var tool, cacheprog string

func TestMain(m *testing.M) {
	if mapguard := os.Getenv(toolVar); mapguard != "" {
		os.Exit(wrap(mapguard, os.Args[1:]))
	}
	dir, err := os.MkdirTemp("", "sharedcache")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	tool, cacheprog = filepath.Join(dir, "mapguard.exe"), filepath.Join(dir, "cacheprog.exe")
	code := 1
	if build(tool, "../..") && build(cacheprog, "../../../../testdata/cacheprog") {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func build(binary, dir string) bool {
	// go test keeps results; reading the files tells it that they count.
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range files {
		if _, err := os.ReadFile(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return false
		}
	}
	out, err := exec.Command("go", "build", "-o", binary, dir).CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "go build %s: %v\n%s", dir, err, out)
	}
	return err == nil
}

func wrap(mapguard string, args []string) int {
	if name := args[len(args)-1]; strings.HasSuffix(name, ".cfg") {
		if err := logPackage(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	cmd := exec.Command(mapguard, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

func logPackage(cfg string) error {
	text, err := os.ReadFile(cfg)
	if err != nil {
		return err
	}
	var c struct{ ImportPath string }
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	f, err := os.OpenFile(os.Getenv(logVar), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, c.ImportPath)
	return errors.Join(err, f.Close())
}

// shop has a map and its lock in one package, a package that forgets the
// lock, one that imports that, and one that has nothing to do with it.
var shop = map[string]string{
	"go.mod":         "module example.org/shop\n\ngo 1.26\n",
	"engines/e.go":   "package engines\n\nimport \"sync\"\n\nvar Mu sync.Mutex\n\n// ByURL is guarded by Mu.\nvar ByURL = map[string]int{}\n\nfunc Put(u string) {\n\tMu.Lock()\n\tdefer Mu.Unlock()\n\tByURL[u] = 1\n}\n",
	"stats/s.go":     "package stats\n\nimport \"example.org/shop/engines\"\n\nfunc Nth() int { return engines.ByURL[\"a\"] }\n",
	"page/p.go":      "package page\n\nimport \"example.org/shop/stats\"\n\nvar Pages = map[string]int{}\n\nfunc Nth() int { return stats.Nth() + Pages[\"a\"] }\n",
	"alone/alone.go": "package alone\n\nvar m = map[string]int{}\n\nfunc Has(k string) bool { return m[k] > 0 }\n",
}

// own are the packages of shop as the log names them.
var own = []string{"alone", "engines", "page", "stats"}

// write makes the module anew, so that no file is as old as it was.
func write(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range shop {
		edit(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

func edit(t *testing.T, name, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A machine has a build cache and a copy of the tool of its own.
type machine struct {
	t          *testing.T
	dir, store string
}

func newMachine(t *testing.T, store string) machine { return machine{t, t.TempDir(), store} }

// vet runs go vet in a module and returns the packages of the module for
// which the tool ran, how many others there were, and the findings.
func (m machine) vet(module string, flags ...string) (ran []string, others int, findings string) {
	m.t.Helper()
	self, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	log := filepath.Join(m.dir, "log")
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command("go", append(append([]string{"vet", "-vettool=" + self}, flags...), "./...")...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "PWD="+module, "GOWORK=off", "GOFLAGS=", "GOPROXY=off",
		toolVar+"="+tool, logVar+"="+log,
		"GOCACHE="+filepath.Join(m.dir, "gocache"),
		fmt.Sprintf("GOCACHEPROG='%s' -store '%s' -local '%s'", cacheprog, m.store, filepath.Join(m.dir, "local")))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 1 || stdout.Len() > 0 {
		m.t.Fatalf("go vet: exit code %d, want 1, for there are findings; output\n%s%s", code, &stdout, &stderr)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		m.t.Fatal(err)
	}
	for pkg := range strings.FieldsSeq(string(text)) {
		if name, ok := strings.CutPrefix(pkg, "example.org/shop/"); ok {
			ran = append(ran, name)
		} else {
			others++
		}
	}
	slices.Sort(ran)
	return ran, others, stderr.String()
}

func TestSecondMachineRunsNothing(t *testing.T) {
	store, module := t.TempDir(), filepath.Join(t.TempDir(), "shop")
	first, second := newMachine(t, store), newMachine(t, store)
	write(t, module)
	ran, _, want := first.vet(module)
	if !slices.Equal(ran, own) {
		t.Fatalf("the first machine ran the tool for %v, want %v", ran, own)
	}
	if !strings.Contains(want, "stats/s.go:5:") && !strings.Contains(want, `stats\s.go:5:`) {
		t.Fatalf("no finding in stats, which forgets the lock of engines:\n%s", want)
	}

	stranger := newMachine(t, t.TempDir())
	if ran, _, _ := stranger.vet(module); !slices.Equal(ran, own) {
		t.Errorf("a machine with a store of its own ran the tool for %v, want %v", ran, own)
	}
	same(t, outputs(t, store), outputs(t, stranger.store))

	write(t, module) // its checkout, at the same path
	ran, others, got := second.vet(module)
	if len(ran)+others > 0 {
		t.Errorf("the second machine ran the tool for %v and %d others", ran, others)
	}
	if got != want {
		t.Errorf("the second machine finds\n%s\nthe first\n%s", got, want)
	}

	// What a package exports changes, and so its importers run too.
	edit(t, filepath.Join(module, "stats", "s.go"), shop["stats/s.go"]+"\nfunc More(u string) bool { _, ok := engines.ByURL[u]; return ok }\n")
	ran, others, changed := second.vet(module)
	if !slices.Equal(ran, []string{"page", "stats"}) || others > 0 {
		t.Errorf("after a change in stats the tool ran for %v and %d others, want stats and its importer page", ran, others)
	}
	if strings.Count(changed, "[unguarded-access") != 2 {
		t.Errorf("want the old and the new finding:\n%s", changed)
	}
	if ran, others, got := first.vet(module); len(ran)+others > 0 || got != changed {
		t.Errorf("the first machine ran the tool for %v and %d others after that, and finds\n%s", ran, others, got)
	}

	// Flags are part of the key: no result of other flags is shown.
	if ran, _, _ := second.vet(module, "-confidence=high"); !slices.Equal(ran, own) {
		t.Errorf("with another confidence the tool ran for %v, want %v", ran, own)
	}
}

// same compares what two machines that share nothing computed: the same bytes
// for every action of the go command, facts and findings included. The go
// command also keeps lists of files that are older than two seconds, which one
// machine may have and the other not.
func same(t *testing.T, first, second map[string]string) {
	t.Helper()
	both, facts := 0, 0
	for action, a := range first {
		b, ok := second[action]
		if !ok {
			continue
		}
		if a != b {
			t.Errorf("action %s has the output\n%.80q\nand on the other machine\n%.80q", action, a, b)
		}
		both++
		if strings.HasPrefix(a, "vetx") {
			facts++
		}
	}
	if both < 100 || facts < len(own) {
		t.Errorf("only %d actions in common, and %d with facts", both, facts)
	}
}

// Facts depend on the code and not on the place of the checkout. (What go vet
// keeps beside them, the types, names files.)
func TestFactsHermetic(t *testing.T) {
	var all [2]string
	for i := range all {
		module := filepath.Join(t.TempDir(), "shop")
		write(t, module)
		all[i] = facts(t, module)
		if strings.Contains(all[i], filepath.Dir(module)) {
			t.Errorf("a fact names the place %s", module)
		}
	}
	if all[0] != all[1] || strings.Count(all[0], "\n") < 4 {
		t.Errorf("in one place\n%s\nin another\n%s", all[0], all[1])
	}
}

// facts returns the encoded facts of a module, an object a line.
func facts(t *testing.T, module string) string {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: module,
		Env: append(os.Environ(), "PWD="+module, "GOWORK=off", "GOFLAGS="),
	}, "./...")
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatal("errors in the module: ", err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for act := range graph.All() {
		if !act.IsRoot {
			continue
		}
		for _, f := range act.AllObjectFacts() {
			var b strings.Builder
			if err := gob.NewEncoder(&b).Encode(f.Fact); err != nil {
				t.Fatal(err)
			}
			path, err := objectpath.For(f.Object)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("%s: %s.%s: %q\n", act.Package.PkgPath, f.Object.Pkg().Path(), path, b.String()))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// outputs returns the bodies of a store by action.
func outputs(t *testing.T, store string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(store, "a", "*"))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var e struct{ Output []byte }
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(filepath.Join(store, "o", fmt.Sprintf("%x", e.Output)))
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(body)
	}
	return out
}
