package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var categories = []string{"split-lock", "sync-map"}

func TestParse(t *testing.T) {
	f, err := parse("/m/.mapguard.yaml", []byte(`# all keys
confidence: high
tests: true
only: [split-lock]
skip:
  - sync-map
exclude:
  - path: internal/legacy
    reason: &r to be replaced
  - package: example.org/m/gen/...
    categories: [sync-map]
    reason: *r
test-helpers: [internal/testutil]
functions:
  lock: [example.org/lock.Mutex.Acquire]
  unlock: ["(*example.org/lock.Mutex).Release"]
  spawn: [example.org/pool.Go]
concurrent-maps: [example.org/cmap.Map]
guards:
  - {map: example.org/m.Cache.engines, by: mu}
`), categories)
	if err != nil {
		t.Fatal(err)
	}
	if f.Confidence != "high" || !*f.Tests || len(f.Exclude) != 2 || f.Exclude[1].Reason != "to be replaced" || f.Functions.Spawn[0] != "example.org/pool.Go" || f.Guards[0].By != "mu" || f.Guards[0].Line != 20 {
		t.Errorf("%+v", f)
	}
}

// Each error is one line, with its place and what is allowed.
func TestParseWrong(t *testing.T) {
	for text, want := range map[string]string{
		"confidense: high":          `:1: unknown key "confidense": the keys are confidence, tests, only, skip, exclude, test-helpers, application, functions, concurrent-maps, guards`,
		"\nconfidence: hihg":        `:2: confidence: "hihg" must be one of low, medium, high`,
		"confidence: [low]":         `:1: confidence: a list must be one of low, medium, high`,
		"tests: 1":                  `:1: tests: "1" must be true or false`,
		"tests: \"true\"":           `:1: tests: "true" must be true or false`,
		"tests: true\ntests: false": `:2: the key tests is given twice`,
		"skip: split-lock":          `:1: skip: "split-lock" must be a list`,
		"skip:\n- split-luck":       `:2: skip: "split-luck" must be one of split-lock, sync-map`,
		"- a":                       `:1: a list: keys with values are wanted here: confidence,`,
		"exclude:\n- path: a":       `:2: exclude: a reason is required`,
		"exclude:\n- reason: r":     `:2: exclude: each entry has a path or a package, and not both`,
		"exclude:\n- {path: a, package: b, reason: r}": `:2: exclude: each entry has a path or a package, and not both`,
		"exclude:\n- {path: ../a, reason: r}":          `:2: path: "../a" must be a path below the directory of this file, with forward slashes`,
		"exclude:\n- {path: 'a[', reason: r}":          `:2: path: "a[": syntax error in pattern`,
		"exclude:\n- {path: , reason: r}":              `:2: path: nothing must be a text that is not empty`,
		"functions:\n  locks: []":                      `:2: unknown key "locks": the keys are lock, unlock, rlock, runlock, trylock, tryrlock, spawn, register, run, once`,
		"functions:\n  lock: [Acquire]":                `:2: lock: "Acquire" must be a full name, such as example.org/pool.Pool.Go`,
		"guards:\n- map: example.org/m.v":              `:2: guards: each entry has map, the full name of a field or variable, and by, its lock`,
		"a: b: c":                                      `:1: not YAML: mapping values are not allowed in this context`,
		"confidence: high\nconfidence:\n\t- low\n":     `:3: not YAML: found character that cannot start any token`,
	} {
		_, err := parse("f", []byte(text), categories)
		if err == nil || !strings.HasPrefix(err.Error(), "f"+want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\n got %v\nwant f%s", text, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"repo/.git", "repo/a/b", "repo/c"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string) string {
		name = filepath.Join(top, name, Name)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	outside := write(".")
	if got := Find(filepath.Join(top, "repo", "a")); got != "" {
		t.Errorf("%s holds for another repository", got)
	}
	if got := Find(top); got != outside {
		t.Errorf("%q, want %s", got, outside)
	}
	inA := write("repo/a")
	root := write("repo")
	for dir, want := range map[string]string{"repo/a/b": inA, "repo/a": inA, "repo/c": root, "repo/not/there": root} {
		if got := Find(filepath.Join(top, dir)); got != want {
			t.Errorf("%s: %q, want %s", dir, got, want)
		}
	}
	if _, err := Read(filepath.Join(top, "nowhere"), nil); !errors.As(err, new(*Error)) {
		t.Errorf("%v", err)
	}
}

func TestMatch(t *testing.T) {
	f := &File{Path: "/m/.mapguard.yaml"}
	for _, tt := range []struct {
		pattern, file string
		want          bool
	}{
		{"internal/legacy", "/m/internal/legacy/a.go", true},
		{"internal/legacy", "/m/internal/legacy/b/a.go", true},
		{"internal/legacy/", "/m/internal/legacy/a.go", true},
		{"./internal", "/m/internal/legacy/a.go", true},
		{"internal/leg", "/m/internal/legacy/a.go", false},
		{"internal/legacy/a.go", "/m/internal/legacy/a.go", true},
		{"internal/*/a.go", "/m/internal/legacy/a.go", true},
		{"**/a.go", "/m/internal/legacy/a.go", true},
		{"**/a.go", "/m/a.go", true},
		{"internal/**/a_*.go", "/m/internal/x/y/a_b.go", true},
		{"internal/**/a_*.go", "/m/internal/x/y/b.go", false},
		{".", "/m/a.go", true},
		{"a.go", "/n/a.go", false},
	} {
		if got := f.inPath(tt.pattern, filepath.FromSlash(tt.file)); got != tt.want {
			t.Errorf("%s matches %s: %v", tt.pattern, tt.file, got)
		}
	}
	for _, tt := range []struct {
		pattern, pkg string
		want         bool
	}{
		{"example.org/m", "example.org/m", true}, {"example.org/m", "example.org/m/a", false},
		{"example.org/m/...", "example.org/m/a/b", true}, {"example.org/m/...", "example.org/m", true}, {"example.org/m/...", "example.org/mm", false},
	} {
		if got := inPattern(tt.pattern, tt.pkg); got != tt.want {
			t.Errorf("%s matches %s: %v", tt.pattern, tt.pkg, got)
		}
	}
}

// No text makes it panic, and each error is one line.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "a: &a [*a]", "guards: [{map: a.b}]", "? [a]: b", "exclude: [*x]", "<<: {a: b}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parse("f", []byte(text), categories); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}
