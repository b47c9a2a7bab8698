package witness

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/engine.md")

const page = "../../../docs/engine.md"

// The tables of docs/engine.md say what the code says.
func TestTablesOfThePage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for name, rows := range map[string][]string{"reasons": reasonRows(t), "grades": gradeRows(t)} {
		got = fill(t, got, name, rows)
	}
	switch {
	case got == string(text):
	case *update:
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/engine.md is stale; go test ./analyzer/internal/witness -update writes it")
	}
}

// fill puts rows between the markers of a table, below its two header lines.
func fill(t *testing.T, text, name string, rows []string) string {
	t.Helper()
	head, rest, opened := strings.Cut(text, "<!-- "+name+" -->\n")
	old, tail, closed := strings.Cut(rest, "<!-- end -->\n")
	header := strings.SplitAfterN(old, "\n", 3)
	if !opened || !closed || len(header) < 3 {
		t.Fatalf("docs/engine.md has no table %s", name)
	}
	return head + "<!-- " + name + " -->\n" + header[0] + header[1] + strings.Join(rows, "") + "<!-- end -->\n" + tail
}

// reasonRows are the reasons in the order of their questions. Each constant has
// a row, and a question.
func reasonRows(t *testing.T) []string {
	t.Helper()
	var all []Reason
	for r := NoReason + 1; int(r) <= len(reasons); r++ {
		if r.Text() == "" || r.Question() < Who || r.Question() > Harm {
			t.Errorf("reason %d has no row in the table", r)
			continue
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(a.Question(), b.Question()) })
	var out []string
	for _, r := range all {
		out = append(out, fmt.Sprintf("| %s? | %s |\n", r.Question(), r.Text()))
	}
	return out
}

// gradeRows are the grades, those of high confidence first.
func gradeRows(t *testing.T) []string {
	t.Helper()
	var all []Grade
	for g := NoGrade + 1; int(g) <= len(grades); g++ {
		if g.Text() == "" || g.Confidence() == 0 {
			t.Errorf("grade %d has no row in the table", g)
			continue
		}
		all = append(all, g)
	}
	slices.SortStableFunc(all, func(a, b Grade) int { return cmp.Compare(b.Confidence(), a.Confidence()) })
	var out []string
	for _, g := range all {
		out = append(out, fmt.Sprintf("| %s | %s |\n", g.Confidence(), g.Text()))
	}
	return out
}
