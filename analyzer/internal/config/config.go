// Package config reads .mapguard.yaml: the settings of a module or a part of
// it, the same for every driver.
//
// The file is looked for in the directory of a package and those above it, up
// to the root of the repository. It is read strictly: a key that nothing reads
// would leave a gate open that is believed closed.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Name is the file's name.
const Name = ".mapguard.yaml"

// A File is what a configuration file says.
type File struct {
	// Path is the file's absolute name, empty for a file that says nothing.
	Path       string      `yaml:"-"`
	Confidence string      `yaml:"confidence,omitempty"`
	Tests      *bool       `yaml:"tests,omitempty"`
	Only       []string    `yaml:"only,omitempty"`
	Skip       []string    `yaml:"skip,omitempty"`
	Exclude    []Exclusion `yaml:"exclude,omitempty"`
	// TestHelpers are paths, as in an exclusion, whose code serves tests alone.
	TestHelpers []string `yaml:"test-helpers,omitempty"`
	// Application: no other module imports packages of this one.
	Application bool      `yaml:"application,omitempty"`
	Functions   Functions `yaml:"functions,omitempty"`
	// ConcurrentMaps are types, by their full names.
	ConcurrentMaps []string `yaml:"concurrent-maps,omitempty"`
	Guards         []Guard  `yaml:"guards,omitempty"`
}

// An Exclusion leaves findings out: those in the files of a path, or in the
// packages of a pattern, of some categories or of all.
type Exclusion struct {
	Path       string   `yaml:"path,omitempty"`
	Package    string   `yaml:"package,omitempty"`
	Categories []string `yaml:"categories,omitempty"`
	Reason     string   `yaml:"reason"`
}

// Functions are functions that the analysis cannot look into, or should not, by
// their full names and by what they do.
type Functions struct {
	Lock     []string `yaml:"lock,omitempty"`
	Unlock   []string `yaml:"unlock,omitempty"`
	RLock    []string `yaml:"rlock,omitempty"`
	RUnlock  []string `yaml:"runlock,omitempty"`
	TryLock  []string `yaml:"trylock,omitempty"`
	TryRLock []string `yaml:"tryrlock,omitempty"`
	// Spawn runs its function argument in another goroutine, Register keeps it
	// and calls it from several, Run calls it before it returns, Once calls it
	// once.
	Spawn    []string `yaml:"spawn,omitempty"`
	Register []string `yaml:"register,omitempty"`
	Run      []string `yaml:"run,omitempty"`
	Once     []string `yaml:"once,omitempty"`
}

// A Guard says which lock protects a map.
type Guard struct {
	// Map is path.Type.field or path.variable.
	Map string `yaml:"map"`
	// By is a field of the same struct, or path.variable.
	By   string `yaml:"by"`
	Line int    `yaml:"-"`
}

// An Error is what is wrong with a configuration file.
type Error struct {
	File    string
	Line    int // 0 where it is the file as a whole
	Message string
}

// Error returns the place and the message on one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Find returns the name of the file that holds for a directory, nothing if
// there is none. It looks no further up than the root of the repository.
func Find(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		name := filepath.Join(dir, Name)
		if _, err := os.Lstat(name); err == nil {
			return name // whatever it is: what cannot be read is an error, and never a gate left open
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Read reads a file. Its errors are of type [*Error]; categories are the names
// that it may use.
func Read(name string, categories []string) (*File, error) {
	text, err := read(name)
	if err != nil {
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err
		}
		return nil, &Error{File: name, Message: "cannot read the configuration: " + err.Error()}
	}
	return parse(name, text, categories)
}

// read takes regular files alone: opening a pipe would wait for a writer.
func read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	return os.ReadFile(name)
}

func parse(name string, text []byte, categories []string) (*File, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, syntaxError(name, err)
	}
	f := &File{Path: name}
	if len(doc.Content) == 0 {
		return f, nil // nothing but comments
	}
	d := &decoder{file: name, categories: categories}
	d.mapping(doc.Content[0], d.keys(f))
	if d.err != nil {
		return nil, d.err
	}
	return f, nil
}

// yamlLine is where the library says that the syntax is wrong.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func syntaxError(name string, err error) *Error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	e := &Error{File: name, Message: yamlLine.ReplaceAllString(text, "")}
	e.Line = 1 // the library does not name the first line
	if m := yamlLine.FindStringSubmatch(text); m != nil && m[1] != "" {
		e.Line, _ = strconv.Atoi(m[1])
	}
	e.Message = "not YAML: " + e.Message
	return e
}
