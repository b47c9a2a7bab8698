package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
)

func sarifOf(t *testing.T, r Report, lim limits) sarifRun {
	t.Helper()
	run, err := newRun(r)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := run.sarif(&buf, lim); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(buf.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}

// TestCodeFlow follows the interleaving: two thread flows whose steps, put in
// their order, are the trace; columns after non-ASCII text in UTF-16 units.
func TestCodeFlow(t *testing.T) {
	f := splitLock(t)
	res := sarifOf(t, Report{Findings: []finding.Finding{f}, Root: root(t)}, gitHubLimits).Results[0]
	flows := res.CodeFlows[0].ThreadFlows
	if len(flows) != 2 || flows[0].ID != "A" || flows[1].ID != "B" {
		t.Fatalf("thread flows %+v", flows)
	}
	order := map[int]sarifFlowAt{}
	for _, fl := range flows {
		if !slices.IsSortedFunc(fl.Locations, func(a, b sarifFlowAt) int { return a.Order - b.Order }) {
			t.Errorf("goroutine %s is out of order", fl.ID)
		}
		for _, l := range fl.Locations {
			order[l.Order] = l
		}
	}
	for i, step := range f.Trace {
		got := order[i+1]
		if !strings.Contains(got.Location.Message.Text, step.Action) || (got.Importance == "essential") != step.Lost || got.Nesting != len(step.Locks) {
			t.Errorf("step %d is %+v", i+1, got)
		}
	}
	if got := order[1].State["locks held"].Text; got != "c.mu (read)" {
		t.Errorf("locks held: %q", got)
	}
	if got := order[1].Location.Physical.Region; got.StartLine != 16 || f.Trace[0].Pos.Column != 29 || got.StartColumn != 26 {
		t.Errorf("byte column %d is %+v", f.Trace[0].Pos.Column, got)
	}
}

func TestLinks(t *testing.T) {
	f := finding.Finding{Message: "m[k](1) changed at line 52, looked up at line 40", Confidence: "high", Evidence: "why"}
	got := linked(f, []link{{1, 40, "looked up"}, {2, 7, "a[i] is declared"}, {3, 52, "changed"}})
	want := `m[k\](1) changed at [line 52](3), looked up at [line 40](1). Evidence (high confidence): why. See: [a\[i\] is declared](2)`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSemanticVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "1.2.3", "1.2.3": "1.2.3", "v0.0.0-20260101120000-abcdef123456+dirty": "0.0.0-20260101120000-abcdef123456+dirty",
		"(devel)": "", "": "", "v1": "", "v1.2": "", "v01.2.3": "",
	} {
		if got := semantic(version); got != want {
			t.Errorf("%q is %q, want %q", version, got, want)
		}
	}
}

// TestRules holds that each result points at its rule, known or not.
func TestRules(t *testing.T) {
	run := sarifOf(t, report(t), gitHubLimits)
	for _, res := range run.Results {
		if got := run.Tool.Driver.Rules[res.RuleIndex].ID; got != res.RuleID {
			t.Errorf("%s points at %s", res.RuleID, got)
		}
	}
	rules := run.Tool.Driver.Rules
	if len(rules) != 3 || rules[2].ID != "map-escape" || rules[2].Help.Text == "" {
		t.Errorf("rules %+v", rules)
	}
	if rules[1].Name != "UnguardedAccess" || rules[1].Full.Text != "The map has a guard that is not held." {
		t.Errorf("rule %+v", rules[1])
	}
	for confidence, want := range map[string]string{"high": "high", "medium": "medium", "": "medium", "low": "low"} {
		got := sarifOf(t, Report{Confidence: confidence, Rules: []Rule{{Name: "x"}}}, gitHubLimits)
		if p := got.Tool.Driver.Rules[0].Props.Precision; p != want {
			t.Errorf("%q has precision %s", confidence, p)
		}
	}
}

// many has n findings of each confidence, mixed.
func many(n int) []finding.Finding {
	var out []finding.Finding
	for i := range 3 * n {
		out = append(out, finding.Finding{
			Category: "sync-map", Confidence: []string{"low", "high", "medium"}[i%3], Message: fmt.Sprint("finding ", i),
			Pos: finding.Position{File: "f.go", Line: i + 1, Column: 1},
		})
	}
	return out
}

func TestResultLimit(t *testing.T) {
	lim := gitHubLimits
	lim.results, lim.shown = 15, 12
	run := sarifOf(t, Report{Findings: many(10)}, lim)
	count := map[string]int{}
	for _, res := range run.Results {
		count[res.Level]++
	}
	if count["error"] != 10 || count["warning"] != 5 || count["note"] != 0 {
		t.Errorf("kept %v", count)
	}
	if !slices.IsSortedFunc(run.Results, func(a, b sarifResult) int {
		return a.Locations[0].Physical.Region.StartLine - b.Locations[0].Physical.Region.StartLine
	}) {
		t.Error("the kept results are out of order")
	}
	notes := run.Invocations[0].Notifications
	if len(notes) != 2 || !strings.HasPrefix(notes[0].Message.Text, "15 of 30 findings are left out") || !strings.Contains(notes[1].Message.Text, "at most 12 of the 15") {
		t.Errorf("notifications %+v", notes)
	}
}

func TestSizeLimit(t *testing.T) {
	lim := gitHubLimits
	lim.bytes = 3000
	run := sarifOf(t, Report{Findings: many(100)}, lim)
	c := cutter{limits: lim}
	var buf bytes.Buffer
	if err := writeIndented(&buf, sarifLog{Runs: []sarifRun{run}}); err != nil {
		t.Fatal(err)
	}
	size, err := c.size(buf.Bytes())
	if err != nil || size > lim.bytes {
		t.Errorf("%d bytes (%v)", size, err)
	}
	if n := len(run.Results); n < 10 || n > 299 || run.Results[0].Level != "error" {
		t.Errorf("%d results", n)
	}
	if len(run.Invocations[0].Notifications) != 1 {
		t.Errorf("notifications %+v", run.Invocations[0].Notifications)
	}
	lim.bytes = 1 // even the frame is larger: it ends all the same
	if run := sarifOf(t, Report{Findings: many(1)}, lim); len(run.Results) != 0 {
		t.Errorf("%d results in one byte", len(run.Results))
	}
}

func TestLocationLimits(t *testing.T) {
	lim := gitHubLimits
	lim.locations, lim.steps = 3, 4
	f := splitLock(t)
	run := sarifOf(t, Report{Findings: []finding.Finding{f, unguarded(t)}, Root: root(t)}, lim)
	var res sarifResult
	for _, r := range run.Results {
		if r.RuleID == "split-lock" {
			res = r
		}
	}
	steps := 0
	for _, fl := range res.CodeFlows[0].ThreadFlows {
		steps += len(fl.Locations)
	}
	if len(res.Related) != 2 || steps != 4 || strings.Contains(res.Message.Text, "(3)") {
		t.Errorf("%d related, %d steps, message %s", len(res.Related), steps, res.Message.Text)
	}
	notes := run.Invocations[0].Notifications
	if len(notes) != 1 || !strings.HasPrefix(notes[0].Message.Text, "1 results are without some") {
		t.Errorf("notifications %+v", notes)
	}
}

// TestFixRegions has an insertion, a deletion over a line's end, and text after
// characters of several bytes.
func TestFixRegions(t *testing.T) {
	lookup := at(t, "c.m[key]", 1)
	file := lookup.File
	f := splitLock(t)
	f.Fixes = []finding.Fix{{Message: "m", Edits: []finding.Edit{
		{File: file, Start: lookup.Offset + len("c.m[key]"), End: lookup.Offset + len("c.m[key]\n"), New: ""},
		{File: file, Start: lookup.Offset, End: lookup.Offset, New: "x"},
	}}}
	res := sarifOf(t, Report{Findings: []finding.Finding{f}, Root: root(t)}, gitHubLimits).Results[0]
	reps := res.Fixes[0].Changes[0].Replacements
	if got := reps[0].Deleted; got != (sarifRegion{16, 26, 16, 26}) || reps[0].Inserted.Text != "x" {
		t.Errorf("insertion at %+v", got)
	}
	if got := reps[1].Deleted; got != (sarifRegion{16, 34, 17, 1}) {
		t.Errorf("deletion of %+v", got)
	}
}
