package fixes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHunks compares where hunks begin with what diff -u says: two edits in one hunk, and hunks behind it.
func TestHunks(t *testing.T) {
	diff, err := exec.LookPath("diff")
	if err != nil {
		t.Skip("no diff here")
	}
	var old []string
	for i := range 80 {
		old = append(old, fmt.Sprintf("line %d\n", i))
	}
	edited := make(map[int]string)
	for i, s := range old {
		edited[i] = s
	}
	edited[5] += "one\n"
	edited[8] += "two\n"
	edited[30] = ""
	edited[50] = "three\nfour\nfive\n"
	edited[70] += "six\n"
	text := ""
	for i := range old {
		text += edited[i]
	}
	for _, c := range []struct{ old, new string }{
		{strings.Join(old, ""), text},
		{text, strings.Join(old, "")},
		{"a\n", "a\nb\n"},
		{"a\nb\n", "b\n"},
	} {
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		for name, s := range map[string]string{a: c.old, b: c.new} {
			if err := os.WriteFile(name, []byte(s), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := exec.Command(diff, "-u", a, b).Output()
		var got strings.Builder
		p := &Plan{Files: []File{{Name: "f", Old: []byte(c.old), New: []byte(c.new)}}}
		if err := p.Diff(&got, func(name string) string { return name }); err != nil {
			t.Fatal(err)
		}
		heads := regexp.MustCompile(`(?m)^@@.*@@`)
		if g, w := heads.FindAllString(got.String(), -1), heads.FindAllString(string(want), -1); fmt.Sprint(g) != fmt.Sprint(w) {
			t.Errorf("%v, want %v", g, w)
		}
	}
}
