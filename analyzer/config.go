package analyzer

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/config"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// noFile is the name of no configuration file.
const noFile = "none"

// ConfigName is the name of configuration files.
const ConfigName = config.Name

// A ConfigError is what is wrong with a configuration file. Its text is one
// line, file:line and what is allowed.
type ConfigError struct {
	File    string
	Line    int // 0 where it is the file as a whole
	Message string
}

// Error implements error.
func (e *ConfigError) Error() string { return (*config.Error)(e).Error() }

// ConfigFile returns the name of the configuration file that holds for the
// packages of a directory, nothing if there is none.
func ConfigFile(dir string) string { return config.Find(dir) }

// settings are those of one package: the analyzer's, and where it leaves
// something open, those of the configuration file.
type settings struct {
	Config
	min    sharing.Confidence
	file   *config.File // nil if there is none
	model  *model.Extra
	guards map[*types.Var]*types.Var
}

// settings reads the configuration of the package's directory.
func (r *runner) settings(pass *analysis.Pass) (*settings, error) {
	s := &settings{Config: r.cfg}
	name := ""
	if len(pass.Files) > 0 {
		dir := filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
		name = r.files.name(r.cfg.File, dir)
	}
	if name != "" {
		file, err := r.files.read(name)
		if err != nil {
			return nil, err
		}
		if err := s.use(file, pass.Pkg); err != nil {
			return nil, err
		}
	}
	var err error
	s.min, err = sharing.Parse(cmp.Or(s.Confidence, sharing.Medium.String()))
	return s, err
}

// use fills in what the file says of a package.
func (s *settings) use(file *config.File, pkg *types.Package) error {
	s.file = file
	s.Confidence = cmp.Or(s.Confidence, file.Confidence)
	s.Tests = s.Tests || file.Tests != nil && *file.Tests
	f := &file.Functions
	rows := map[model.Kind][]string{
		model.Lock: f.Lock, model.Unlock: f.Unlock, model.RLock: f.RLock, model.RUnlock: f.RUnlock,
		model.TryLock: f.TryLock, model.TryRLock: f.TryRLock,
		model.Spawn: f.Spawn, model.Register: f.Register, model.RunNow: f.Run, model.Once: f.Once,
	}
	for kind, names := range rows {
		rows[kind] = plainNames(names)
	}
	s.model = model.NewExtra(rows, plainNames(file.ConcurrentMaps))
	var err error
	s.guards, err = guards(file, pkg)
	return err
}

func plainNames(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = config.Plain(name)
	}
	return out
}

// chosen returns the findings of the categories that the flags and the file ask
// for; those that the file excludes are marked. What serves tests alone is of low confidence, as what imports package testing.
func (s *settings) chosen(findings []check.Finding, pass *analysis.Pass) []check.Finding {
	var out []check.Finding
	for _, f := range findings {
		if !s.wants(f.Category) {
			continue
		}
		if s.file != nil {
			name := pass.Fset.Position(f.Pos).Filename
			if reason := s.file.Excludes(name, pass.Pkg.Path(), f.Category); reason != "" && f.Ignored == "" {
				f.Ignored = reason + " (" + config.Name + ")"
			}
			if s.file.Helps(name) {
				f.Confidence = sharing.Low
			}
		}
		out = append(out, f)
	}
	return out
}

// wants reports whether a category is asked for. Flags come before the file.
func (s *settings) wants(category string) bool {
	if len(s.Only)+len(s.Skip) > 0 || s.file == nil {
		return s.Wants(category)
	}
	return s.file.Wants(category)
}

// files are the configuration files that were read, each once. They are safe
// for concurrent use.
type files struct {
	mu     sync.Mutex
	names  map[string]string // by directory
	parsed map[string]fileOrError
}

type fileOrError struct {
	file *config.File
	err  error
}

// name returns the file for a directory: the one that was asked for, or the one
// that is found.
func (f *files) name(asked, dir string) string {
	if asked != "" {
		if asked == noFile {
			return ""
		}
		return asked
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	name, ok := f.names[dir]
	if !ok {
		if f.names == nil {
			f.names = make(map[string]string)
		}
		name = config.Find(dir)
		f.names[dir] = name
	}
	return name
}

func (f *files) read(name string) (*config.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, ok := f.parsed[name]
	if !ok {
		if f.parsed == nil {
			f.parsed = make(map[string]fileOrError)
		}
		r.file, r.err = readConfig(name)
		f.parsed[name] = r
	}
	return r.file, r.err
}

func readConfig(name string) (*config.File, error) {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	file, err := config.Read(name, categoryNames())
	if e := (*config.Error)(nil); errors.As(err, &e) {
		return nil, (*ConfigError)(e)
	}
	return file, err
}

func categoryNames() []string {
	var names []string
	for _, r := range Rules() {
		names = append(names, r.Name)
	}
	return names
}

// guards finds the variables that the file names, those of a package and of
// what it imports.
func guards(file *config.File, pkg *types.Package) (map[*types.Var]*types.Var, error) {
	if len(file.Guards) == 0 {
		return nil, nil
	}
	known := map[string]*types.Package{pkg.Path(): pkg}
	for _, imp := range pkg.Imports() {
		known[imp.Path()] = imp
	}
	out := make(map[*types.Var]*types.Var)
	for _, g := range file.Guards {
		path, names := splitName(config.Plain(g.Map))
		in := known[path]
		if in == nil {
			continue // of another package
		}
		at, owner := variable(in, names)
		lock := lockOf(known, owner, in, g.By)
		switch {
		case at == nil && in == pkg:
			return nil, &ConfigError{file.Path, g.Line, fmt.Sprintf("%s: %s has no such field or variable", g.Map, path)}
		case lock == nil && in == pkg:
			return nil, &ConfigError{file.Path, g.Line, fmt.Sprintf("%s: no field beside it and no package-level variable is called %s", g.Map, g.By)}
		case at != nil && lock != nil:
			out[at] = lock
		}
	}
	return out, nil
}

// splitName takes the path of a package off a full name.
func splitName(name string) (path string, names []string) {
	slash := strings.LastIndexByte(name, '/')
	dot := strings.IndexByte(name[slash+1:], '.')
	if dot < 0 {
		return "", nil
	}
	dot += slash + 1
	return name[:dot], strings.Split(name[dot+1:], ".")
}

// variable returns the package-level variable or the field that names lead to,
// and the struct that the field is in.
func variable(pkg *types.Package, names []string) (v *types.Var, in *types.Struct) {
	obj := pkg.Scope().Lookup(names[0])
	if obj == nil {
		return nil, nil
	}
	v, _ = obj.(*types.Var)
	t := obj.Type()
	for _, name := range names[1:] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil, nil
		}
		if v = field(st, name); v == nil {
			return nil, nil
		}
		in, t = st, v.Type()
	}
	return v, in
}

func field(st *types.Struct, name string) *types.Var {
	for f := range st.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// lockOf returns the lock that a name means beside a field of owner, or in the
// package, or as a full name.
func lockOf(known map[string]*types.Package, owner *types.Struct, pkg *types.Package, name string) *types.Var {
	if owner != nil {
		if f := field(owner, name); f != nil {
			return f
		}
	}
	if path, names := splitName(name); len(names) > 0 && known[path] != nil {
		v, _ := variable(known[path], names)
		return v
	}
	v, _ := variable(pkg, []string{name})
	return v
}

// Categories is a flag that lists categories. It refuses what is none.
type Categories []string

// String implements [flag.Value].
func (c *Categories) String() string { return strings.Join(*c, ",") }

// Set implements [flag.Value].
func (c *Categories) Set(s string) error {
	known := categoryNames()
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return fmt.Errorf("no category %q, use one of %s", name, strings.Join(known, ", "))
		}
		*c = append(*c, name)
	}
	return nil
}
