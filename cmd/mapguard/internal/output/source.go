package output

import (
	"bytes"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// sources reads source files once and names them relative to a directory.
type sources struct {
	root   string
	prefix string // with forward slashes, before what is relative to root
	files  map[string]*source
}

// A source is one file that was read.
type source struct {
	data   []byte
	starts []int    // offset of each line
	hashes []string // made by lineHash
}

func newSources(root, prefix string) *sources {
	return &sources{root: root, prefix: strings.TrimSuffix(filepath.ToSlash(prefix), "/"), files: make(map[string]*source)}
}

// base returns the directory that the names are relative to, with forward
// slashes; nothing where a prefix makes that a directory elsewhere.
func (s *sources) base() string {
	root := filepath.ToSlash(s.root)
	if s.prefix == "" {
		return root
	}
	dir, ok := strings.CutSuffix(root, "/"+s.prefix)
	if !ok {
		return ""
	}
	return dir
}

func (s *sources) abs(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	return filepath.Join(s.root, file)
}

// rel returns the file's path under the root with forward slashes, or its
// absolute path if it is elsewhere. A position without a file has none.
func (s *sources) rel(file string) string {
	if file == "" {
		return ""
	}
	abs := s.abs(file)
	rel, err := filepath.Rel(s.root, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(abs)
	}
	return path.Join(s.prefix, filepath.ToSlash(rel))
}

// uri returns the percent-encoded reference to a file, and whether it is
// relative to the root.
func (s *sources) uri(file string) (ref string, relative bool) {
	name := s.rel(file)
	if filepath.IsAbs(filepath.FromSlash(name)) {
		return fileURI(name), false
	}
	// A colon in the first segment would read as a scheme.
	return strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A"), true
}

// fileURI returns the file URI of an absolute path with forward slashes.
func fileURI(path string) string {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// get returns the file, nil if it cannot be read.
func (s *sources) get(file string) *source {
	if file == "" {
		return nil
	}
	path := s.abs(file)
	src, ok := s.files[path]
	if !ok {
		src = read(path)
		s.files[path] = src
	}
	return src
}

func read(path string) *source {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // a pipe would block
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	src := &source{data: data, starts: []int{0}}
	for i, b := range data {
		if b == '\n' {
			src.starts = append(src.starts, i+1)
		}
	}
	return src
}

// lines returns the number of lines; an empty one after the last newline is
// none.
func (s *source) lines() int {
	n := len(s.starts)
	if s.starts[n-1] == len(s.data) {
		n--
	}
	return n
}

// line returns a line, from 1, without its end; nil if there is none. A line of
// no characters is not nil.
func (s *source) line(n int) []byte {
	if s == nil || n < 1 || n > len(s.starts) {
		return nil
	}
	end := len(s.data)
	if n < len(s.starts) {
		end = s.starts[n]
	}
	line := bytes.TrimSuffix(s.data[s.starts[n-1]:end], []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// position returns the line and column in bytes of an offset, from 1.
func (s *source) position(offset int) (line, column int) {
	line = sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > offset })
	return line, offset - s.starts[line-1] + 1
}

// column returns the column of a position in UTF-16 code units, from 1; 0 if
// it is not known because the line cannot be read. Positions count bytes.
func (s *sources) column(p finding.Position) int {
	line := s.get(p.File).line(p.Line)
	if line == nil || p.Column < 1 {
		return 0
	}
	before := line[:min(p.Column-1, len(line))]
	if p.Line == 1 {
		before = trimBOM(before)
	}
	return units(before) + 1
}

// trimBOM takes away a byte order mark, which is no part of the text.
func trimBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }

// units counts UTF-16 code units; a byte that is no UTF-8 counts as one.
func units(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += max(utf16.RuneLen(r), 1)
		text = text[size:]
	}
	return n
}
