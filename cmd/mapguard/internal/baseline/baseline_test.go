package baseline_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
)

// code is a file in which each line that a finding may stand on is different.
const code = `package shop

func (c *Cache) Get() {
	if _, ok := c.m["a"]; !ok {
		c.m["a"] = 1
	}
}

func (c *Cache) Put() {
	c.m["b"] = 2 // put
}
`

// tree writes files and returns their directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// at makes a finding on the line of a file that has the text.
func at(t *testing.T, dir, file, text, function string) finding.Finding {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(file))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + slices.IndexFunc(strings.Split(string(b), "\n"), func(l string) bool { return strings.Contains(l, text) })
	if line == 0 {
		t.Fatalf("%s: no line %q", file, text)
	}
	return finding.Finding{
		Category: "check-then-act", Confidence: "high", Message: "words that may change",
		Package: "example.org/shop", Function: function, Location: "Cache.m",
		Pos: finding.Position{File: name, Line: line, Column: 3, Offset: 60},
	}
}

func TestLineShiftOk(t *testing.T) {
	old := tree(t, map[string]string{"a.go": code})
	now := tree(t, map[string]string{"a.go": "// Copyright.\n\n" + strings.ReplaceAll(code, "2 // put", "2    // put")})
	o, n := at(t, old, "a.go", `c.m["b"]`, "Cache.Put"), at(t, now, "a.go", `c.m["b"]`, "Cache.Put")
	n.Message, n.Confidence, n.Evidence, n.Pos.Column, n.Pos.Offset = "other", "medium", "else", 1, 9
	if o.Pos.Line == n.Pos.Line {
		t.Fatal("the lines did not shift")
	}
	if a, b := baseline.Fingerprint(o, old), baseline.Fingerprint(n, now); a != b {
		t.Errorf("%s and %s", a, b)
	}
}

// Each part counts.
func TestFingerprintParts(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": code, "b.go": code})
	base := at(t, dir, "a.go", `c.m["b"]`, "Cache.Put")
	seen := map[string]string{baseline.Fingerprint(base, dir): "unchanged"}
	for name, change := range map[string]func(*finding.Finding){
		"package":  func(f *finding.Finding) { f.Package = "example.org/other" },
		"path":     func(f *finding.Finding) { f.Pos.File = filepath.Join(dir, "b.go") },
		"category": func(f *finding.Finding) { f.Category = "split-lock" },
		"location": func(f *finding.Finding) { f.Location = "Cache.n" },
		"function": func(f *finding.Finding) { f.Function = "Cache.Set" },
		"line":     func(f *finding.Finding) { f.Pos.Line = 4 },
		"no line":  func(f *finding.Finding) { f.Pos.Line = 0 },
		"shifted parts": func(f *finding.Finding) {
			f.Location, f.Function = f.Location+f.Function[:1], f.Function[1:]
		},
	} {
		f := base
		change(&f)
		fp := baseline.Fingerprint(f, dir)
		if other, ok := seen[fp]; ok {
			t.Errorf("%s and %s have the same fingerprint", name, other)
		}
		seen[fp] = name
	}
}

// Fingerprints are kept for years in files: they must not change unnoticed.
func TestFingerprintStable(t *testing.T) {
	dir := tree(t, map[string]string{"pkg/a.go": code})
	const want = "d6dc25366b1f045395caabaafeb35418"
	if got := baseline.Fingerprint(at(t, dir, "pkg/a.go", `c.m["b"]`, "Cache.Put"), dir); got != want {
		t.Errorf("%s, was %s: old baselines no longer match; if that is meant, raise the version", got, want)
	}
}

func TestSourceFromTrace(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": code})
	f := at(t, dir, "a.go", `c.m["b"]`, "Cache.Put")
	want := baseline.Fingerprint(f, dir)
	f.Trace = []finding.Step{
		{Pos: finding.Position{File: f.Pos.File, Line: f.Pos.Line + 1}, Source: "another line"},
		{Pos: f.Pos, Source: `c.m["b"] = 2 // put`},
	}
	if err := os.Remove(f.Pos.File); err != nil {
		t.Fatal(err)
	}
	if got := baseline.Fingerprint(f, dir); got != want {
		t.Errorf("%s without the file, %s with it", got, want)
	}
	f.Trace = nil
	if got := baseline.Fingerprint(f, dir); got == want {
		t.Error("the source line does not count")
	}
}

func TestSymbolicLinkOk(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": code})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	f := at(t, dir, "a.go", `c.m["b"]`, "Cache.Put")
	want := baseline.Fingerprint(f, dir)
	if got := baseline.Fingerprint(f, link); got != want {
		t.Error("a root by another name makes another path")
	}
	f.Pos.File = filepath.Join(link, "a.go")
	if got := baseline.Fingerprint(f, dir); got != want {
		t.Error("a file by another name makes another path")
	}
}

func TestMultiset(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": code})
	f := at(t, dir, "a.go", `c.m["b"]`, "Cache.Put")
	alike := []finding.Finding{f, f, f}
	for i := range alike {
		alike[i].Pos.Column = i + 1
	}
	for known := range 5 {
		var was []finding.Finding
		for range known {
			was = append(was, f)
		}
		got := baseline.Of(was, dir).New(alike, dir)
		if want := alike[min(known, 3):]; len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%d known: %d new, want %d, the last", known, len(got), len(want))
		}
	}
}

// Asking does not use a baseline up.
func TestNewTwice(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": code})
	f := []finding.Finding{at(t, dir, "a.go", `c.m["b"]`, "Cache.Put")}
	b := baseline.Of(f, dir)
	for range 2 {
		if got := b.New(f, dir); len(got) != 0 {
			t.Fatalf("%d new", len(got))
		}
	}
}

func TestMoves(t *testing.T) {
	old := tree(t, map[string]string{"a.go": code, "b.go": "package shop\n"})
	was := []finding.Finding{at(t, old, "a.go", `c.m["a"] =`, "Cache.Get"), at(t, old, "a.go", `c.m["b"]`, "Cache.Put")}
	now := tree(t, map[string]string{"a.go": code, "b.go": code, "other/a.go": code})
	get := func(file string) finding.Finding { return at(t, now, file, `c.m["a"] =`, "Cache.Get") }
	put := func(file string) finding.Finding { return at(t, now, file, `c.m["b"]`, "Cache.Put") }
	moved := func(f finding.Finding) finding.Finding { f.Package = "example.org/shop/other"; return f }
	with := func(f finding.Finding, change func(*finding.Finding)) finding.Finding { change(&f); return f }
	for name, c := range map[string]struct {
		now  []finding.Finding
		want []int // indexes of the new ones
	}{
		"nothing":              {[]finding.Finding{get("a.go"), put("a.go")}, nil},
		"repaired":             {[]finding.Finding{put("a.go")}, nil},
		"file renamed":         {[]finding.Finding{get("b.go"), put("b.go")}, nil},
		"function moved":       {[]finding.Finding{get("a.go"), put("b.go")}, nil},
		"package moved":        {[]finding.Finding{moved(get("other/a.go")), moved(put("other/a.go"))}, nil},
		"function copied":      {[]finding.Finding{put("b.go"), get("a.go"), put("a.go")}, []int{0}},
		"package copied":       {[]finding.Finding{moved(put("other/a.go")), get("a.go"), put("a.go")}, []int{0}},
		"moved and copied":     {[]finding.Finding{moved(put("other/a.go")), put("b.go")}, []int{0}},
		"moved, other line":    {[]finding.Finding{with(put("b.go"), func(f *finding.Finding) { f.Pos.Line = 1 })}, []int{0}},
		"moved, other map":     {[]finding.Finding{with(put("b.go"), func(f *finding.Finding) { f.Location = "Cache.n" })}, []int{0}},
		"moved, other rule":    {[]finding.Finding{with(put("b.go"), func(f *finding.Finding) { f.Category = "sync-map" })}, []int{0}},
		"function of new name": {[]finding.Finding{with(put("a.go"), func(f *finding.Finding) { f.Function = "Cache.Set" })}, []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			var want []finding.Finding
			for _, i := range c.want {
				want = append(want, c.now[i])
			}
			if got := baseline.Of(was, old).New(c.now, now); !reflect.DeepEqual(got, want) {
				t.Errorf("new:\n%v\nwant:\n%v", got, want)
			}
		})
	}
}

func TestRootsDiffer(t *testing.T) {
	dir := tree(t, map[string]string{"sub/a.go": code})
	f := []finding.Finding{at(t, dir, "sub/a.go", `c.m["b"]`, "Cache.Put")}
	if got := baseline.Of(f, dir).New(f, filepath.Join(dir, "sub")); len(got) != 0 {
		t.Errorf("a run from another directory finds %d new", len(got))
	}
}

func TestLineEndings(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": code, "crlf/a.go": strings.ReplaceAll(code, "\n", "\r\n")})
	a, b := at(t, dir, "a.go", `c.m["b"]`, "Cache.Put"), at(t, dir, "crlf/a.go", `c.m["b"]`, "Cache.Put")
	if baseline.Fingerprint(a, dir) != baseline.Fingerprint(b, filepath.Join(dir, "crlf")) {
		t.Error("a checkout on Windows has other fingerprints")
	}
	if runtime.GOOS == "windows" {
		return
	}
	if fp := baseline.Fingerprint(finding.Finding{}, dir); len(fp) != 32 {
		t.Errorf("fingerprint %q of nothing", fp)
	}
}
