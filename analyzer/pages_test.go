package analyzer_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// isBound recognises the constants that bound the analysis.
var isBound = regexp.MustCompile(`^(max|Max)[A-Z]|Rounds$`)

// docs/engine.md lists every bound of the engine with its value.
func TestBoundsOfThePage(t *testing.T) {
	page := read(t, "../docs/engine.md")
	for importPath, src := range engine(t) {
		name, ok := strings.CutPrefix(importPath, internal)
		if !ok || name == "rewrite" || strings.HasPrefix(name, "explore") {
			continue
		}
		for _, file := range src.files {
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 || !isBound.MatchString(spec.Names[0].Name) {
					return true
				}
				value, ok := spec.Values[0].(*ast.BasicLit)
				if !ok {
					return true
				}
				row := "| `" + name + "." + spec.Names[0].Name + "` | " + strings.ReplaceAll(value.Value, "_", ",") + " |"
				if !strings.Contains(page, "\n"+row) {
					t.Errorf("docs/engine.md has no row %s", row)
				}
				return true
			})
		}
	}
}

// codeSpan finds what CONTRIBUTING.md sets in code.
var codeSpan = regexp.MustCompile("`([^` ]+)`")

// The files that CONTRIBUTING.md names exist: below the root, or, as in its
// tables, below the engine, the command or the test packages.
func TestContributingNamesFiles(t *testing.T) {
	below := []string{"..", "internal", "../cmd/mapguard", "../testdata/src/mapguard.test"}
	for _, m := range codeSpan.FindAllStringSubmatch(read(t, "../CONTRIBUTING.md"), -1) {
		name := m[1]
		if ext := filepath.Ext(name); ext != ".go" && ext != ".md" && ext != ".golden" && ext != ".txt" {
			continue
		}
		if !slices.ContainsFunc(below, func(dir string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err == nil
		}) {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", name)
		}
	}
}

// layerRow is a row of CONTRIBUTING.md's table of layers.
var layerRow = regexp.MustCompile("(?m)^\\| `([a-z/…]+)` \\|")

// CONTRIBUTING.md lists the layers, in their order.
func TestContributingListsLayers(t *testing.T) {
	var listed []string
	for _, m := range layerRow.FindAllStringSubmatch(read(t, "../CONTRIBUTING.md"), -1) {
		if slices.Contains(layers, m[1]) {
			listed = append(listed, m[1])
		}
	}
	want := slices.DeleteFunc(slices.Clone(layers), func(l string) bool { return strings.HasPrefix(l, "explore") })
	if !slices.Equal(listed, want) {
		t.Errorf("CONTRIBUTING.md lists the layers\n%v, which are\n%v", listed, want)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
