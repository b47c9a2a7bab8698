// Package rev finds what is new since a git revision. It analyses the tree of
// that revision as well and compares findings, not lines: a finding on a line
// that was not touched is new when a change elsewhere caused it.
package rev

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
)

// New returns the current findings, those of the tree in which dir lies, that
// the tree of the revision does not have.
//
// analyse returns the findings of a directory; it is called with the directory
// that was dir at the revision, in a copy of the tree in a temporary place.
// It is not called when nothing can be gained by it: when there are no current
// findings, or when dir was in no module then. Package patterns that match
// nothing there are no error to New: analyse should find nothing for them.
//
// The repository is read and nothing in it changes: no work tree, no index, no
// reference. The copy is gone when New returns, also when ctx ends, which New
// does not outlive. So ctx should end on an interrupt.
//
// Errors are one line.
func New(ctx context.Context, dir, rev string, analyse func(dir string) ([]finding.Finding, error), current []finding.Finding) ([]finding.Finding, error) {
	repo, err := open(ctx, dir)
	if err != nil {
		return nil, err
	}
	commit, err := repo.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	if err := checkWorkspace(); err != nil {
		return nil, err
	}
	if len(current) == 0 {
		return nil, nil // nothing can be new
	}
	tmp, err := os.MkdirTemp("", "mapguard-rev-")
	if err != nil {
		return nil, fmt.Errorf("cannot copy the tree of %s: %w", rev, err)
	}
	defer os.RemoveAll(tmp)
	if p, err := filepath.EvalSymlinks(tmp); err == nil {
		tmp = p // the loader names files so
	}
	c := &copier{repo: repo, name: rev, tmp: tmp}
	if err := c.copy(ctx, commit); err != nil {
		return nil, err
	}
	old, ok := c.directory()
	if !ok {
		return current, nil // the module did not exist
	}
	back, err := keepTemporary(tmp)
	if err != nil {
		return nil, fmt.Errorf("cannot copy the tree of %s: %w", rev, err)
	}
	defer func() {
		if ctx.Err() == nil {
			back() // else what still runs must not begin others elsewhere
		}
	}()
	was, err := run(ctx, analyse, old)
	if err != nil {
		return nil, c.explain(ctx, err)
	}
	return baseline.Of(was, c.tree()).New(current, repo.top), nil
}

// keepTemporary lets the temporary files of the analysis, which nothing waits for
// when it is interrupted, go with the tree's; back undoes it.
func keepTemporary(tmp string) (back func(), err error) {
	dir := filepath.Join(tmp, ".mapguard-tmp") // not a package to the go command
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	before, set := os.LookupEnv("TMPDIR")
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return nil, err
	}
	return func() {
		if set {
			_ = os.Setenv("TMPDIR", before)
		} else {
			_ = os.Unsetenv("TMPDIR")
		}
	}, nil
}

// run calls analyse and does not wait for it when ctx ends.
func run(ctx context.Context, analyse func(string) ([]finding.Finding, error), dir string) ([]finding.Finding, error) {
	type result struct {
		findings []finding.Finding
		err      error
	}
	done := make(chan result, 1)
	go func() {
		findings, err := analyse(dir)
		done <- result{findings, err}
	}()
	select {
	case r := <-done:
		return r.findings, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// checkWorkspace refuses a go.work file that the environment names: it would
// lead the analysis of the copy back to the tree at hand.
func checkWorkspace() error {
	if w := os.Getenv("GOWORK"); w != "" && w != "off" {
		return fmt.Errorf("GOWORK is set to %s, which names one tree and not two: unset it, or compare with -baseline", w)
	}
	return nil
}

// A copier puts the tree of a revision into a temporary place. The tree at
// /home/x/repo gets to tmp/home/x/repo, so that what it needs from outside
// (../sibling) can be linked to where it is looked for.
type copier struct {
	repo *repository
	name string // the revision as the user wrote it
	tmp  string
	// missing are submodules that cannot be copied.
	missing []string
}

// inside returns the place in the copy of an absolute path.
func (c *copier) inside(path string) string {
	return filepath.Join(c.tmp, strings.TrimPrefix(path, filepath.VolumeName(path)))
}

func (c *copier) tree() string { return c.inside(c.repo.top) }

func (c *copier) copy(ctx context.Context, commit string) error {
	err := c.checkout(ctx, c.repo.top, commit)
	if err == nil {
		err = c.link()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("cannot copy the tree of %s: %w", c.name, err)
	}
	return nil
}

// checkout writes the tree of a commit of the repository at top, by an index
// of its own. git archive would leave out what .gitattributes marks for
// export, and git worktree would write into the repository.
func (c *copier) checkout(ctx context.Context, top, commit string) error {
	into := c.inside(top)
	if err := os.MkdirAll(into, 0o777); err != nil {
		return err
	}
	index, err := os.CreateTemp(c.tmp, "index-")
	if err != nil {
		return err
	}
	index.Close()
	os.Remove(index.Name()) // git wants none or a sound one
	git := c.repo.at(top)
	git.env = append(git.env, "GIT_INDEX_FILE="+index.Name())
	if _, err := git.run(ctx, "read-tree", commit); err != nil {
		return err
	}
	if _, err := git.run(ctx, "checkout-index", "--all", "--force", "--quiet", "--prefix="+filepath.ToSlash(into)+"/"); err != nil {
		return err
	}
	return c.submodules(ctx, git, top, commit)
}

// submodules writes those of the commit that are there in the tree at hand.
// One that is not may be of no matter to Go code; explain names it if the
// analysis fails.
func (c *copier) submodules(ctx context.Context, git command, top, commit string) error {
	list, err := git.run(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(list, "\x00") {
		meta, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if len(fields) != 3 || fields[0] != "160000" || !filepath.IsLocal(name) {
			continue
		}
		sub := filepath.Join(top, filepath.FromSlash(name))
		if !c.repo.has(ctx, sub, fields[2]) {
			c.missing = append(c.missing, name)
			continue
		}
		if err := c.checkout(ctx, sub, fields[2]); err != nil {
			return err
		}
	}
	return nil
}

// directory returns the place of dir in the copy, and whether it can be
// analysed there: it existed, and a module or workspace if it is in one now.
func (c *copier) directory() (string, bool) {
	dir := c.inside(c.repo.dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", false
	}
	return dir, inModule(dir, c.tmp) || !inModule(c.repo.dir, c.repo.top)
}

// inModule reports whether dir or a directory above it, up to and with top,
// has a go.mod or go.work.
func inModule(dir, top string) bool {
	for {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		if dir == top || dir == filepath.Dir(dir) {
			return false
		}
		dir = filepath.Dir(dir)
	}
}

// explain makes one line of what the analysis of the copy says, in git's
// words for its files, and says what can be done.
func (c *copier) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	text = strings.ReplaceAll(text, c.tree()+string(filepath.Separator), c.name+":")
	text = strings.ReplaceAll(text, c.tree(), c.name+":")
	if len(c.missing) > 0 {
		text += "; submodules are missing (git submodule update --init): " + strings.Join(c.missing, ", ")
	}
	return &loadError{err, fmt.Sprintf("the tree of %s cannot be analysed: %s; choose a revision that builds from what git holds, or compare with -baseline", c.name, text)}
}

type loadError struct {
	err  error
	text string
}

func (e *loadError) Error() string { return e.text }
func (e *loadError) Unwrap() error { return e.err }

// link links what the copy needs from outside the repository: a go.work above
// it, and what go.mod and go.work files name by relative paths.
func (c *copier) link() error {
	for _, name := range c.outerWorkspace() {
		c.linkTo(name)
	}
	return filepath.WalkDir(c.tree(), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules") && path != c.tree():
			return filepath.SkipDir
		case d.Name() == "go.mod" || d.Name() == "go.work":
			c.linkNeeds(path)
		}
		return nil
	})
}

// outerWorkspace returns the go.work that holds the repository from above,
// and what lies beside it, if there is one.
func (c *copier) outerWorkspace() []string {
	if os.Getenv("GOWORK") == "off" {
		return nil
	}
	for dir := filepath.Dir(c.repo.top); ; dir = filepath.Dir(dir) {
		work := filepath.Join(dir, "go.work")
		if _, err := os.Stat(work); err == nil {
			return []string{work, filepath.Join(dir, "go.work.sum")}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// linkTo makes the link of something outside of the repository. That it
// cannot be made shows when the copy is loaded, if it matters.
func (c *copier) linkTo(path string) {
	if within(path, c.repo.top) || within(c.repo.top, path) {
		return // copied, or a directory above
	}
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	link := c.inside(path)
	if os.MkdirAll(filepath.Dir(link), 0o777) != nil || os.Symlink(path, link) != nil {
		return // also when it is linked already, which ends the recursion
	}
	if info.IsDir() {
		link = filepath.Join(link, "go.mod")
	}
	c.linkNeeds(link)
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}
