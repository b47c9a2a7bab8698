package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// TestOffered asks which of some fixes of a package are offered: not one that breaks it, also where another file uses what it
// changes; one that imports what nothing has loaded is.
func TestOffered(t *testing.T) {
	dir := t.TempDir()
	const text = "package m\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc F() int { return 1 }\n\nfunc g() int { return 2 }\n"
	name := filepath.Join(dir, "p.go")
	for file, s := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.26\n", "p.go": text, "q.go": "package m\n\nvar x = F()\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cfg := &Config{Dir: dir, Patterns: []string{"./..."}}
	_, own, err := load(t.Context(), cfg)
	if err != nil || len(own) != 1 {
		t.Fatal(own, err)
	}
	loaded := importsOf(&checker.Graph{Roots: []*checker.Action{{Package: own[0], Analyzer: &analysis.Analyzer{}}}})
	fix := func(oldNew ...string) finding.Finding {
		var edits []finding.Edit
		for i := 0; i < len(oldNew); i += 2 {
			at := strings.Index(text, oldNew[i])
			edits = append(edits, finding.Edit{File: name, Start: at, End: at + len(oldNew[i]), New: oldNew[i+1]})
		}
		return finding.Finding{Message: oldNew[0], Fixes: []finding.Fix{{Edits: edits}}}
	}
	findings := []finding.Finding{
		fix("1", "10"), fix("2", "unknown"), fix("F() int", "H() int"), fix("2 }", "2"),
		fix("\"sync\"\n", "\"sync\"\n\nimport \"embed\"\n", "mu sync.Mutex", "mu sync.Mutex\n\nvar files embed.FS"),
		{Message: "none"},
	}
	want := []string{"", "undefined: unknown", "undefined: F", "nothing is changed", "", ""}
	got := cfg.offered(own[0], loaded, findings)
	for i, f := range got {
		if refused := len(findings[i].Fixes) > 0 && len(f.Fixes) == 0; refused != (want[i] != "") || !strings.Contains(f.NoFix, want[i]) {
			t.Errorf("%s: %d fixes, %q, want %q in it", f.Message, len(f.Fixes), f.NoFix, want[i])
		}
	}
	if len(findings[1].Fixes) != 1 {
		t.Error("the analyzer's findings are changed")
	}
	if right := findings[:1]; &cfg.offered(own[0], loaded, right)[0] != &right[0] {
		t.Error("a fix that is right is not offered as it is")
	}
}
