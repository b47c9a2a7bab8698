package driver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
)

// TestCompiles asks of files that are not written yet whether they would compile:
// also where a package that is not changed uses them.
func TestCompiles(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.26\n",
		"p.go":   "package m\n\nfunc F() int { return 1 }\n",
		"q.go":   "package m\n\nvar x = F()\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"package m\n\nfunc F() int { return 2 }\n", ""},
		{"package m\n\nfunc F() int { return unknown }\n", "undefined: unknown"},
		{"package m\n\nimport \"sync\"\n\nfunc F() int { return 1 }\n", "imported and not used"},
		{"package m\n\nfunc F() {}\n", "used as value"},
		{"package m\n\nfunc F() int { return 1 \n", "expected"},
	} {
		why, err := driver.Compiles(t.Context(), driver.Config{
			Dir: dir, Patterns: []string{"./..."}, Overlay: map[string][]byte{filepath.Join(dir, "p.go"): []byte(c.text)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && why != "" || !strings.Contains(why, c.want) {
			t.Errorf("%q, want %q in it, of\n%s", why, c.want, c.text)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "p.go")); string(got) != files["p.go"] {
		t.Errorf("the file is changed:\n%s", got)
	}
}
