package rev_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/rev"
)

// A repo is a git repository made for a test.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T, files map[string]string) repo {
	t.Helper()
	// The user's configuration has no say, and no hook of the user's runs.
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("GOWORK", "")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return initRepo(t, filepath.Join(dir, "repo"), files)
}

func initRepo(t *testing.T, dir string, files map[string]string) repo {
	t.Helper()
	r := repo{t, dir}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r.write(files)
	r.git("init", "-q", "-b", "main")
	r.commit()
	return r
}

func (r repo) write(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		name = filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r repo) commit() string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "a change")
	return r.git("rev-parse", "HEAD")
}

func (r repo) git(args ...string) string {
	r.t.Helper()
	args = append([]string{"-c", "user.name=mapguard", "-c", "user.email=mapguard@example.org", "-c", "protocol.file.allow=always"}, args...)
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// state is all that git holds: every file below .git and its size and time.
func (r repo) state() []string {
	r.t.Helper()
	var out []string
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out = append(out, fmt.Sprintf("%s %d %s", path, info.Size(), info.ModTime()))
		}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// marks is an analysis that takes each line with BUG for a finding. USE on a
// line is one only as long as no file says LOCKED: a finding that depends on
// code elsewhere.
func marks(dir string) ([]finding.Finding, error) {
	var all, use []finding.Finding
	locked := false
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			it := finding.Finding{Category: "check-then-act", Package: filepath.Base(filepath.Dir(path)), Function: "F", Pos: finding.Position{File: path, Line: n}}
			switch text := lines.Text(); {
			case strings.Contains(text, "BUG"):
				all = append(all, it)
			case strings.Contains(text, "USE"):
				use = append(use, it)
			case strings.Contains(text, "LOCKED"):
				locked = true
			}
		}
		return lines.Err()
	})
	if !locked {
		all = append(all, use...)
	}
	return all, err
}

// fresh returns the new findings as "file:line".
func (r repo) fresh(dir, revision string) []string {
	r.t.Helper()
	out, err := r.try(dir, revision, marks)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r repo) try(dir, revision string, analyse func(string) ([]finding.Finding, error)) ([]string, error) {
	r.t.Helper()
	tmp := r.t.TempDir()
	r.t.Setenv("TMPDIR", tmp)
	dir = filepath.Join(r.dir, dir)
	current, err := marks(dir)
	if err != nil {
		r.t.Fatal(err)
	}
	before := r.state()
	got, err := rev.New(context.Background(), dir, revision, analyse, current)
	if after := r.state(); !slices.Equal(before, after) {
		r.t.Errorf("the repository changed from\n%s\nto\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		r.t.Errorf("left behind: %v", left)
	}
	var out []string
	for _, f := range got {
		rel, err := filepath.Rel(r.dir, f.Pos.File)
		if err != nil {
			r.t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), f.Pos.Line))
	}
	return out, err
}

func (r repo) want(dir, revision string, want ...string) {
	r.t.Helper()
	if got := r.fresh(dir, revision); !slices.Equal(got, want) {
		r.t.Errorf("new since %s: %v, want %v", revision, got, want)
	}
}

const mod = "module example.org/shop\n\ngo 1.26\n"

func TestNew(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a/a.go": "package a\n// BUG one\n// BUG two\n"})
	r.want(".", "HEAD")
	r.write(map[string]string{"a/a.go": "package a\n\n\n// BUG two\n// BUG three\n// BUG one\n// BUG one\n"})
	r.want(".", "HEAD", "a/a.go:5", "a/a.go:7")
	first := r.git("rev-parse", "HEAD")
	r.commit()
	r.want(".", "HEAD")
	r.git("tag", "-a", "-m", "a tag", "v1", first)
	for _, name := range []string{first, first[:10], "HEAD~1", "v1", "main~1"} {
		r.want(".", name, "a/a.go:5", "a/a.go:7")
	}
}

// The line of the finding is the same in both trees.
func TestUnchangedLineBad(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n// USE\n", "b.go": "package a\n// LOCKED\n"})
	r.write(map[string]string{"b.go": "package a\n"})
	r.want(".", "HEAD", "a.go:2")
}

func TestMovedOk(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a/a.go": "package a\n// BUG\n"})
	r.git("mv", "a", "b")
	r.git("mv", "b/a.go", "b/other.go")
	r.want(".", "HEAD")
}

func TestFilesNotCommitted(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, ".gitignore": "gen.go\n"})
	r.write(map[string]string{"new.go": "package a\n// BUG\n", "gen.go": "package a\n// BUG\n"})
	r.want(".", "HEAD", "gen.go:2", "new.go:2")
}

// What .gitattributes leaves out of archives is part of the tree.
func TestExportIgnoreOk(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, ".gitattributes": "vendor export-ignore\na.go export-subst\n",
		"vendor/v/v.go": "package v\n// BUG\n", "a.go": "package a\n// BUG $Format:%H$\n"})
	r.want(".", "HEAD")
}

func TestDirectory(t *testing.T) {
	r := newRepo(t, map[string]string{"README": "", "svc/go.mod": mod, "svc/a.go": "package a\n// BUG\n", "other/b.go": "package b\n"})
	r.write(map[string]string{"other/b.go": "package b\n// BUG\n", "svc/a.go": "package a\n// BUG\n// BUG 2\n"})
	seen := ""
	got, err := r.try("svc", "HEAD", func(dir string) ([]finding.Finding, error) {
		seen = dir
		return marks(dir)
	})
	if want := []string{"svc/a.go:3"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if filepath.Base(seen) != "svc" || strings.HasPrefix(seen, r.dir) {
		t.Errorf("analysed %s", seen)
	}
}

// A module that did not exist has no old findings, and nothing is analysed.
func TestNoModuleThen(t *testing.T) {
	r := newRepo(t, map[string]string{"README": "", "tools/x.go": "package x\n"})
	r.write(map[string]string{"svc/go.mod": mod, "svc/a.go": "package a\n// BUG\n", "tools/go.mod": mod, "tools/x.go": "package x\n// BUG\n"})
	for dir, want := range map[string]string{"svc": "svc/a.go:2", "tools": "tools/x.go:2"} {
		got, err := r.try(dir, "HEAD", func(string) ([]finding.Finding, error) { return nil, errors.New("called") })
		if err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, %v; want %s", dir, got, err, want)
		}
	}
}

func TestNothingCurrent(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n"})
	got, err := r.try(".", "HEAD", func(string) ([]finding.Finding, error) { return nil, errors.New("called") })
	if err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := r.try(".", "nowhere", marks); err == nil {
		t.Error("an unknown revision goes unnoticed when there are no findings")
	}
}

// git runs hooks with variables that name the repository and the index.
func TestInHookOk(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "sub/a.go": "package a\n// BUG\n"})
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "elsewhere"))
	}
	r.want("sub", "HEAD")
}

func TestWorktreeOk(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n// BUG\n"})
	other := filepath.Join(filepath.Dir(r.dir), "other")
	r.git("worktree", "add", "-q", "--detach", other)
	w := repo{t, other}
	w.write(map[string]string{"b.go": "package a\n// BUG 2\n"})
	w.want(".", "main", "b.go:2")
}

func TestSparseOk(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a/a.go": "package a\n// BUG\n", "b/b.go": "package b\n// LOCKED\n"})
	r.git("sparse-checkout", "set", "--cone", "--sparse-index", "a")
	seen := 0
	_, err := r.try(".", "HEAD", func(dir string) ([]finding.Finding, error) {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
		seen = len(files)
		return nil, err
	})
	if err != nil || seen != 2 {
		t.Errorf("%d files, %v", seen, err)
	}
}

// Settings that would make git write, or run something.
func TestRepositoryUntouched(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n// BUG\n"})
	hook := filepath.Join(r.dir, ".git", "hooks", "post-index-change")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho ran >>'"+r.dir+"/hook'\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	r.git("config", "core.splitIndex", "true")
	r.want(".", "HEAD") // compares all files before and after
}

func TestSubmodule(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n// BUG\n"})
	lib := initRepo(t, filepath.Join(filepath.Dir(r.dir), "lib"), map[string]string{"go.mod": mod, "l.go": "package l\n// BUG\n"})
	r.git("submodule", "--quiet", "add", lib.dir, "third/lib")
	r.commit()
	r.write(map[string]string{"third/lib/l.go": "package l\n// BUG\n// BUG 2\n"})
	r.want(".", "HEAD", "third/lib/l.go:3")

	// Not there, it is of no matter unless the analysis fails.
	r.git("submodule", "deinit", "-q", "-f", "third/lib")
	r.want(".", "HEAD")
	_, err := r.try(".", "HEAD", func(string) ([]finding.Finding, error) { return nil, errors.New("no package l") })
	if want := "no package l; submodules are missing (git submodule update --init): third/lib"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
}

// What go.mod and go.work name beside the repository is found from the copy.
func TestSurroundings(t *testing.T) {
	r := newRepo(t, map[string]string{
		"go.mod":     mod + "\nrequire example.org/lib v0.0.0\n\nreplace example.org/lib => ../lib\n",
		"a.go":       "package a\n\nimport \"example.org/lib\"\n\nvar _ = lib.X // BUG\n",
		"sub/go.mod": "module example.org/sub\n\ngo 1.26\n",
		"sub/s.go":   "package sub\n\nimport \"example.org/used\"\n\nvar _ = used.X\n",
	})
	beside := repo{t, filepath.Dir(r.dir)}
	beside.write(map[string]string{
		"lib/go.mod":   "module example.org/lib\n\ngo 1.26\n",
		"lib/lib.go":   "package lib\n\nconst X = 1\n",
		"used/go.mod":  "module example.org/used\n\ngo 1.26\n\nrequire example.org/deep v0.0.0\n\nreplace example.org/deep => ../deep\n",
		"used/used.go": "package used\n\nimport \"example.org/deep\"\n\nconst X = deep.X\n",
		"deep/go.mod":  "module example.org/deep\n\ngo 1.26\n",
		"deep/deep.go": "package deep\n\nconst X = 1\n",
	})
	vet := func(dir string) ([]finding.Finding, error) {
		cmd := exec.Command("go", "build", "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PWD="+dir, "GOFLAGS=", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		return marks(dir)
	}
	if got, err := r.try(".", "HEAD", vet); err != nil || len(got) > 0 {
		t.Errorf("replace: %v, %v", got, err)
	}
	beside.write(map[string]string{"go.work": "go 1.26\n\nuse (\n\t./repo\n\t./repo/sub\n\t./used\n)\n"})
	r.write(map[string]string{"sub/new.go": "package sub // BUG\n"})
	if got, err := r.try("sub", "HEAD", vet); err != nil || !slices.Equal(got, []string{"sub/new.go:1"}) {
		t.Errorf("go.work: %v, %v", got, err)
	}
}
