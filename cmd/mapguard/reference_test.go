package main

import (
	"bufio"
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
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			if m := marker.FindStringSubmatch(lines.Text()); m != nil {
				out = append(out, place(t, dir, path, n)+" "+m[1])
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
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
