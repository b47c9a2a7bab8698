package driver

import (
	"bytes"
	"errors"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mayImportC reports whether a file that a pattern can name may import C in a build
// with cgo; env are the settings of the go command. To look for that costs a tenth of
// the go command's list of such files, and most modules have none. What it does not
// understand, it leaves to the go command.
func (cfg *Config) mayImportC(env map[string]string) bool {
	ctxt := build.Default
	ctxt.GOOS, ctxt.GOARCH, ctxt.CgoEnabled, ctxt.BuildTags = env["GOOS"], env["GOARCH"], true, strings.Split(cfg.Tags, ",")
	var ok bool
	if ctxt.ReleaseTags, ok = releases(env["GOVERSION"]); !ok {
		return true
	}
	if flags := env["GOFLAGS"]; strings.Contains(flags, "-tags") || strings.Contains(flags, "-overlay") {
		return true
	}
	return slices.ContainsFunc(cfg.Patterns, func(pattern string) bool {
		base, tree := strings.CutSuffix(pattern, "/...")
		switch {
		case strings.HasSuffix(pattern, ".go"):
			base = filepath.Dir(base) // the file stands for its package
		case !local(base) || strings.Contains(base, "..."):
			return true
		}
		dir, err := filepath.EvalSymlinks(absolute(cfg.Dir, base))
		return err != nil || importsC(&ctxt, dir, tree)
	})
}

// local reports whether a pattern names a directory, and not an import path.
func local(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

// releases returns the build tags of a version of Go.
func releases(version string) (tags []string, ok bool) {
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "go1."), ".")
	n, err := strconv.Atoi(minor)
	for i := range n {
		tags = append(tags, "go1."+strconv.Itoa(i+1))
	}
	return tags, err == nil
}

// errFound ends a walk.
var errFound = errors.New("found")

// importsC reports whether a file of the build in a directory, or below it, imports
// C, or cannot be read. Directories are passed over that no pattern of the go command
// goes into.
func importsC(ctxt *build.Context, dir string, tree bool) bool {
	var text bytes.Buffer // of one file after the other
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		switch {
		case d.IsDir():
			if name != dir && (!tree || base == "testdata" || base[0] == '.' || base[0] == '_') {
				return filepath.SkipDir
			}
		case strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go"):
			return fileImportsC(ctxt, name, &text)
		}
		return nil
	}) != nil
}

// fileImportsC returns an error if the file is one of the build and imports C.
func fileImportsC(ctxt *build.Context, name string, text *bytes.Buffer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text.Reset()
	_, err = text.ReadFrom(f)
	src := text.Bytes()
	if err != nil || !bytes.Contains(src, []byte(`"C"`)) && !bytes.Contains(src, []byte("`C`")) {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "C" {
			continue
		}
		if match, err := ctxt.MatchFile(filepath.Dir(name), filepath.Base(name)); match || err != nil {
			return errFound
		}
	}
	return nil
}
