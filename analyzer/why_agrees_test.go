package analyzer_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapguard/mapguard/analyzer"
)

// TestWhyAgrees asks, in all of testdata, whether -why shows each finding of a
// rule as reported, with its category and confidence, and nothing else as
// reported; and whether each silence has its reason.
func TestWhyAgrees(t *testing.T) {
	t.Parallel()
	pkgs := loadTestdata(t, root+"...")
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Agreement(analyzer.Config{})}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act, act.Err)
		}
		a := act.Result.(*analyzer.Agreed)
		found += len(a.Found)
		line := func(r analyzer.Reported) string {
			p := act.Package.Fset.Position(r.Pos)
			return fmt.Sprintf("%s:%d: %s %s", filepath.Base(p.Filename), p.Line, r.Category, r.Confidence)
		}
		for _, r := range a.Found {
			if !slices.Contains(a.Why, r) {
				t.Errorf("%s: reported, and -why does not say so", line(r))
			}
		}
		for _, r := range a.Why {
			if !slices.Contains(a.Found, r) {
				t.Errorf("%s: -why says so, and it is not reported", line(r))
			}
		}
		for _, s := range a.Unsaid {
			t.Errorf("%s: silent without a reason", s)
		}
	}
	if found < 500 {
		t.Errorf("only %d findings compared", found)
	}
}
