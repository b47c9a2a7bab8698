package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// version is the version of the file's format, and of what a fingerprint is
// made of.
const version = 1

// A file is a baseline as it is written: the hash first, so that a change made
// by hand shows, and beside it the parts for people who read a diff. There are
// no line numbers and no messages in it, for they change with unrelated code.
type file struct {
	Version  int     `json:"version"`
	Findings []entry `json:"findings"`
}

type entry struct {
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count,omitempty"` // 1 is not written
	File        string `json:"file"`
	Category    string `json:"category"`
	Location    string `json:"location"`
	Function    string `json:"function"`
	Package     string `json:"package"`
	Source      string `json:"source"`
}

func (e entry) identity() identity {
	return identity{e.Package, e.File, e.Category, e.Location, e.Function, e.Source}
}

// Read reads a baseline. The error is one line that names the file, what is
// wrong with it and how to repair it; the file is left alone.
func Read(path string) (*Baseline, error) {
	switch _, err := stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("baseline %s does not exist; write it with: %s", path, howToWrite(path))
	case errors.Is(err, errIrregular):
		return nil, fmt.Errorf("baseline %s is %w", path, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the baseline: %w", err)
	}
	b, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("baseline %s is damaged: %w; restore it, or delete it and write it again with: %s", path, err, howToWrite(path))
	}
	return b, nil
}

var errIrregular = errors.New("not a regular file")

// stat is os.Stat for regular files alone: to open a pipe would wait for the one at
// its other end.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	return info, err
}

func howToWrite(path string) string {
	if strings.ContainsAny(path, " \t'\"$\\") {
		path = strconv.Quote(path)
	}
	return "mapguard -write-baseline -baseline " + path + " ./..."
}

func parse(text []byte) (*Baseline, error) {
	// The version comes first: what a later version added is no damage.
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, explain(text, err)
	}
	switch {
	case head.Version == nil:
		return nil, errors.New("it has no version")
	case *head.Version != version:
		return nil, fmt.Errorf("it has version %d, and this mapguard reads version %d", *head.Version, version)
	}
	var f file
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, explain(text, err)
	}
	if f.Findings == nil {
		return nil, errors.New("it has no list of findings")
	}
	return fromEntries(f.Findings)
}

func fromEntries(entries []entry) (*Baseline, error) {
	b := &Baseline{count: make(map[identity]int, len(entries))}
	for i, e := range entries {
		id := e.identity()
		switch {
		case e.Fingerprint != id.fingerprint():
			return nil, fmt.Errorf("the fingerprint of entry %d (%q) is not that of its parts", i+1, e.File)
		case e.Count < 0:
			return nil, fmt.Errorf("entry %d (%q) has the count %d", i+1, e.File, e.Count)
		case b.count[id] > 0:
			return nil, fmt.Errorf("entry %d (%q) is there twice", i+1, e.File)
		}
		b.count[id] = max(e.Count, 1)
	}
	return b, nil
}

// explain adds the line to an error of the decoder, and keeps it on one line.
func explain(text []byte, err error) error {
	offset := int64(-1)
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		offset = e.Offset
	} else if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		offset = e.Offset
	}
	msg := strings.TrimPrefix(err.Error(), "json: ")
	if offset < 0 || offset > int64(len(text)) {
		return errors.New(msg)
	}
	return fmt.Errorf("line %d: %s", 1+bytes.Count(text[:offset], []byte("\n")), msg)
}

// A Scope says what a run has looked at: the entries of a baseline that lie in
// it are replaced, all others are kept.
type Scope struct {
	// Packages are the paths of those that were analysed.
	Packages []string
	// Categories are those that were asked for.
	Categories []string
	// Tests says that test files were analysed too.
	Tests bool
	// Gone reports whether the run would have analysed a package, by its path
	// and its directory relative to the root, if it were still there.
	Gone func(pkg, dir string) bool
}

func (s *Scope) holds(id identity) bool {
	if !slices.Contains(s.Categories, id.Category) || !s.Tests && strings.HasSuffix(id.File, "_test.go") {
		return false
	}
	return slices.Contains(s.Packages, id.Package) || s.Gone(id.Package, path.Dir(id.File))
}

// Write writes the findings, whose files lie below root, as a baseline: sorted,
// one a line. Entries of a baseline that is there are kept when they are out of
// scope; kept counts their findings. The file is written beside and renamed, so
// that it is there whole or as it was.
func Write(path string, findings []finding.Finding, root string, scope Scope) (kept int, err error) {
	b := Of(findings, root)
	if info, err := stat(path); err == nil && info.Size() > 0 {
		old, err := Read(path)
		if err != nil {
			return 0, err
		}
		for id, n := range old.count {
			if !scope.holds(id) {
				b.count[id] += n
				kept += n
			}
		}
	}
	text, err := b.encode()
	if err == nil {
		err = replace(path, text)
	}
	if err != nil {
		return 0, fmt.Errorf("cannot write the baseline %s: %w", path, cause(err))
	}
	return kept, nil
}

// encode sorts by what people read first, then by the rest.
func (b *Baseline) encode() ([]byte, error) {
	entries := make([]entry, 0, len(b.count))
	for id, n := range b.count {
		e := entry{id.fingerprint(), n, id.File, id.Category, id.Location, id.Function, id.Package, id.Source}
		if n == 1 {
			e.Count = 0
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Location, b.Location),
			cmp.Compare(a.Source, b.Source),
			cmp.Compare(a.Package, b.Package),
		)
	})
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n\"version\": %d,\n\"findings\": [", version)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // <- and && stay readable
	for i, e := range entries {
		if i > 0 {
			out.Truncate(out.Len() - 1) // the line feed of the encoder
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
	}
	out.WriteString("]\n}\n")
	return out.Bytes(), nil
}

// cause leaves out the name of the file that is written beside.
func cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// maxLinks bounds the links that are followed, of which some may form a circle.
const maxLinks = 40

// destination is the file that a symbolic link names, directly or by way of
// others. It need not exist: filepath.EvalSymlinks fails then.
func destination(path string) string {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			break // no link
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return path
}

// replace writes a file beside path and renames it. The usual package for
// this does not build on Windows. A file that exists keeps its permissions, a
// new one gets those of the umask; a symbolic link stays one.
func replace(path string, text []byte) (err error) {
	if path == "" {
		return errors.New("no file is named")
	}
	path = destination(path)
	old, err := stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	beside := fmt.Sprintf("%s.%x.tmp", path, rand.Uint64()) // os.CreateTemp passes the umask over
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(beside)
		}
	}()
	if _, err = f.Write(text); err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync() // else the name may reach the disk before the text
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(beside, path)
}
