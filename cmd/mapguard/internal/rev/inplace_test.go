package rev_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/rev"
)

// The old tree gives the same findings in place as in its copy, whatever came,
// went or changed since, and by whatever name the directory is called.
func TestInPlace(t *testing.T) {
	gone := strings.ReplaceAll(list+strings.TrimPrefix(use, "package list"), "package list", "package gone")
	r := newRepo(t, map[string]string{
		"go.mod": mod, "list/list.go": list, "list/use.go": use, "gone/gone.go": gone,
		"user/user.go": "package user\n\nimport \"example.org/shop/gone\"\n\nvar L gone.List\n",
	})
	if err := os.RemoveAll(filepath.Join(r.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(r.dir, "list", "use.go")); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{
		"list/list.go": "// A comment.\n\n" + list, "list/other.go": "package list\n\nfunc Add(l *List) { go l.Add(\"\") }\n",
		"fresh/fresh.go": strings.ReplaceAll(gone, "package gone", "package fresh"),
		"user/user.go":   "package user\n",
	})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Skip(err)
	}
	current := []finding.Finding{{Category: "check-then-act"}}
	for _, dir := range []string{r.dir, link} {
		_, err := rev.New(context.Background(), dir, "HEAD", func(old string) ([]finding.Finding, error) {
			in, err := rev.Overlay(context.Background(), dir, old)
			if err != nil {
				t.Fatal(err)
			}
			want := run(t, driver.Config{Dir: old})
			got := run(t, driver.Config{Dir: in.Dir, Overlay: in.Files, MayMiss: true})
			if n := strings.Count(want, `"category"`); n != 2 {
				t.Errorf("%d findings in the copy, want 2, one of them in a package that is gone:\n%s", n, want)
			}
			if got = strings.ReplaceAll(got, in.Dir, old); got != want {
				t.Errorf("in place:\n%s\nin the copy:\n%s", got, want)
			}
			if name := in.Old(filepath.Join(in.Dir, "list", "list.go")); name != filepath.Join(old, "list", "list.go") {
				t.Errorf("%s is no file of %s", name, old)
			}
			return nil, nil
		}, current)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What contents of files cannot tell is left to the copy.
func TestInPlaceRefused(t *testing.T) {
	for _, name := range []string{"list/go.mod", "go.work", "vendor/modules.txt", "list/list_amd64.s", "list/list.c"} {
		r := newRepo(t, map[string]string{"go.mod": mod, "list/list.go": list})
		r.write(map[string]string{name: ""})
		called := false
		_, err := rev.New(context.Background(), r.dir, "HEAD", func(old string) ([]finding.Finding, error) {
			called = true
			if in, err := rev.Overlay(context.Background(), r.dir, old); err == nil {
				t.Errorf("%s is new, and the old tree is analysed in place with %d files", name, len(in.Files))
			}
			return nil, nil
		}, []finding.Finding{{}})
		if err != nil || !called {
			t.Errorf("%s: called %v, %v", name, called, err)
		}
	}
	if _, err := rev.Overlay(context.Background(), newRepo(t, map[string]string{"go.mod": mod}).dir, t.TempDir()); err == nil {
		t.Error("any directory is taken for the copy")
	}
}

// run returns the findings as JSON.
func run(t *testing.T, conf driver.Config) string {
	t.Helper()
	conf.Analyzer, conf.Patterns = analyzer.New(analyzer.Config{}), []string{"./..."}
	res, err := driver.Run(context.Background(), conf)
	if err != nil || len(res.Problems) > 0 {
		t.Fatalf("%v, %v", err, res)
	}
	text, err := json.MarshalIndent(res.Findings, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
