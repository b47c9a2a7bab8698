// The tests of this package run the analyzer over testdata, one folder a
// feature. A function's name there is its verdict: …Bad has a want comment,
// …Ok has none, and the known gaps are FN_…Bad (a bug that is not reported)
// and FP_…Ok (a report that is wrong).
package analyzer_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapguard/mapguard/analyzer"
)

// root is the import path under which the test packages lie. Its first
// element has a dot, so that they are told apart from the standard library.
const root = "mapguard.test/"

// features lists the folders of testdata that run with default settings; a
// feature of several packages names them all.
var features = []string{
	"paths", "paths/exported/...", "locks", "locks/unshared", "locks/perkey/...", "lockstates", "summaries", "guards", "sharing",
	"quiet/01_revalidation", "quiet/02_unpublished", "quiet/03_initialisation", "quiet/04_callerlocks",
	"quiet/05_confinement", "quiet/06_copyonwrite", "quiet/07_independent", "quiet/08_joined",
	"quiet/09_atomic", "quiet/10_harmless", "quiet/11_registration", "quiet/12_testsupport/...",
	"checkthenact", "splitlock", "unguarded", "rlockwrite", "syncmap", "mapescape", "goroutinerace", "noreturn", "owned",
	"robust/...", "shapes", "suppress/...", "callbacks/...", "threads", "threads/server", "threads/program", "threads/mainlock", "threads/serial/...", "threads/items", "threads/ownkey", "threads/made", "threads/hands", "threads/making", "threads/stays", "threads/answered", "threads/handedout", "threads/handshakes/...", "threads/handlers/...", "threads/left", "threads/wholes", "threads/drained", "threads/routers/...", "threads/upgraded/...", "lockstates/hired/...",
	"atomicity/helpers/...", "atomicity/acts", "atomicity/inner", "atomicity/marks", "atomicity/swaps", "atomicity/syncmap", "atomicity/syncmap/others", "atomicity/harm", "atomicity/readmaps", "atomicity/accepted/...", "atomicity/escape", "atomicity/freed", "atomicity/races", "atomicity/marks/...",
}

// factPackages are analysed together, and every fact of theirs must be asserted.
var factPackages = []string{"crosspkg/..."}

// feature chooses one folder of TestFeatures.
var feature = flag.String("feature", "", "run TestFeatures on this `folder` alone")

// TestFeatures loads all folders at once, so that what they import is
// type-checked once.
func TestFeatures(t *testing.T) {
	t.Parallel()
	if *feature != "" {
		run(t, analyzer.Config{}, *feature)
		return
	}
	analysistest.Run(onlyLow{t}, testdata(t), withCategory(analyzer.New(analyzer.Config{Confidence: "low"})), patterns(features)...)
	for _, r := range run(t, analyzer.Config{}, features...) {
		for _, d := range r.Action.Diagnostics {
			if n := utf8.RuneCountInString(d.Message) - len(d.Category) - len(": "); n > 160 {
				t.Errorf("%v: %d characters: %s", r.Action.Package.Fset.Position(d.Pos), n, d.Message)
			}
		}
	}
}

func TestFacts(t *testing.T) {
	analysistest.Run(withoutLow{t}, testdata(t), withCategory(analyzer.New(analyzer.Config{})), patterns(factPackages)...)
	analysistest.Run(onlyLow{t}, testdata(t), withCategory(analyzer.New(analyzer.Config{Confidence: "low"})), patterns(factPackages)...)
}

// lowPackages hold what is shown at low confidence alone.
var lowPackages = []string{"low", "atomicity/syncmap/low", "atomicity/harm/low"}

// TestLow runs what is shown at low confidence alone: at the default there is
// nothing to see.
func TestLow(t *testing.T) {
	t.Parallel()
	run(t, analyzer.Config{Confidence: "low"}, lowPackages...)
	quiet := analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{}), patterns(lowPackages)...)
	for _, r := range quiet {
		for _, d := range r.Action.Diagnostics {
			t.Errorf("%v: reported by default: %s", r.Action.Package.Fset.Position(d.Pos), d.Message)
		}
	}
}

// ignore drops what want comments say.
type ignore struct{ testing.TB }

func (ignore) Errorf(string, ...any) {}

// run checks the want comments of the named packages. A want comment sees the
// category before the message. Facts are asserted in TestFacts alone.
func run(t *testing.T, cfg analyzer.Config, names ...string) []*analysistest.Result {
	t.Helper()
	return analysistest.Run(withoutFacts{withoutLow{t}}, testdata(t), withCategory(analyzer.New(cfg)), patterns(names)...)
}

func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func patterns(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, root+n)
	}
	return out
}

// withCategory makes a puts the category in front of each message.
func withCategory(a *analysis.Analyzer) *analysis.Analyzer {
	inner := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		p := *pass
		p.Report = func(d analysis.Diagnostic) {
			d.Message = d.Category + ": " + d.Message
			pass.Report(d)
		}
		return inner(&p)
	}
	return a
}

// withoutFacts lets facts pass that no want comment mentions.
type withoutFacts struct{ testing.TB }

func (t withoutFacts) Errorf(format string, args ...any) {
	t.Helper()
	if strings.Contains(format, "unexpected %s") && len(args) == 3 && args[1] == "fact" {
		return
	}
	t.TB.Errorf(format, args...)
}

// A want comment whose pattern ends with ", low" is met at low confidence, and by default
// there is nothing: it is left out of the runs with default settings, and is all that
// counts in those at low.
var lowWant = regexp.MustCompile("no diagnostic was reported matching [`\"].*, low[`\"]$")

// withoutLow lets pass that what is low is not there.
type withoutLow struct{ testing.TB }

func (t withoutLow) Errorf(format string, args ...any) {
	t.Helper()
	if !lowWant.MatchString(fmt.Sprintf(format, args...)) {
		t.TB.Errorf(format, args...)
	}
}

// onlyLow complains of nothing but what is low and not there.
type onlyLow struct{ testing.TB }

func (t onlyLow) Errorf(format string, args ...any) {
	t.Helper()
	if lowWant.MatchString(fmt.Sprintf(format, args...)) {
		t.TB.Errorf(format, args...)
	}
}
