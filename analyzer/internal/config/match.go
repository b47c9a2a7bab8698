package config

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Excludes returns the reason for which the findings of a category in a file of
// a package are left out, empty if they are not.
func (f *File) Excludes(file, pkg, category string) string {
	i := slices.IndexFunc(f.Exclude, func(x Exclusion) bool {
		if len(x.Categories) > 0 && !slices.Contains(x.Categories, category) {
			return false
		}
		if x.Package != "" {
			return inPattern(x.Package, pkg)
		}
		return f.inPath(x.Path, file)
	})
	if i < 0 {
		return ""
	}
	return f.Exclude[i].Reason
}

// Helps reports whether a file serves tests alone.
func (f *File) Helps(file string) bool {
	return slices.ContainsFunc(f.TestHelpers, func(p string) bool { return f.inPath(p, file) })
}

// Wants reports whether the findings of a category are asked for.
func (f *File) Wants(category string) bool {
	return (len(f.Only) == 0 || slices.Contains(f.Only, category)) && !slices.Contains(f.Skip, category)
}

// inPath reports whether a file is at or below what a pattern names.
func (f *File) inPath(pattern, file string) bool {
	rel, err := filepath.Rel(filepath.Dir(f.Path), file)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	return below(strings.Split(path.Clean(pattern), "/"), strings.Split(filepath.ToSlash(rel), "/"))
}

// below reports whether a pattern matches a path or a directory above it; ** is
// any number of directories.
func below(pattern, name []string) bool {
	switch {
	case len(pattern) == 0, len(pattern) == 1 && pattern[0] == ".":
		return true
	case pattern[0] == "**":
		for i := range len(name) + 1 {
			if below(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	case len(name) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && below(pattern[1:], name[1:])
}

// inPattern reports whether a pattern of the go command names a package.
func inPattern(pattern, pkg string) bool {
	above, all := strings.CutSuffix(pattern, "/...")
	return pkg == above || all && strings.HasPrefix(pkg, above+"/")
}
