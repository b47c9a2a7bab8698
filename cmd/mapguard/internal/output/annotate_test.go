package output

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
)

func TestGitHubEscapes(t *testing.T) {
	f := finding.Finding{
		Category: "sync-map", Confidence: "low", Message: "100%: a,b\r\n::error::x",
		Pos: finding.Position{File: "a,b:c%\n.go", Line: 3, Column: 4},
	}
	got := write(t, "github", Report{Findings: []finding.Finding{f}, Root: root(t)})
	want := "::notice file=a%2Cb%3Ac%25%0A.go,line=3,title=mapguard%3A sync-map::100%25: a,b%0D%0A::error::x\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func suggestions(t *testing.T, fixes ...finding.Fix) []rdSuggestion {
	t.Helper()
	f := splitLock(t)
	f.Fixes = fixes
	var out rdResult
	if err := json.Unmarshal([]byte(write(t, "rdjson", Report{Findings: []finding.Finding{f}, Root: root(t)})), &out); err != nil {
		t.Fatal(err)
	}
	return out.Diagnostics[0].Suggestions
}

// TestSuggestion joins the edits of one fix: half a fix is none.
func TestSuggestion(t *testing.T) {
	fix := splitLock(t).Fixes[0]
	got := suggestions(t, fix)
	if len(got) != 1 {
		t.Fatalf("%d suggestions, want 1", len(got))
	}
	text := "c.mu.Lock()\n\te, ok := /* naïve 𝄞 */ c.m[key]\n\tc.mu.Unlock()"
	if got[0].Text != text || got[0].Range.Start != (rdPosition{15, 2}) || *got[0].Range.End != (rdPosition{17, 16}) {
		t.Errorf("got %q for %v to %v", got[0].Text, got[0].Range.Start, *got[0].Range.End)
	}
}

func TestSuggestionLeftOut(t *testing.T) {
	fix := splitLock(t).Fixes[0]
	elsewhere := finding.Fix{Edits: append([]finding.Edit{{File: "source_test.go", End: 1}}, fix.Edits...)}
	overlapping := finding.Fix{Edits: append([]finding.Edit{{File: fix.Edits[0].File, Start: 0, End: fix.Edits[0].Start + 1}}, fix.Edits...)}
	beyond := finding.Fix{Edits: []finding.Edit{{File: fix.Edits[0].File, Start: 0, End: 1 << 20}}}
	if got := suggestions(t, elsewhere, overlapping, beyond, finding.Fix{}); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestSeverity maps each confidence, in every format that has severities.
func TestSeverity(t *testing.T) {
	for confidence, want := range map[string][3]string{
		"high":   {"::error ", `"severity": "ERROR"`, `"level": "error"`},
		"medium": {"::warning ", `"severity": "WARNING"`, `"level": "warning"`},
		"low":    {"::notice ", `"severity": "INFO"`, `"level": "note"`},
	} {
		f := unguarded(t)
		f.Confidence = confidence
		for i, format := range []string{"github", "rdjson", "sarif"} {
			got := write(t, format, Report{Findings: []finding.Finding{f}, Root: root(t)})
			if i == 2 {
				_, got, _ = strings.Cut(got, `"results"`) // after the rules' own levels
			}
			if !strings.Contains(got, want[i]) {
				t.Errorf("%s, %s: no %s in\n%s", confidence, format, want[i], got)
			}
		}
	}
}
