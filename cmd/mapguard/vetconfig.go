package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mapguard/mapguard/analyzer"
)

// go vet does not know that results depend on a configuration file. What it
// does know is the tool's version, which it asks for in the directory that it
// runs in: there the file of this directory, or the one above it, becomes part
// of the version. A package that has another file is kept out of the cache: see
// unit.

// configuredVersion returns the tool's version in the form that the go command
// reads, where there is a configuration file.
func configuredVersion() (string, bool) {
	name := analyzer.ConfigFile(".")
	if name == "" {
		return "", false
	}
	h := sha256.New()
	exe, err := os.Executable()
	if err != nil {
		return "", false
	}
	for _, name := range []string{exe, name} {
		if err := hashFile(h, name); err != nil {
			return "", false // the analyzer will say what is wrong
		}
	}
	fmt.Fprintf(h, "%s", name)
	return fmt.Sprintf("%s version devel comments-go-here buildID=%02x", filepath.Base(os.Args[0]), h.Sum(nil)), true
}

func hashFile(w io.Writer, name string) error {
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
// that the go command has asked for, wherever in the module or workspace it
// runs: there is none, or it lies at the root of them or above.
func inKey(dir, asked string) bool {
	switch asked {
	case "":
	case "none":
		return true
	default:
		return false
	}
	name := analyzer.ConfigFile(dir)
	if name == "" {
		return true
	}
	if work := os.Getenv("GOWORK"); work != "" && work != "off" {
		return false // it can run anywhere
	}
	root := ""
	for at := dir; ; {
		for _, mark := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(at, mark)); err == nil {
				root = at
			}
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	rel, err := filepath.Rel(filepath.Dir(name), root)
	return root != "" && err == nil && filepath.IsLocal(rel)
}
