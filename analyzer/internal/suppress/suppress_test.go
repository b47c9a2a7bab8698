package suppress

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/check"
)

func read(t testing.TB, src string, opts Options) (*Set, *token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		t.Fatal(err)
	}
	return Read(fset, []*ast.File{file}, opts), fset, file
}

// Which lines of a file a directive speaks of.
func TestLines(t *testing.T) {
	for _, tt := range []struct{ name, src, lines string }{
		{"behind code", "package p\nvar x = 1 //mapguard:ignore why\nvar y = 2\n", "2"},
		{"above", "package p\n//mapguard:ignore why\n\nvar x = 1\n", "3"},
		{"above a declaration", "package p\n//mapguard:ignore why\nvar x = []int{\n1,\n}\n", "3 4 5"},
		{"last line", "package p\n//mapguard:ignore why", ""},
		{"last line behind code", "package p\nvar x int //mapguard:ignore why", "2"},
		{"line directives", "package p\n//line a.go:7\nvar x int //mapguard:ignore why\nvar y int\n", "3"},
		{"nolint above a block", "package p\nfunc f() {\n\t//nolint:mapguard\n\tfor {\n\t\tf()\n\t}\n}\n", "3 4 5 6"},
		{"nolint indented otherwise", "package p\nfunc f() {\n//nolint:mapguard\n\tfor {\n\t}\n}\n", "3"},
		{"nolint above the package", "//nolint:mapguard\npackage p\nvar x int\n", "1 2 3"},
		{"carriage returns", "package p\r\nvar x = 1 //mapguard:ignore why\r\nvar y = 2\r\n", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, fset, file := read(t, tt.src, Options{})
			if len(s.directives) != 1 || len(s.problems) > 0 {
				t.Fatalf("%d directives, problems %v", len(s.directives), s.problems)
			}
			var got []string
			tok := fset.File(file.FileStart)
			for n := 1; n <= tok.LineCount(); n++ {
				if kept, _ := s.Filter([]check.Finding{{Pos: tok.LineStart(n)}}); len(kept) == 0 {
					got = append(got, string(rune('0'+n)))
				}
			}
			if strings.Join(got, " ") != tt.lines {
				t.Errorf("covers lines %q, want %q", got, tt.lines)
			}
		})
	}
}

// A first word that is meant for a category and is none is an error; one that
// begins the reason is not.
func TestMisspelt(t *testing.T) {
	opts := Options{Categories: []string{"check-then-act", "split-lock", "sync-map", "unguarded-access", "directive"}}
	for text, wrong := range map[string]string{
		"unguarded-acces a statistic":        "unguarded-acces",
		"unguarded_access a statistic":       "unguarded_access",
		"UnguardedAccess a statistic":        "UnguardedAccess",
		"splitlock once":                     "splitlock",
		"split-lock,sync-mpa once":           "sync-mpa",
		"split-lock,start once":              "start",
		"lock-split once":                    "lock-split",
		"no-such":                            "no-such",
		"read-only after the start":          "",
		"lock-free, by design":               "",
		"directives are read once":           "",
		"split the lock later":               "",
		"statistic":                          "",
		"statistics,counters only":           "",
		"check-then-act,split-lock a reason": "",
	} {
		s, _, _ := read(t, "package p\nvar x int //mapguard:ignore "+text+"\n", opts)
		got := ""
		if len(s.problems) > 0 {
			got = s.problems[0].Message
		}
		switch {
		case wrong == "" && got != "":
			t.Errorf("%s: %s", text, got)
		case wrong != "" && !strings.HasPrefix(got, "mapguard:ignore names no category "+wrong+" "):
			t.Errorf("%s: %q, want the word %s", text, got, wrong)
		case wrong != "" && len(s.directives) > 0:
			t.Errorf("%s: it silences", text)
		}
	}
}

// No comment makes Read panic, and each directive has at most one problem.
func FuzzRead(f *testing.F) {
	for _, c := range []string{
		"//mapguard:ignore why", "//mapguard:", "//mapguard: ignore", "//mapguard:ignore\tsplit-lock,\twhy", "//lint:ignore [ x",
		"//lint:ignore", "//nolint:", "//nolint:,,mapguard", "//nolint // why", "/*mapguard:ignore*/", "//mapguard:ignore,", "//\r", "// mapguard:ignore x",
	} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, c string) {
		for _, src := range []string{c + "\npackage p", "package p\n" + c, "package p\nfunc f() {\n" + c + "\n}", "package p\nvar x int " + c + "\n"} {
			s, _, _ := read(t, src, Options{Categories: []string{"split-lock"}})
			if n := strings.Count(src, "//") + strings.Count(src, "\n"); len(s.Problems()) > n {
				t.Errorf("%d problems in %q", len(s.Problems()), src)
			}
		}
	})
}
