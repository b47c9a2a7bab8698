package driver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
)

// module writes files to a new directory.
func module(t *testing.T, files string) string {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(files)), dir); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	return dir
}

const chain = `
-- go.mod --
module example.org/chain

go 1.26

require example.org/dep v1.0.0

replace example.org/dep v1.0.0 => ./dep
-- a/a.go --
package a

import "fmt"

func A() { fmt.Println() }
-- b/b.go --
package b

import (
	"example.org/chain/a"
	"example.org/dep"
)

func B() { a.A(); dep.D() }
-- c/c.go --
package c

import "example.org/chain/b"

func C() { b.B() }
-- dep/go.mod --
module example.org/dep
-- dep/dep.go --
package dep

func D() {}
`

// A mark is the fact that a package has been analysed, with those below it.
type mark struct{ Paths []string }

func (*mark) AFact() {}

// recorder is an analyzer that tells which packages it saw with syntax, in
// which order, and reports one finding for each.
type recorder struct {
	mu   sync.Mutex
	seen []string
	fail func(pass *analysis.Pass) error
}

func (r *recorder) analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "recorder", Doc: "records", FactTypes: []analysis.Fact{new(mark)},
		ResultType: reflect.TypeFor[*finding.Result](), Run: r.run,
	}
}

func (r *recorder) run(pass *analysis.Pass) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := pass.Pkg.Path()
	r.seen = append(r.seen, path)
	if r.fail != nil {
		if err := r.fail(pass); err != nil {
			return nil, err
		}
	}
	fact := &mark{Paths: []string{path}}
	for _, imp := range pass.Pkg.Imports() {
		var below mark
		if pass.ImportPackageFact(imp, &below) {
			fact.Paths = append(fact.Paths, below.Paths...)
		}
	}
	pass.ExportPackageFact(fact)
	f := finding.Finding{Message: strings.Join(fact.Paths, " ")}
	for _, file := range pass.Files {
		f.Pos = finding.At(pass.Fset.Position(file.Package))
	}
	return &finding.Result{Findings: []finding.Finding{f}}, nil
}

func messages(r *driver.Result) (out []string) {
	for _, f := range r.Findings {
		out = append(out, f.Message)
	}
	return out
}

// The packages of the main module are analysed, from the bottom up, also those
// that are not named; those of other modules and of the standard library are
// not. Facts travel, and findings are those of the packages that are named.
func TestScope(t *testing.T) {
	var r recorder
	res, err := driver.Run(context.Background(), driver.Config{Dir: module(t, chain), Patterns: []string{"./c"}, Analyzer: r.analyzer()})
	if err != nil || len(res.Problems) > 0 {
		t.Fatal(err, res)
	}
	if want := []string{"example.org/chain/a", "example.org/chain/b", "example.org/chain/c"}; !slices.Equal(r.seen, want) {
		t.Errorf("analysed %v, want %v", r.seen, want)
	}
	if got, want := messages(res), []string{"example.org/chain/c example.org/chain/b example.org/chain/a"}; !slices.Equal(got, want) {
		t.Errorf("findings %v, want %v", got, want)
	}
}

func TestStd(t *testing.T) {
	var r recorder
	_, err := driver.Run(context.Background(), driver.Config{Dir: module(t, chain), Patterns: []string{"./a"}, Std: true, Analyzer: r.analyzer()})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(r.seen, "fmt") || !slices.Contains(r.seen, "errors") || slices.Contains(r.seen, "example.org/dep") {
		t.Errorf("analysed %v, want the standard library below a", r.seen)
	}
}

// The progress counts all packages once.
func TestProgress(t *testing.T) {
	var r recorder
	var mu sync.Mutex
	var calls []int
	_, err := driver.Run(context.Background(), driver.Config{
		Dir: module(t, chain), Patterns: []string{"./..."}, Analyzer: r.analyzer(),
		Progress: func(done, total int) {
			mu.Lock()
			defer mu.Unlock()
			if calls = append(calls, done); total != 3 {
				t.Errorf("of %d packages, want 3", total)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Sort(calls); !slices.Equal(calls, []int{1, 2, 3}) {
		t.Errorf("calls %v", calls)
	}
}

// An analyzer that fails or panics is a problem of the package, named, and the
// packages that do not need it are analysed.
func TestAnalyzerFails(t *testing.T) {
	for name, fail := range map[string]func(*analysis.Pass) error{
		"error": func(*analysis.Pass) error { return errors.New("no luck") },
		"panic": func(*analysis.Pass) error { panic("no luck") },
	} {
		r := recorder{fail: func(pass *analysis.Pass) error {
			if pass.Pkg.Name() == "b" {
				return fail(pass)
			}
			return nil
		}}
		res, err := driver.Run(context.Background(), driver.Config{Dir: module(t, chain), Patterns: []string{"./..."}, Analyzer: r.analyzer()})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Problems) != 1 || !strings.HasPrefix(res.Problems[0].Message, "example.org/chain/b: ") || !strings.HasSuffix(res.Problems[0].Message, "no luck") {
			t.Errorf("%s: problems %v", name, res.Problems)
		}
		if got := messages(res); !slices.Equal(got, []string{"example.org/chain/a"}) {
			t.Errorf("%s: findings %v", name, got)
		}
	}
}

// A run that is interrupted ends with that error and begins no more packages.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := recorder{fail: func(*analysis.Pass) error { cancel(); return nil }}
	_, err := driver.Run(ctx, driver.Config{Dir: module(t, chain), Patterns: []string{"./..."}, Analyzer: r.analyzer()})
	if !errors.Is(err, context.Canceled) || len(r.seen) != 1 {
		t.Errorf("error %v after %v", err, r.seen)
	}
}

// With tests, a package is analysed with its test files, and its findings
// appear once.
func TestTests(t *testing.T) {
	dir := module(t, chain)
	for name, text := range map[string]string{"in_test.go": "package a\n", "out_test.go": "package a_test\n\nimport _ \"example.org/chain/c\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, "a", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var r recorder
	res, err := driver.Run(context.Background(), driver.Config{Dir: dir, Patterns: []string{"./a"}, Tests: true, Analyzer: r.analyzer()})
	if err != nil || len(res.Problems) > 0 {
		t.Fatal(err, res)
	}
	var files []string
	for _, f := range res.Findings {
		files = append(files, filepath.Base(f.Pos.File))
	}
	if want := []string{"in_test.go", "out_test.go"}; !slices.Equal(files, want) {
		t.Errorf("findings in %v, want %v", files, want)
	}
}

// A pattern that names nothing is an error, or none on request.
func TestNothing(t *testing.T) {
	dir := module(t, chain)
	var r recorder
	cfg := driver.Config{Dir: dir, Patterns: []string{"./nowhere", "./a"}, Analyzer: r.analyzer()}
	res, err := driver.Run(context.Background(), cfg)
	if err != nil || len(res.Problems) != 1 {
		t.Errorf("error %v, problems %v, want one problem", err, res)
	}
	cfg.MayMiss = true
	res, err = driver.Run(context.Background(), cfg)
	if err != nil || len(res.Problems) != 0 || len(res.Findings) != 1 {
		t.Errorf("error %v, %v, want the finding of a", err, res)
	}
	cfg.Patterns = []string{"./nowhere"}
	if res, err = driver.Run(context.Background(), cfg); err != nil || len(res.Problems)+len(res.Findings) != 0 {
		t.Errorf("error %v, %v, want nothing", err, res)
	}
}
