package baseline_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
)

func known(t *testing.T) (dir string, findings []finding.Finding) {
	t.Helper()
	dir = tree(t, map[string]string{"a.go": code, "pkg/b.go": code})
	put := at(t, dir, "pkg/b.go", `c.m["b"]`, "Cache.Put")
	return dir, []finding.Finding{put, at(t, dir, "a.go", `c.m["a"]; !ok`, "Cache.Get"), put}
}

// whole is the scope of a run over everything.
var whole = baseline.Scope{Packages: []string{"example.org/shop"}, Categories: []string{"check-then-act"}, Tests: true}

func write(t *testing.T, path string, findings []finding.Finding, root string) string {
	t.Helper()
	if kept, err := baseline.Write(path, findings, root, whole); err != nil || kept != 0 {
		t.Fatal(kept, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// alone checks that a directory holds the named file and nothing beside it.
func alone(t *testing.T, path string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(path) {
		t.Errorf("%v, %v; want %s alone", left, err, filepath.Base(path))
	}
}

const golden = `{
"version": 1,
"findings": [
{"fingerprint":"51885b287726251a6903521d800626fc","file":"a.go","category":"check-then-act","location":"Cache.m","function":"Cache.Get","package":"example.org/shop","source":"if _, ok := c.m[\"a\"]; !ok {"},
{"fingerprint":"d94a379cc0a1506eafa88c6d006eea27","count":2,"file":"pkg/b.go","category":"check-then-act","location":"Cache.m","function":"Cache.Put","package":"example.org/shop","source":"c.m[\"b\"] = 2 // put"}
]
}
`

func TestWrite(t *testing.T) {
	dir, findings := known(t)
	path := filepath.Join(t.TempDir(), "mapguard.json")
	first := write(t, path, findings, dir)
	if first != golden {
		t.Errorf("got\n%s\nwant\n%s", first, golden)
	}
	slices.Reverse(findings)
	if again := write(t, path, findings, dir); again != first {
		t.Errorf("the order of the findings shows:\n%s", again)
	}
	alone(t, path)
}

func TestRoundTrip(t *testing.T) {
	dir, findings := known(t)
	odd := findings[0]
	odd.Function, odd.Location, odd.Package = "F\xff<&>\u2028", "m\x01\"", ""
	findings = append(findings, odd, finding.Finding{})
	path := filepath.Join(t.TempDir(), "mapguard.json")
	write(t, path, findings, dir)
	b, err := baseline.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.New(findings, dir); len(got) != 0 {
		t.Errorf("new: %v", got)
	}
	if got := b.New(append(findings, findings[0]), dir); len(got) != 1 {
		t.Errorf("the third of two: %d new", len(got))
	}
}

func TestEmpty(t *testing.T) {
	dir, findings := known(t)
	path := filepath.Join(t.TempDir(), "mapguard.json")
	if text := write(t, path, nil, dir); text != "{\n\"version\": 1,\n\"findings\": []\n}\n" {
		t.Errorf("%q", text)
	}
	b, err := baseline.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.New(findings, dir); len(got) != len(findings) {
		t.Errorf("%d new, want %d", len(got), len(findings))
	}
}

func TestDamaged(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":         {"", "line 1: unexpected end"},
		"no JSON":       {"<<<<<<< HEAD\n", "line 1: invalid character '<'"},
		"merge":         {strings.Replace(golden, "\n{\"finger", "\n<<<<<<< HEAD\n{\"finger", 1), "line 4: invalid character '<'"},
		"cut off":       {golden[:len(golden)-5], "line 5: unexpected end"},
		"rest":          {golden + "{}", "line 8: invalid character '{'"},
		"list":          {"[]", "cannot unmarshal array"},
		"null":          {"null", "it has no version"},
		"no version":    {`{"findings": []}`, "it has no version"},
		"no findings":   {`{"version": 1}`, "it has no list of findings"},
		"version":       {strings.Replace(golden, `"version": 1`, `"version": 7, "more": 1`, 1), "it has version 7, and this mapguard reads version 1"},
		"version words": {`{"version": "one"}`, "line 1: cannot unmarshal string"},
		"field":         {strings.Replace(golden, `"count"`, `"number"`, 1), `unknown field "number"`},
		"field on top":  {strings.Replace(golden, `"findings"`, `"more": 1, "findings"`, 1), `unknown field "more"`},
		"edited":        {strings.Replace(golden, "Cache.Put", "Cache.Set", 1), `the fingerprint of entry 2 ("pkg/b.go") is not that of its parts`},
		"count":         {strings.Replace(golden, `"count":2`, `"count":-2`, 1), `entry 2 ("pkg/b.go") has the count -2`},
		"count words":   {strings.Replace(golden, `"count":2`, `"count":2.5`, 1), "line 5: cannot unmarshal number 2.5"},
		"twice":         {strings.Replace(golden, "\n]", ",\n"+strings.Split(golden, "\n")[4]+"\n]", 1), `entry 3 ("pkg/b.go") is there twice`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mapguard.json")
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := baseline.Read(path)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range []string{"baseline " + path + " is damaged: ", c.want, "mapguard -write-baseline -baseline " + path} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\ndoes not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line:\n%v", err)
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != c.text {
				t.Errorf("the file was touched: %q, %v", text, err)
			}
			alone(t, path)
		})
	}
}

func TestMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my baseline.json")
	_, err := baseline.Read(path)
	if want := "baseline " + path + ` does not exist; write it with: mapguard -write-baseline -baseline "` + path + `" ./...`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := baseline.Read(t.TempDir()); err == nil || !strings.HasSuffix(err.Error(), " is not a regular file") {
		t.Errorf("a directory: %v", err)
	}
}

// What a run has not looked at keeps its entries.
func TestWritePart(t *testing.T) {
	dir, findings := known(t)
	for name, c := range map[string]struct {
		scope baseline.Scope
		kept  int
	}{
		"all":              {whole, 0},
		"another package":  {baseline.Scope{Packages: []string{"example.org/other"}, Categories: whole.Categories, Tests: true}, 3},
		"another category": {baseline.Scope{Packages: whole.Packages, Categories: []string{"split-lock"}, Tests: true}, 3},
		"a package that is gone": {baseline.Scope{
			Categories: whole.Categories, Gone: func(pkg, dir string) bool { return pkg == "example.org/shop" && dir == "pkg" },
		}, 1},
	} {
		if c.scope.Gone == nil {
			c.scope.Gone = func(string, string) bool { return false }
		}
		path := filepath.Join(t.TempDir(), "b.json")
		write(t, path, findings, dir)
		if kept, err := baseline.Write(path, nil, dir, c.scope); err != nil || kept != c.kept {
			t.Errorf("%s: %d kept, %v; want %d", name, kept, err, c.kept)
		}
		known, err := baseline.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if fresh := known.New(findings, dir); len(fresh) != len(findings)-c.kept {
			t.Errorf("%s: %d are new, want %d", name, len(fresh), len(findings)-c.kept)
		}
	}

	path := filepath.Join(t.TempDir(), "b.json")
	if err := os.WriteFile(path, []byte("<<<<<<<"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := baseline.Write(path, findings, dir, whole); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("what is kept of a damaged file cannot be known: %v", err)
	}
}

func TestWriteRefused(t *testing.T) {
	dir, findings := known(t)
	for path, want := range map[string]string{
		filepath.Join(dir, "nowhere", "b.json"): "no such file or directory",
		filepath.Join(dir, "a.go", "b.json"):    "not a directory",
		filepath.Join(dir, "pkg"):               "not a regular file",
		"":                                      "no file is named",
	} {
		_, err := baseline.Write(path, findings, dir, whole)
		if err == nil || !strings.HasPrefix(err.Error(), "cannot write the baseline "+path+": ") {
			t.Errorf("%q: %v", path, err)
		} else if runtime.GOOS != "windows" && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", path, err, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The permissions of a file stay, a symbolic link stays one, and the name of a
// failed write does not.
func TestWriteKeeps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions")
	}
	dir, findings := known(t)
	store := t.TempDir()
	path, link := filepath.Join(store, "b.json"), filepath.Join(t.TempDir(), "link.json")
	if err := os.WriteFile(path, []byte(golden), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if text := write(t, link, findings, dir); text != golden {
		t.Errorf("got\n%s", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	alone(t, path)
}

func FuzzRead(f *testing.F) {
	f.Add(golden)
	f.Add(`{"version":1,"findings":[null]}`)
	f.Add(`{"version":1,"findings":[{}]}`)
	path := filepath.Join(f.TempDir(), "b.json")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := baseline.Read(path); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}
