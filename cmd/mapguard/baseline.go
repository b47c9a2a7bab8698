package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/text"
)

// saveBaseline writes the findings to the file of -baseline. What was not
// analysed keeps its entries.
func (c *command) saveBaseline(findings []finding.Finding) (int, error) {
	scope := baseline.Scope{Packages: c.last.Analysed, Tests: c.config.Tests, Gone: c.gone}
	for _, r := range analyzer.Rules() {
		if c.flags.Wants(r.Name) {
			scope.Categories = append(scope.Categories, r.Name)
		}
	}
	kept, err := baseline.Write(c.baseline, findings, c.dir, scope)
	if err != nil {
		return exitError, err
	}
	fmt.Fprintf(c.stderr, "mapguard: %s written to %s", count(len(findings), "finding"), text.Path(c.dir, c.baseline))
	if kept > 0 {
		fmt.Fprintf(c.stderr, "; %d of code that this run did not analyse are kept", kept)
	}
	fmt.Fprintln(c.stderr)
	return exitClean, nil
}

// gone reports whether a package would have been analysed if it were still
// there: a pattern covers it, and its directory does not exist any more.
func (c *command) gone(pkg, dir string) bool {
	if _, err := os.Stat(filepath.Join(c.dir, filepath.FromSlash(dir))); err == nil {
		return false
	}
	return slices.ContainsFunc(c.patterns, func(p string) bool {
		p = filepath.ToSlash(p)
		if p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
			return covers(path.Clean(p), dir)
		}
		return covers(p, pkg)
	})
}

// covers reports whether a pattern of the go command, which is a path or a path
// and everything below it, has a name.
func covers(pattern, name string) bool {
	above, all := strings.CutSuffix(pattern, "...")
	if !all {
		return pattern == name
	}
	above = strings.TrimSuffix(above, "/")
	return above == "" || above == "." || name == above || strings.HasPrefix(name, above+"/")
}
