package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mapguard/mapguard/analyzer"
)

// go vet does not know that results depend on configuration files. What it does
// know is the tool's version, which it asks for once, in the directory that it
// runs in: there all files that can hold for a package become part of the
// version. A package that has another file is kept out of the cache: see unit.

// configuredVersion returns the tool's version in the form that the go command
// reads, where there are configuration files.
func configuredVersion() (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	root := moduleRoot(dir)
	names := configFiles(root)
	if above := analyzer.ConfigFile(root); above != "" && !slices.Contains(names, above) {
		names = append(names, above)
	}
	exe, err := os.Executable()
	if err != nil || len(names) == 0 {
		return "", false
	}
	h := sha256.New()
	for _, name := range append([]string{exe}, names...) {
		fmt.Fprintf(h, "%q\n", name)
		if err := hashFile(h, name); err != nil {
			return "", false // the analyzer will say what is wrong
		}
	}
	return fmt.Sprintf("%s version devel comments-go-here buildID=%02x", filepath.Base(os.Args[0]), h.Sum(nil)), true
}

// moduleRoot returns the uppermost directory at or above dir that has a go.mod
// or a go.work; dir if there is none.
func moduleRoot(dir string) string {
	root := dir
	for at := dir; ; {
		for _, mark := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(at, mark)); err == nil {
				root = at
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return root
		}
		at = up
	}
}

// configFiles returns the configuration files of the directories that the go
// command looks for packages in.
func configFiles(root string) []string {
	var out []string
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := ""
		if d != nil {
			name = d.Name()
		}
		switch {
		case err != nil:
			return nil // what cannot be read has no packages
		case name == analyzer.ConfigName:
			out = append(out, path)
		case d.IsDir() && path != root && leftOut(name):
			return fs.SkipDir
		}
		return nil
	})
	return out
}

// leftOut reports whether a folder has no packages of the module: the go command
// passes over it, or its files come from elsewhere.
func leftOut(folder string) bool {
	switch folder {
	case "testdata", "node_modules", "vendor":
		return true
	}
	return folder[0] == '.' || folder[0] == '_'
}

func hashFile(w io.Writer, name string) error {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return cmp.Or(err, errors.New("not a regular file")) // opening a pipe would wait for a writer
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// explicit returns the value of the flag -config.
func explicit() string {
	if f := flag.Lookup("config"); f != nil {
		return f.Value.String()
	}
	return ""
}

// inKey reports whether the configuration of a package is part of the version
// that the go command has asked for. A file that a flag names is not, nor is
// one of a workspace that an environment variable names: go vet can then run
// anywhere.
func inKey(dir, asked string) bool {
	if asked != "" {
		return asked == "none"
	}
	work := os.Getenv("GOWORK")
	return work == "" || work == "off" || analyzer.ConfigFile(dir) == ""
}
