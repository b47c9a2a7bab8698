package analyzer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

var (
	whyComment = regexp.MustCompile("// why (.*)$")
	quoted     = regexp.MustCompile("`([^`]*)`")
)

// TestWhy asks why at each line with a "why" comment and compares the answers.
func TestWhy(t *testing.T) {
	pkgs := loadTestdata(t, root+"why")
	for _, name := range pkgs[0].GoFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range strings.Split(string(src), "\n") {
			m := whyComment.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			place := fmt.Sprintf("%s:%d", filepath.Base(name), i+1)
			got := whyAt(t, pkgs, place)
			for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
				if !regexp.MustCompile(q[1]).MatchString(got) {
					t.Errorf("%s: no answer matches %q:\n%s", place, q[1], got)
				}
			}
		}
	}
}

// loadTestdata loads packages of testdata with the syntax of all they import.
func loadTestdata(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax, Dir: testdata(t),
		Env: append(os.Environ(), "GOPATH="+testdata(t), "GO111MODULE=off", "GOPROXY=off", "GOWORK=off"),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) == 0 || packages.PrintErrors(pkgs) > 0 {
		t.Fatalf("%s does not load", patterns)
	}
	return pkgs
}

// whyAt renders the judgements on a line.
func whyAt(t *testing.T, pkgs []*packages.Package, place string) string {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(analyzer.Config{Why: place})}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, act := range graph.Roots {
		res, ok := act.Result.(*finding.Result)
		if !ok || act.Err != nil {
			t.Fatalf("%s: %v", act, act.Err)
		}
		for _, j := range res.Judgements {
			fmt.Fprintln(&b, j.Subject)
			for _, a := range j.Answers {
				fmt.Fprintf(&b, "%s? %s\n", a.Question, a.Answer)
			}
			fmt.Fprintf(&b, "=> %s\n", j.Verdict)
			if j.Silenced != "" {
				fmt.Fprintf(&b, "a comment silences it: %s\n", j.Silenced)
			}
		}
	}
	return b.String()
}
