package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// TestOffered asks which of some fixes of a package are offered: not one that breaks it, also where another file uses what it
// changes; one that imports what nothing has loaded is.
func TestOffered(t *testing.T) {
	dir, outer := t.TempDir(), t.TempDir()
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
		{Message: "gone.go", Fixes: []finding.Fix{{Edits: []finding.Edit{{File: filepath.Join(dir, "gone.go")}}}}},
	}
	if err := os.WriteFile(filepath.Join(outer, "o.go"), []byte("package o\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	findings = append(findings, finding.Finding{Message: "elsewhere", Fixes: []finding.Fix{{Edits: []finding.Edit{{File: filepath.Join(outer, "o.go"), Start: 10, End: 10, New: "\nvar x = 1\n"}}}}})
	want := []string{"", "undefined: unknown", "undefined: F", "expected '}'", "", "", "open gone.go: ", ""}
	own[0].Syntax[slices.Index(own[0].CompiledGoFiles, name)] = nil // as that of a package that is done
	got := cfg.offered(own[0], loaded, findings)
	for i, f := range got {
		if refused := len(findings[i].Fixes) > 0 && len(f.Fixes) == 0; refused != (want[i] != "") || !strings.Contains(f.NoFix, want[i]) {
			t.Errorf("%s: %d fixes, %q, want %q in it", f.Message, len(f.Fixes), f.NoFix, want[i])
		}
	}
	for _, f := range got {
		if strings.Contains(f.NoFix, dir) {
			t.Errorf("%s: %q names a directory", f.Message, f.NoFix)
		}
	}
	if len(findings[1].Fixes) != 1 {
		t.Error("the analyzer's findings are changed")
	}
	if right := []finding.Finding{findings[0], fix("1", "11")}; &cfg.offered(own[0], loaded, right)[0] != &right[0] {
		t.Error("a fix that is right is not offered as it is")
	}
}

// TestOfferTries counts how often a package with many fixes is checked to find those that break it.
func TestOfferTries(t *testing.T) {
	const many = 256
	var text strings.Builder
	text.WriteString("package m\n\nvar kept = f7() + f9()\n\ntype T struct{}\n")
	for i := range many {
		fmt.Fprintf(&text, "\nfunc f%d() int { return %d }\n\nfunc (T) f%d() {}\n", i, 1000+i, i)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "p.go")
	for file, s := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.26\n", "p.go": text.String()} {
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
	most := make(map[int][2]string)
	within := func(i int) [2]string { return [2]string{strconv.Itoa(1000 + i), "unknown"} }
	for i := 10; i < many; i++ {
		most[i] = within(i)
	}
	for _, c := range []struct {
		what  string
		wrong map[int][2]string
		most  int
	}{
		{"none", nil, 1},
		{"three where they are", map[int][2]string{3: within(3), 70: within(70), 255: within(255)}, 6},
		{"two elsewhere", map[int][2]string{7: {"func f7()", "func g7()"}, 9: {"func f9()", "func g9()"}}, 34},
		{"a type, and a method", map[int][2]string{4: {"struct{}", "struct{ unknown }"}, 5: {"f5() {}", "f5() { unknown() }"}}, 5},
		{"most", most, maxTries + 4},
		{"one that is no Go", map[int][2]string{20: {"1020 }", "1020"}}, 18},
		{"one that imports", map[int][2]string{0: {"package m\n", "package m\n\nimport _ \"embed\"\n"}}, 18},
		{"one beside what imports", map[int][2]string{0: {"package m\n", "package m\n\nimport _ \"embed\"\n"}, 70: within(70)}, 40},
	} {
		var findings []finding.Finding
		for i := range many {
			e := [2]string{strconv.Itoa(1000 + i), strconv.Itoa(2000 + i)}
			if w, ok := c.wrong[i]; ok {
				e = w
			}
			at := strings.Index(text.String(), e[0])
			findings = append(findings, finding.Finding{Fixes: []finding.Fix{{Edits: []finding.Edit{{File: name, Start: at, End: at + len(e[0]), New: e[1]}}}}})
		}
		o := &offer{cfg: cfg, pkg: own[0], loaded: loaded, findings: findings, refused: make(map[int]string)}
		o.all()
		for i := range findings {
			w := c.wrong[i]
			if why, bad := o.refused[i]; bad != (w[1] != "" && !strings.Contains(w[1], "import")) {
				t.Errorf("%s: %d: %q", c.what, i, why)
			}
		}
		if o.tries > c.most {
			t.Errorf("%s: %d tries, more than %d", c.what, o.tries, c.most)
		}
	}
}
