package rev

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// linkNeeds links what a go.mod or go.work in the copy names outside of the
// repository. Other files name nothing. A file that does not parse is left to the loader, whose error
// says where.
func (c *copier) linkNeeds(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return // a linked directory without a module
	}
	// The directory as it is called outside of the copy.
	rel, err := filepath.Rel(c.tmp, filepath.Dir(file))
	if err != nil {
		return
	}
	dir := filepath.Join(filepath.VolumeName(c.repo.top)+string(filepath.Separator), rel)
	for _, path := range needs(filepath.Base(file), text) {
		if !filepath.IsAbs(path) {
			c.linkTo(filepath.Join(dir, path))
		}
	}
}

// needs returns the directories that a go.mod or go.work names.
func needs(name string, text []byte) []string {
	var out []string
	replace := func(list []*modfile.Replace) {
		for _, r := range list {
			if r.New.Version == "" {
				out = append(out, filepath.FromSlash(r.New.Path))
			}
		}
	}
	if name == "go.work" {
		if f, err := modfile.ParseWork(name, text, nil); err == nil {
			for _, u := range f.Use {
				out = append(out, filepath.FromSlash(u.Path))
			}
			replace(f.Replace)
		}
	} else if name != "go.mod" {
		return nil
	} else if f, err := modfile.Parse(name, text, nil); err == nil {
		replace(f.Replace)
	}
	return out
}
