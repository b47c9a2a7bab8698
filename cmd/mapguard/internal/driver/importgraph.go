package driver

import (
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// An importGraph tells which packages import others. Its nodes are the paths of packages
// and the directories of their files, which stand for the same.
type importGraph struct {
	importers map[string][]string
	paths     map[string]string          // of the packages in directories that were looked through
	known     map[string]map[string]bool // see users
}

func newImportGraph() *importGraph {
	return &importGraph{importers: make(map[string][]string), paths: make(map[string]string), known: make(map[string]map[string]bool)}
}

// add adds a package of the build.
func (g *importGraph) add(p *packages.Package) {
	for path := range p.Imports {
		g.importers[path] = append(g.importers[path], p.PkgPath)
	}
	if len(p.GoFiles) > 0 {
		g.same(p.PkgPath, filepath.Dir(p.GoFiles[0]))
	}
}

// join adds a file in a directory that was not analysed, and imports packages.
func (g *importGraph) join(dir string, imports []string) {
	for _, path := range imports {
		g.importers[path] = append(g.importers[path], dir)
	}
	if path := g.paths[dir]; path != "" {
		g.same(path, dir)
	}
	clear(g.known)
}

// same notes that two nodes stand for one package.
func (g *importGraph) same(path, dir string) {
	g.importers[path] = append(g.importers[path], dir)
	g.importers[dir] = append(g.importers[dir], path)
}

// users returns the nodes whose files can get a value from a package: it itself, and those that
// import it, directly or not. Complexity: linear in the graph, once for each package.
func (g *importGraph) users(path string) map[string]bool {
	if known := g.known[path]; known != nil {
		return known
	}
	out := map[string]bool{path: true}
	for work := []string{path}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, by := range g.importers[at] {
			if !out[by] {
				out[by] = true
				work = append(work, by)
			}
		}
	}
	g.known[path] = out
	return out
}
