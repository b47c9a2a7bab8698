package fixes

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"
)

// Diff writes the plan as a unified diff, as git apply and patch -p1 take it;
// rel gives the name of a file in it.
func (p *Plan) Diff(w io.Writer, rel func(name string) string) error {
	for _, f := range p.Files {
		name := filepath.ToSlash(rel(f.Name))
		diff := udiff.Unified("a/"+name, "b/"+name, string(f.Old), string(f.New))
		if _, err := io.WriteString(w, renumbered(diff)); err != nil {
			return err
		}
	}
	return nil
}

// Write changes the files. All are written beside the old ones first, so that
// an error before the last step leaves everything as it was; then each takes
// its place at once, with the old permissions. Where a name is a link, the file
// that it leads to changes.
func (p *Plan) Write() error {
	type move struct{ from, to string }
	var moves []move
	var err error
	for _, f := range p.Files {
		var m move
		if m.to, err = filepath.EvalSymlinks(f.Name); err != nil {
			break
		}
		if m.from, err = beside(m.to, f.New); err != nil {
			break
		}
		moves = append(moves, m)
	}
	for _, m := range moves {
		if err != nil {
			os.Remove(m.from)
			continue
		}
		if err = os.Rename(m.from, m.to); err != nil {
			os.Remove(m.from)
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write a fix: %w", err)
	}
	return nil
}

// beside writes text to a new file in the directory of name, with the
// permissions of name, and returns its name.
func beside(name string, text []byte) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	// A rename does not ask whether the old file may be written.
	old, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	old.Close()
	tmp, err := os.CreateTemp(filepath.Dir(name), ".mapguard-*")
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Close())
	if err != nil {
		os.Remove(tmp.Name())
		return "", err
	}
	return tmp.Name(), nil
}
