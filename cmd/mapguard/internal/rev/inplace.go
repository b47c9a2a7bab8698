package rev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An InPlace lets the old tree be analysed as if it stood where the tree at
// hand stands. To the go command a package in another directory is another
// package: in the copy it compiles all of them, in place those that changed.
type InPlace struct {
	// Dir is the directory to analyse, without symbolic links.
	Dir string
	// Files are what files of the tree at hand have to be read as.
	Files map[string][]byte

	top, tmp, copy string
}

// errApart says that the two trees differ in a way that contents of files
// cannot tell.
var errApart = errors.New("the old tree can only be analysed in its copy")

// absent is what a Go file is read as that the old tree does not have: no build
// takes it.
const absent = "//go:build go1.1 && !go1.1\n\npackage absent\n"

// Overlay compares the tree in which dir lies with its copy, in which dir is
// old, as [New] gives it to its analyse. On an error the copy is what can be
// analysed.
func Overlay(ctx context.Context, dir, old string) (*InPlace, error) {
	repo, err := open(ctx, dir)
	if err != nil {
		return nil, err
	}
	tmp, ok := strings.CutSuffix(old, strings.TrimPrefix(repo.dir, filepath.VolumeName(repo.dir)))
	if !ok {
		return nil, fmt.Errorf("%s is no copy of %s", old, repo.dir)
	}
	c := &copier{repo: repo, tmp: tmp}
	p := &InPlace{Dir: repo.dir, Files: make(map[string][]byte), top: repo.top, tmp: tmp, copy: c.tree()}
	if err := p.replace(ctx); err != nil {
		return nil, err
	}
	return p, p.remove(ctx)
}

// Old returns the place in the copy of a file.
func (p *InPlace) Old(file string) string {
	if rel, err := filepath.Rel(p.top, file); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(p.copy, rel)
	}
	return file
}

// replace reads the files of the old tree that are others now, or gone.
func (p *InPlace) replace(ctx context.Context) error {
	return p.walk(ctx, p.copy, func(rel string) error {
		old, err := os.ReadFile(filepath.Join(p.copy, rel))
		if err != nil {
			return nil // a link to what is no file
		}
		file := filepath.Join(p.top, rel)
		now, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(old, now) || slices.Contains(written, filepath.Base(rel)) {
			p.Files[file] = old
		}
		return nil
	})
}

// remove hides the files that the old tree does not have. What steers the go
// command or another compiler cannot be hidden.
func (p *InPlace) remove(ctx context.Context) error {
	return p.walk(ctx, p.top, func(rel string) error {
		if _, err := os.Lstat(filepath.Join(p.copy, rel)); err == nil {
			return nil
		}
		switch {
		case filepath.Ext(rel) == ".go":
			p.Files[filepath.Join(p.top, rel)] = []byte(absent)
		case slices.Contains(steering, filepath.Base(rel)), slices.Contains(compiled, filepath.Ext(rel)):
			return errApart
		}
		return nil
	})
}

// written are the files that the go command brings up to date with -mod=mod: it
// changes none that it is told to read as something else.
var written = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// steering are the files whose mere being there counts, and compiled the
// endings that go build looks for beside .go.
var (
	steering = []string{"go.mod", "go.work", "modules.txt"}
	compiled = strings.Fields(".c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso")
)

// walk calls f for each file below root.
func (p *InPlace) walk(ctx context.Context, root string, f func(rel string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case path == p.tmp: // temporary files are kept within the tree
			return filepath.SkipDir
		case d.Name() == ".git" || d.Name() == "node_modules":
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir() || d.Type()&^fs.ModeSymlink != 0:
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return f(rel)
	})
}
