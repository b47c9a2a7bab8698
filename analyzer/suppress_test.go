package analyzer_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapguard/mapguard/analyzer"
)

// TestLeaveNolint: under golangci-lint, which applies nolint itself, the
// analyzer neither applies it nor judges it.
func TestLeaveNolint(t *testing.T) {
	results := analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{LeaveNolint: true}), root+"suppress")
	var lines []string
	for _, r := range results {
		for _, d := range r.Action.Diagnostics {
			p := r.Action.Package.Fset.Position(d.Pos)
			if src := line(t, p.Filename, p.Line); strings.Contains(src, "nolint") {
				lines = append(lines, d.Category+" | "+strings.TrimSpace(src))
			}
		}
	}
	for _, want := range []string{
		`unguarded-access | return c.m["a"] //nolint:mapguard`,
		`unguarded-access | return c.m["a"] //nolint:all // a statistic`,
		`unguarded-access | return c.m["a"] //nolint`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("not reported: %s", want)
		}
	}
	if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "directive") }) {
		t.Errorf("nolint is judged: %q", lines)
	}
}

// TestIgnoredAtEveryConfidence: whether a directive is stale does not depend
// on the confidence that is chosen.
func TestIgnoredAtEveryConfidence(t *testing.T) {
	stale := func(confidence string) []string {
		var out []string
		for _, r := range analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{Confidence: confidence}), root+"suppress") {
			for _, d := range r.Action.Diagnostics {
				if d.Category == "directive" {
					out = append(out, r.Action.Package.Fset.Position(d.Pos).String())
				}
			}
		}
		slices.Sort(out)
		return out
	}
	low, high := stale("low"), stale("high")
	if len(low) == 0 || !slices.Equal(low, high) {
		t.Errorf("stale at low confidence: %q, at high: %q", low, high)
	}
}

// line returns one line of a file.
func line(t *testing.T, file string, n int) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")[n-1]
}
