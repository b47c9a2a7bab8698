package fixes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/fixes"
)

const source = `package p

func f() {
	mu.RLock()
	m[k] = v
	mu.RUnlock()
}
`

// file writes source to a new file.
func file(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(source), 0o640); err != nil {
		t.Fatal(err)
	}
	return name
}

// replace makes a finding whose fix replaces words of source.
func replace(t *testing.T, name string, oldNew ...string) finding.Finding {
	t.Helper()
	fix := finding.Fix{Message: "repair"}
	for i := 0; i < len(oldNew); i += 2 {
		start := strings.Index(source, oldNew[i])
		if start < 0 {
			t.Fatalf("no %q", oldNew[i])
		}
		fix.Edits = append(fix.Edits, finding.Edit{File: name, Start: start, End: start + len(oldNew[i]), New: oldNew[i+1]})
	}
	return finding.Finding{Message: oldNew[0], Fixes: []finding.Fix{fix}}
}

func plan(t *testing.T, findings ...finding.Finding) *fixes.Plan {
	t.Helper()
	p, err := fixes.Make(findings, os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWrite(t *testing.T) {
	name := file(t)
	p := plan(t, replace(t, name, "RLock", "Lock", "RUnlock", "Unlock"))
	if len(p.Fixed) != 1 || len(p.Left) != 0 {
		t.Fatalf("%d fixed, %d left", len(p.Fixed), len(p.Left))
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.NewReplacer("RLock", "Lock", "RUnlock", "Unlock").Replace(source); string(got) != want {
		t.Errorf("got\n%s", got)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(name)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// The link stays a link, and the file that it leads to changes.
func TestWriteThroughLink(t *testing.T) {
	name := file(t)
	link := filepath.Join(t.TempDir(), "p.go")
	if err := os.Symlink(name, link); err != nil {
		t.Skip(err)
	}
	if err := plan(t, replace(t, link, "m[k] = v", "m[k] = w")).Write(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("no link any more: %v, %v", info, err)
	}
	if got, _ := os.ReadFile(name); !strings.Contains(string(got), "m[k] = w") {
		t.Errorf("not changed:\n%s", got)
	}
}

func TestResultIsFormatted(t *testing.T) {
	name := file(t)
	p := plan(t, replace(t, name, "m[k] = v", "if ok{\nm[k]=v}"))
	if got := string(p.Files[0].New); !strings.Contains(got, "\tif ok {\n\t\tm[k] = v\n\t}\n") {
		t.Errorf("got\n%s", got)
	}
}

// A file that gofmt would change keeps the lines that the fix does not touch.
func TestOtherFormatIsKept(t *testing.T) {
	name := file(t)
	loose := strings.Replace(source, "func f(", "func  f(", 1)
	if err := os.WriteFile(name, []byte(loose), 0o640); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(loose, "m[k] = v")
	edit := finding.Edit{File: name, Start: at, End: at + len("m[k] = v"), New: "m[k] = w"}
	p := plan(t, finding.Finding{Fixes: []finding.Fix{{Edits: []finding.Edit{edit}}}})
	if got := string(p.Files[0].New); got != strings.Replace(loose, "m[k] = v", "m[k] = w", 1) {
		t.Errorf("got\n%s", got)
	}
}

// The first of two fixes that meet wins; the other is left as a whole, also
// where only one of its edits meets.
func TestOverlap(t *testing.T) {
	name := file(t)
	p := plan(t,
		replace(t, name, "RLock", "Lock", "RUnlock", "Unlock"),
		replace(t, name, "m[k] = v", "m[k] = w", "mu.RUnlock", "other.Unlock"),
		replace(t, name, "func f", "func g"),
		finding.Finding{Message: "no fix"},
	)
	if len(p.Fixed) != 2 || p.Fixed[1].Message != "func f" {
		t.Errorf("fixed: %v", p.Fixed)
	}
	if len(p.Left) != 2 || p.Left[0].Why == "" || p.Left[1].Why != "" {
		t.Errorf("left: %v", p.Left)
	}
	if got := string(p.Files[0].New); strings.Contains(got, "m[k] = w") || !strings.Contains(got, "mu.Unlock") || !strings.Contains(got, "func g") {
		t.Errorf("got\n%s", got)
	}
}

// Two fixes that want the same edit do not stand in each other's way.
func TestSameEdit(t *testing.T) {
	name := file(t)
	p := plan(t,
		replace(t, name, "package p\n", "package p\n\nimport \"sync\"\n", "m[k]", "n[k]"),
		replace(t, name, "package p\n", "package p\n\nimport \"sync\"\n", "func f", "func g"),
	)
	got := string(p.Files[0].New)
	if len(p.Fixed) != 2 || strings.Count(got, "import") != 1 || !strings.Contains(got, "n[k]") || !strings.Contains(got, "func g") {
		t.Errorf("got\n%s", got)
	}
}

// A fix that does not fit, or breaks the code, changes nothing and says so.
func TestRefused(t *testing.T) {
	name := file(t)
	far := replace(t, name, "func f", "func g")
	far.Fixes[0].Edits[0].End = len(source) + 1
	gone := replace(t, name, "func f", "func g")
	gone.Fixes[0].Edits[0].File = filepath.Join(filepath.Dir(name), "gone.go")
	for want, f := range map[string]finding.Finding{
		"does not fit":   far,
		"gone.go":        gone,
		"nothing is cha": replace(t, name, "func f", "func func"),
	} {
		if _, err := fixes.Make([]finding.Finding{f}, os.ReadFile); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

// An error with one of several files leaves all as they were.
func TestWriteAllOrNothing(t *testing.T) {
	a, b := file(t), file(t)
	p := plan(t, replace(t, a, "func f", "func g"), replace(t, b, "func f", "func g"))
	if err := os.Remove(p.Files[1].Name); err != nil {
		t.Fatal(err)
	}
	if err := p.Write(); err == nil {
		t.Fatal("no error for a file that is gone")
	}
	if got, _ := os.ReadFile(p.Files[0].Name); string(got) != source {
		t.Errorf("changed:\n%s", got)
	}
	if entries, _ := os.ReadDir(filepath.Dir(p.Files[0].Name)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestDiff(t *testing.T) {
	name := file(t)
	var b strings.Builder
	p := plan(t, replace(t, name, "RLock", "Lock", "RUnlock", "Unlock"))
	if err := p.Diff(&b, func(string) string { return "p/p.go" }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--- a/p/p.go\n+++ b/p/p.go\n@@ ", "\n-\tmu.RLock()\n+\tmu.Lock()\n \tm[k] = v\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
