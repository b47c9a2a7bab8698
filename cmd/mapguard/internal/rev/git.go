package rev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

var errMissing = errors.New("git is not installed or not in PATH, and -new-from-rev needs it")

// A command runs git in a directory.
type command struct {
	git, dir string
	env      []string
}

// inherited are variables that git sets for its hooks. They name the
// repository and the index of the command that runs the hook, and would win
// over the directory.
var inherited = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX"}

func newCommand(dir string) (command, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return command{}, errMissing
	}
	c := command{git: git, dir: dir}
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains(inherited, name) {
			c.env = append(c.env, kv)
		}
	}
	c.env = append(c.env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	return c, nil
}

// run returns the standard output. The error is git's first line.
func (c command) run(ctx context.Context, args ...string) (string, error) {
	// No hooks, no daemon, no part of the index in the repository.
	config := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.splitIndex=false"}
	cmd := exec.CommandContext(ctx, c.git, append(config, args...)...)
	cmd.Dir, cmd.Env = c.dir, append(c.env[:len(c.env):len(c.env)], "PWD="+c.dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
			return "", fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(line, "fatal: "))
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return stdout.String(), nil
}

// A repository is the one in which a directory lies.
type repository struct {
	command
	dir string // absolute
	top string // its top directory
}

func open(ctx context.Context, dir string) (*repository, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot find the directory %s: %w", dir, cause(err))
	}
	git, err := newCommand(abs)
	if err != nil {
		return nil, err
	}
	top, err := git.run(ctx, "rev-parse", "--show-toplevel")
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return nil, fmt.Errorf("%s is in no git repository, and -new-from-rev needs one; use -baseline instead", dir)
	case err != nil && strings.Contains(err.Error(), "dubious ownership"):
		return nil, fmt.Errorf("git refuses the repository of another user: git config --global --add safe.directory %s", abs)
	case err != nil:
		return nil, err
	}
	top, err = filepath.EvalSymlinks(filepath.FromSlash(strings.TrimSuffix(top, "\n")))
	if err != nil {
		return nil, err
	}
	return &repository{command: git, dir: abs, top: top}, nil
}

func cause(err error) error {
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// at returns git for another directory.
func (r *repository) at(dir string) command {
	c := r.command
	c.dir, c.env = dir, c.env[:len(c.env):len(c.env)]
	return c
}

// resolve returns the commit that a revision names.
func (r *repository) resolve(ctx context.Context, rev string) (string, error) {
	if strings.TrimSpace(rev) == "" {
		return "", errors.New("-new-from-rev names no revision: give a branch, a tag or a commit, such as origin/main")
	}
	if !strings.HasPrefix(rev, "-") { // git takes no such name, and an option for an option
		commit, err := r.run(ctx, "rev-parse", "--verify", rev+"^{commit}")
		if err == nil {
			return strings.TrimSpace(commit), nil
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	remedy := "git fetch gets it, if it exists elsewhere"
	if shallow, _ := r.run(ctx, "rev-parse", "--is-shallow-repository"); strings.TrimSpace(shallow) == "true" {
		remedy = "this clone is shallow: git fetch --unshallow, or fetch-depth: 0 for actions/checkout"
	}
	return "", fmt.Errorf("git knows no revision %q here; %s", rev, remedy)
}

// has reports whether a submodule is there and has a commit.
func (r *repository) has(ctx context.Context, dir, commit string) bool {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		return false // git would find the repository above
	}
	_, err := r.at(dir).run(ctx, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}
