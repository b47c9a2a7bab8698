// Package baseline tells known findings from new ones. A finding is known by
// what it is about, never by its line number: the fingerprint says the same
// after code above it came or went.
package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// An identity is what a finding is known by. It is comparable: two findings
// with the same identity are told apart by their number only.
type identity struct {
	Package  string
	File     string // slash-separated, relative to the root
	Category string
	Location string
	Function string
	Source   string // the source line, runs of white space made one blank
}

// Fingerprint names a finding in a way that survives line shifts: a hash of
// its package, the path of its file relative to root, its category, map and
// function, and the text of its source line. The line is read from the file;
// if that cannot be had, the trace may know it.
func Fingerprint(f finding.Finding, root string) string { return Fingerprints(root)(f) }

// Fingerprints returns [Fingerprint] for many findings: it reads each source
// file once. It is not safe for concurrent use.
func Fingerprints(root string) func(finding.Finding) string {
	r := newReader(root)
	return func(f finding.Finding) string { return r.identify(f).fingerprint() }
}

// fingerprint hashes the parts. Each ends in a zero byte, which no path and no
// Go source has, so that text cannot move from one part to the next unseen.
func (id identity) fingerprint() string {
	h := sha256.New()
	for _, part := range []string{id.Package, id.File, id.Category, id.Location, id.Function, id.Source} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// moved returns the identity without what changes when a file is renamed, a
// function goes to another file, or a package to another directory: the
// path alone first, then the package too.
func (id identity) moved(pass int) identity {
	if pass >= 1 {
		id.File = ""
	}
	if pass >= 2 {
		id.Package = ""
	}
	return id
}

// passes is the number of ways to compare: exact, without the path, without
// path and package.
const passes = 3

// A reader makes identities and reads each source file once.
type reader struct {
	root, realRoot string
	files          map[string][]string
}

func newReader(root string) *reader {
	r := &reader{root: root, files: make(map[string][]string)}
	if abs, err := filepath.Abs(root); err == nil {
		r.root = abs
	}
	r.realRoot = r.root
	if p, err := filepath.EvalSymlinks(r.root); err == nil {
		r.realRoot = p
	}
	return r
}

func (r *reader) identify(f finding.Finding) identity {
	return identity{
		Package:  valid(f.Package),
		File:     valid(r.relative(f.Pos.File)),
		Category: valid(f.Category),
		Location: valid(f.Location),
		Function: valid(f.Function),
		Source:   valid(strings.Join(strings.Fields(r.line(f)), " ")), // gofmt moves comments about
	}
}

// valid makes text what it will be after a round trip through JSON.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// relative returns a file's path below the root. Drivers differ in whether
// they resolve symbolic links, so both names of both are tried.
func (r *reader) relative(file string) string {
	if file == "" {
		return ""
	}
	file = r.absolute(file)
	rel, err := filepath.Rel(r.root, file)
	if err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	real := file
	if p, err := filepath.EvalSymlinks(file); err == nil {
		real = p
	}
	if p, err := filepath.Rel(r.realRoot, real); err == nil && filepath.IsLocal(p) {
		return filepath.ToSlash(p)
	}
	if err != nil {
		return filepath.ToSlash(file) // another volume
	}
	return filepath.ToSlash(rel)
}

func (r *reader) absolute(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(r.root, file)
}

// line returns the text of the line on which the finding stands, empty if
// it is unknown.
func (r *reader) line(f finding.Finding) string {
	lines := r.lines(f.Pos.File)
	if n := f.Pos.Line; n >= 1 && n <= len(lines) {
		return lines[n-1]
	}
	for _, s := range f.Trace {
		if s.Pos.Line == f.Pos.Line && s.Pos.File == f.Pos.File {
			return s.Source
		}
	}
	return ""
}

func (r *reader) lines(file string) []string {
	if file == "" {
		return nil
	}
	file = r.absolute(file)
	lines, ok := r.files[file]
	if !ok {
		if _, err := stat(file); err == nil {
			if text, err := os.ReadFile(file); err == nil {
				lines = strings.Split(string(text), "\n")
			}
		}
		r.files[file] = lines
	}
	return lines
}
