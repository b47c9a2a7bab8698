package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	marker = regexp.MustCompile(`// want:([a-z-]+)$`)
	// found is a finding as findings gives it.
	found = regexp.MustCompile(`^(.*):(\d+): .* \(([a-z-]+)\)$`)
)

// TestReference compares the markers of the reference service with the
// findings, both ways: each marked line has a finding of its category, and
// there is no finding without a marker. The fixed form has no markers.
func TestReference(t *testing.T) {
	dir, err := filepath.Abs("../../reference")
	if err != nil {
		t.Fatal(err)
	}
	want := markers(t, dir)
	if len(want) < 10 {
		t.Fatalf("only %d markers in %s", len(want), dir)
	}
	for name, r := range map[string]result{
		"by itself":    mapguard(t, dir, "./..."),
		"under go vet": goVet(t, dir, "./..."),
	} {
		got := reported(t, dir, r.text())
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: not reported: %s", name, w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("%s: not marked: %s", name, g)
			}
		}
	}
}

// markers returns "file:line category" for each marker comment.
func markers(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for _, path := range goFiles(t, dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := marker.FindStringSubmatch(line); m != nil {
				out = append(out, place(t, dir, path, i+1)+" "+m[1])
			}
		}
	}
	return out
}

func place(t *testing.T, dir, path string, line int) string {
	t.Helper()
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel) + ":" + strconv.Itoa(line)
}

// reported returns "file:line category" for each finding in the output.
func reported(t *testing.T, dir, text string) []string {
	t.Helper()
	var out []string
	for _, f := range findings(t, dir, text) {
		m := found.FindStringSubmatch(f)
		if m == nil {
			t.Fatalf("no finding: %s", f)
		}
		out = append(out, m[1]+":"+m[2]+" "+m[3])
	}
	return out
}

// claim is what the documentation says of a type that is made for sharing.
var claim = regexp.MustCompile(`(?s)(It|They) (is|are|must be)\s+(//\s+)?safe\s+(//\s+)?for\s+(//\s+)?concurrent\s+(//\s+)?use(\s+(//\s+)?by multiple\s+(//\s+)?goroutines)?`)

// TestReferenceWithoutClaims takes away what the documentation of the buggy form
// says about concurrent use. The maps that have a lock are found as before; those
// that have none are found where the server uses them from its worker and its
// handlers.
func TestReferenceWithoutClaims(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../reference")); err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, path := range goFiles(t, filepath.Join(dir, "buggy")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// The lines stay where they are.
		without := claim.ReplaceAllFunc(text, func(found []byte) []byte {
			taken++
			return []byte("It is here" + strings.Repeat("\n// and", strings.Count(string(found), "\n")))
		})
		if err := os.WriteFile(path, without, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if taken < 5 {
		t.Fatalf("only %d claims were taken away", taken)
	}
	got := reported(t, dir, mapguard(t, dir, "./buggy/...").text())
	for _, w := range markers(t, dir) {
		if !strings.HasPrefix(w, "buggy/plan/") && !slices.Contains(got, w) {
			t.Errorf("not reported: %s", w)
		}
	}
	server := 0
	for _, g := range got {
		if strings.HasPrefix(g, "buggy/server/") {
			server++
		}
	}
	if server == 0 {
		t.Error("what the server shares is not reported")
	}
}

// goFiles returns the Go files below dir.
func goFiles(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".go" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestReferenceReadme compares what the reference service's README shows with
// what the command prints.
func TestReferenceReadme(t *testing.T) {
	dir, err := filepath.Abs("../../reference")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "## What mapguard says")
	_, shown, _ = strings.Cut(shown, "```text\n")
	shown, _, ok := strings.Cut(shown, "```")
	if !ok {
		t.Fatal("reference/README.md shows no output")
	}
	var printed strings.Builder
	for line := range strings.Lines(mapguard(t, dir, "./buggy/...").stdout) {
		if !strings.HasPrefix(line, "\t") {
			printed.WriteString(line)
		}
	}
	if got := strings.TrimSpace(printed.String()); got != strings.TrimSpace(shown) {
		t.Errorf("reference/README.md is stale; the command prints\n%s", got)
	}
}
