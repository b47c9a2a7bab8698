package output

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
)

func file(t *testing.T, text string) (*sources, string) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "f.go")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return newSources(dir, ""), name
}

func TestColumn(t *testing.T) {
	s, name := file(t, "\uFEFFab\r\nü𝄞x\xffy\n")
	for _, c := range []struct{ line, column, want int }{
		{1, 4, 1}, {1, 5, 2}, {1, 1, 1}, {1, 99, 3},
		{2, 1, 1}, {2, 3, 2}, {2, 7, 4}, {2, 8, 5}, {2, 9, 6}, {2, 99, 7},
		{3, 1, 1}, {4, 1, 0}, {0, 1, 0}, {2, 0, 0},
	} {
		if got := s.column(finding.Position{File: name, Line: c.line, Column: c.column}); got != c.want {
			t.Errorf("%d:%d is column %d, want %d", c.line, c.column, got, c.want)
		}
	}
	if got := s.column(finding.Position{File: "gone.go", Line: 1, Column: 1}); got != 0 {
		t.Errorf("column %d in a file that is not there", got)
	}
}

func TestPaths(t *testing.T) {
	s := newSources("/a dir/root", "")
	for _, c := range []struct{ file, rel, uri string }{
		{"/a dir/root/a/b.go", "a/b.go", "a/b.go"},
		{"a/../b.go", "b.go", "b.go"},
		{"/a dir/root/a b/ü%.go", "a b/ü%.go", "a%20b/%C3%BC%25.go"},
		{"/a dir/root/a:b#?.go", "a:b#?.go", "a%3Ab%23%3F.go"},
		{"/a dir/root/..x/y.go", "..x/y.go", "..x/y.go"},
		{"/work dir/x.go", "/work dir/x.go", "file:///work%20dir/x.go"},
	} {
		if got := s.rel(c.file); got != c.rel {
			t.Errorf("%s is %s, want %s", c.file, got, c.rel)
		}
		if got, _ := s.uri(c.file); got != c.uri {
			t.Errorf("%s is %s, want %s", c.file, got, c.uri)
		}
	}
	if got := fileURI("C:/a b.go"); got != "file:///C:/a%20b.go" {
		t.Error(got)
	}
}

// TestLineHash compares with values that GitHub's upload action publishes for
// these texts.
func TestLineHash(t *testing.T) {
	greeting := []string{
		"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
		"b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
	}
	lines := " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n"
	var lorem []string
	for i := range 6 {
		lorem = append(lorem, fmt.Sprintf("a7f2ff13bc495cf2:%d", i+1))
	}
	lorem = append(lorem, "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1")
	for text, want := range map[string][]string{
		"":                                      {"c129715d7a2bc9a3:1"},
		" a\nb\n  \t\tc\n d":                    {"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"},
		lines:                                   greeting,
		strings.ReplaceAll(lines, "\n", "\r"):   greeting,
		strings.ReplaceAll(lines, "\n", "\r\n"): greeting,
		strings.Repeat("Lorem ipsum dolor sit amet.\n", 10): lorem,
	} {
		if got := lineHashes([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
