package rev_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/rev"
)

// says checks an error for one line that has the texts.
func says(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v\ndoes not say %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than a line:\n%v", err)
	}
}

func TestUnknownRevision(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n// BUG\n"})
	for _, name := range []string{"nowhere", "HEAD:a.go", "HEAD^7", "--all", "-h", "a b", strings.Repeat("0", 40)} {
		_, err := r.try(".", name, marks)
		says(t, err, "git knows no revision", name, "git fetch gets it")
	}
	for _, name := range []string{"", " "} {
		_, err := r.try(".", name, marks)
		says(t, err, "names no revision", "origin/main")
	}
	shallow := repo{t, filepath.Join(filepath.Dir(r.dir), "shallow")}
	first := r.git("rev-parse", "HEAD")
	r.commit()
	r.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(r.dir), shallow.dir)
	_, err := shallow.try(".", first, marks)
	says(t, err, first, "this clone is shallow: git fetch --unshallow")
}

func TestNoRepository(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	_, err := rev.New(context.Background(), dir, "HEAD", marks, nil)
	says(t, err, dir+" is in no git repository", "-baseline")
	_, err = rev.New(context.Background(), filepath.Join(dir, "nowhere"), "HEAD", marks, nil)
	says(t, err, "cannot find the directory "+filepath.Join(dir, "nowhere"))

	t.Setenv("PATH", t.TempDir())
	_, err = rev.New(context.Background(), dir, "HEAD", marks, nil)
	says(t, err, "git is not installed or not in PATH")
}

func TestEmptyRepository(t *testing.T) {
	r := newRepo(t, nil)
	empty := repo{t, filepath.Join(filepath.Dir(r.dir), "empty")}
	empty.write(map[string]string{"a.go": "package a\n// BUG\n"})
	empty.git("init", "-q")
	_, err := empty.try(".", "HEAD", marks)
	says(t, err, `git knows no revision "HEAD"`)

	bare := repo{t, filepath.Join(filepath.Dir(r.dir), "bare")}
	r.git("clone", "-q", "--bare", r.dir, bare.dir)
	_, err = bare.try(".", "HEAD", marks)
	says(t, err, "must be run in a work tree")
}

func TestDoesNotLoad(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a/a.go": "package a\n// BUG\n"})
	broken := errors.New("broken")
	_, err := r.try(".", "main", func(dir string) ([]finding.Finding, error) {
		return nil, errors.Join(&fs.PathError{Op: "load", Path: filepath.Join(dir, "a", "a.go") + ":2:1", Err: broken}, errors.New("and more"))
	})
	says(t, err, "the tree of main cannot be analysed: load main:"+filepath.Join("a", "a.go")+":2:1: broken; choose a revision that builds")
	if !errors.Is(err, broken) {
		t.Errorf("%v does not wrap the error of the analysis", err)
	}
}

func TestWorkspaceOfEnvironment(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "go.work": "go 1.26\n\nuse .\n", "a.go": "package a\n// BUG\n"})
	t.Setenv("GOWORK", filepath.Join(r.dir, "go.work"))
	_, err := r.try(".", "HEAD", marks)
	says(t, err, "GOWORK is set to "+filepath.Join(r.dir, "go.work"), "unset it")
	t.Setenv("GOWORK", "off")
	r.want(".", "HEAD")
}

// An interrupt ends the analysis of the copy and leaves nothing behind.
func TestInterrupt(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "a.go": "package a\n// BUG\n"})
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	current, err := marks(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	block := make(chan struct{})
	defer close(block)
	done := make(chan error, 1)
	go func() {
		_, err := rev.New(ctx, r.dir, "HEAD", func(dir string) ([]finding.Finding, error) {
			if _, err := os.Stat(filepath.Join(dir, "a.go")); err != nil {
				t.Error(err)
			}
			cancel()
			<-block
			return nil, nil
		}, current)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("still running")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	// Before it starts, too.
	if _, err := rev.New(ctx, r.dir, "HEAD", marks, current); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
