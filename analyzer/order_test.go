package analyzer_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
)

// TestOrderOfFiles parses the files of a package in the order of their names
// and in the opposite one, and compares all that is reported. Positions of two
// files compare as the files were parsed, which drivers do in any order.
func TestOrderOfFiles(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"guards", "paths", "rlockwrite", "lockstates", "atomicity/harm", "atomicity/accepted", "atomicity/races"} {
		forward, backward := inOrder(t, folder, false), inOrder(t, folder, true)
		if len(forward) == 0 {
			t.Errorf("%s: nothing to compare", folder)
		}
		if forward != backward {
			t.Errorf("%s: the order of files matters:\n%s", folder, firstDifference(forward, backward))
		}
	}
}

// inOrder reports on the package of a folder, whose files are parsed in the
// order of their names or in the opposite one.
func inOrder(t *testing.T, folder string, backward bool) string {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(testdata(t), "src", root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	if backward {
		slices.Reverse(names)
	}
	parsed := make(map[string]*ast.File)
	for _, name := range names {
		if parsed[name], err = parser.ParseFile(fset, name, nil, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax, Dir: testdata(t), Fset: fset,
		Env: append(os.Environ(), "GOPATH="+testdata(t), "GO111MODULE=off", "GOPROXY=off", "GOWORK=off"),
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			if f := parsed[name]; f != nil {
				return f, nil
			}
			return parser.ParseFile(fset, name, src, parser.ParseComments)
		},
	}, root+folder)
	if err != nil || len(pkgs) == 0 || packages.PrintErrors(pkgs) > 0 {
		t.Fatalf("%s does not load: %v", folder, err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(analyzer.Config{Confidence: "low"})}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			var b strings.Builder
			writeDiagnostic(&b, fset, d)
			out = append(out, b.String())
		}
	}
	slices.Sort(out)
	return fmt.Sprint(len(out), "\n", strings.Join(out, ""))
}
