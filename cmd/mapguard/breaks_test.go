package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// TestFixThatBreaks plans two fixes, of which one would not compile: it is left
// out, all of its edits, and says so; the other one is made.
func TestFixThatBreaks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("go.mod", "module example.org/m\n\ngo 1.26\n")
	const text = "package m\n\nfunc f() int { return 1 }\n\nfunc g() int { return 2 }\n\nfunc h() int { return 3 }\n"
	name := write("p.go", text)
	edit := func(old, with string) finding.Edit {
		i := strings.Index(text, old)
		return finding.Edit{File: name, Start: i, End: i + len(old), New: with}
	}
	good := finding.Finding{Message: "good", Fixes: []finding.Fix{{Edits: []finding.Edit{edit("1", "10")}}}}
	bad := finding.Finding{Message: "bad", Fixes: []finding.Fix{{Edits: []finding.Edit{edit("2", "20"), edit("3", "unknown")}}}}
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	c := &command{options: &options{dir: dir}, stdout: stderr, stderr: stderr}
	plan, err := c.plan(t.Context(), []finding.Finding{good, bad})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Fixed) != 1 || plan.Fixed[0].Message != "good" {
		t.Errorf("fixed: %v", plan.Fixed)
	}
	want := strings.Replace(text, "1", "10", 1)
	if len(plan.Files) != 1 || string(plan.Files[0].New) != want {
		t.Errorf("planned: %s", plan.Files)
	}
	said, err := os.ReadFile(stderr.Name())
	if err != nil || !strings.Contains(string(said), "would not compile and is left out: ") || !strings.Contains(string(said), "undefined: unknown") {
		t.Errorf("said: %s %v", said, err)
	}
}
