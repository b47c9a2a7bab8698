package text_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/text"
)

const dir = "/home/me/shop"

func at(file string, line, column int) finding.Position {
	return finding.Position{File: filepath.Join(dir, file), Line: line, Column: column}
}

var split = finding.Finding{
	Category: "split-lock", Confidence: "high", Evidence: "mu protects it, held at 2 of 3 accesses",
	Message: "check and act on c.m are in different critical sections", Pos: at("a/a.go", 2, 2),
	Related: []finding.Related{{Pos: at("a/a.go", 1, 1), Message: "looked up here"}},
	Trace: []finding.Step{
		{Goroutine: "A", Pos: at("a/a.go", 1, 1), Action: "c.m is looked up: absent", Source: "_, ok := c.m[k]", Locks: []string{"c.mu (read)"}},
		{Goroutine: "A", Pos: at("a/a.go", 12, 2), Action: "the entry of c.m is inserted", Source: "c.m[k] = v", Lost: true},
		{Goroutine: "B", Pos: at("a/a.go", 12, 2), Action: "the entry of c.m is inserted", Note: "overwrites A's"},
	},
	Fixes: []finding.Fix{{Message: "look again under the write lock"}},
}

func write(t *testing.T, opts text.Options, findings ...finding.Finding) string {
	t.Helper()
	var b strings.Builder
	opts.Dir = dir
	if err := text.Write(&b, findings, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPlain(t *testing.T) {
	const want = `a/a.go:2:2: split-lock: check and act on c.m are in different critical sections
	high confidence: mu protects it, held at 2 of 3 accesses
	a/a.go:1:1: looked up here
	fix (-fix, -diff): look again under the write lock
`
	if got := write(t, text.Options{}, split); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestVerbose(t *testing.T) {
	read := func(string) ([]byte, error) { return []byte("if !ok {\n\tc.m[k] = v\n}\n"), nil }
	const want = `	source:
	      1 | if !ok {
	      2 | 	c.m[k] = v
	        | 	^
	      3 | }
	two goroutines:
	  A  a/a.go:1   c.m is looked up: absent, under c.mu (read)
	                _, ok := c.m[k]
	  A  a/a.go:12  the entry of c.m is inserted (lost)
	                c.m[k] = v
	  B  a/a.go:12  the entry of c.m is inserted: overwrites A's
`
	got := write(t, text.Options{Verbose: true, ReadFile: read}, split)
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
}

// A position that the file does not have, and a file that is gone, cost the
// excerpt and nothing else.
func TestSourceGone(t *testing.T) {
	for name, read := range map[string]func(string) ([]byte, error){
		"short": func(string) ([]byte, error) { return []byte("x\n"), nil },
		"gone":  func(string) ([]byte, error) { return nil, errors.New("gone") },
		"none":  nil,
	} {
		got := write(t, text.Options{Verbose: true, ReadFile: read}, split)
		if strings.Contains(got, "source:") || !strings.Contains(got, "two goroutines:") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	far := split
	far.Pos.Line, far.Pos.Column = 1, 1000
	write(t, text.Options{Verbose: true, ReadFile: func(string) ([]byte, error) { return []byte("x\n"), nil }}, far)
}

func TestColor(t *testing.T) {
	got := write(t, text.Options{Color: true}, split)
	if !strings.HasPrefix(got, "\x1b[1ma/a.go:2:2\x1b[0m: \x1b[31msplit-lock\x1b[0m: ") {
		t.Errorf("%q", got)
	}
	if on, off := strings.Count(got, "\x1b["), strings.Count(got, "\x1b[0m"); on != 2*off {
		t.Errorf("a style is left on: %q", got)
	}
}

func TestPath(t *testing.T) {
	for file, want := range map[string]string{
		"/home/me/shop/a.go":   "a.go",
		"/home/me/other/a.go":  "../other/a.go",
		"/usr/lib/go/src/x.go": "/usr/lib/go/src/x.go",
	} {
		if got := filepath.ToSlash(text.Path(dir, filepath.FromSlash(file))); got != want {
			t.Errorf("Path(%s) = %s, want %s", file, got, want)
		}
	}
}
