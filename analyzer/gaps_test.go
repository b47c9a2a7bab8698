// These tests hold the test packages to their own rules: a function's name is
// its verdict, and the known gaps are as many as the README says.
package analyzer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A verdict is what a function's name says of it.
type verdict struct {
	name string
	pos  token.Position
	// known says that the analyzer is known to be wrong about it.
	known bool
	// bad says that the function has a bug.
	bad bool
	// wants is the number of want comments in the function that expect a
	// diagnostic.
	wants int
	// documented says that a comment stands above it.
	documented bool
}

// verdictName takes a name apart. What comes after the verdict is a suffix that
// has a meaning of its own.
var verdictName = regexp.MustCompile(`^(FN_|FP_)?\w*?(Bad|Ok)(Locked)?$`)

// wantDiagnostic finds a want comment that expects a diagnostic, apart from
// those that only expect facts.
var wantDiagnostic = regexp.MustCompile("// want (.* )?[`\"]")

// verdicts reads all verdicts of the test packages.
func verdicts(t *testing.T) []verdict {
	t.Helper()
	var out []verdict
	fset := token.NewFileSet()
	dir := filepath.Join(testdata(t), "src", strings.TrimSuffix(root, "/"))
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if v, ok := verdictOf(fset, f, fn); ok {
					out = append(out, v)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func verdictOf(fset *token.FileSet, f *ast.File, fn *ast.FuncDecl) (verdict, bool) {
	m := verdictName.FindStringSubmatch(fn.Name.Name)
	if m == nil {
		return verdict{}, false
	}
	v := verdict{
		name: fn.Name.Name, pos: fset.Position(fn.Pos()), known: m[1] != "", bad: m[2] == "Bad", documented: fn.Doc != nil,
	}
	for _, g := range f.Comments {
		for _, c := range g.List {
			if fn.Pos() <= c.Pos() && fset.Position(c.Pos()).Line <= fset.Position(fn.End()).Line && wantDiagnostic.MatchString(c.Text) {
				v.wants++
			}
		}
	}
	return v, true
}

// TestVerdicts checks that want comments and names agree: a finding is wanted
// in …Bad and FP_…Ok, and in no other.
func TestVerdicts(t *testing.T) {
	counts := make(map[string]int)
	for _, v := range verdicts(t) {
		if wanted := v.bad != v.known; wanted != (v.wants > 0) && !golden(v) {
			t.Errorf("%s: %s has %d want comments", v.pos, v.name, v.wants)
		}
		kind := "Ok"
		if v.bad {
			kind = "Bad"
		}
		if v.known {
			kind = v.name[:3] + kind
			if v.bad == strings.HasPrefix(v.name, "FP_") {
				t.Errorf("%s: %s: a false negative is FN_…Bad, a false positive is FP_…Ok", v.pos, v.name)
			}
			if !v.documented {
				t.Errorf("%s: %s does not say why it is a gap", v.pos, v.name)
			}
		}
		counts[kind]++
	}
	t.Logf("verdicts: %v", counts)
}

// golden reports whether findings are compared with a golden file instead of
// want comments.
func golden(v verdict) bool {
	return filepath.Base(filepath.Dir(v.pos.Filename)) == "messages"
}

// TestKnownGapsAreCounted compares the gaps with the line of the README that
// admits them.
func TestKnownGapsAreCounted(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if os.IsNotExist(err) {
		t.Skip("no README yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	negatives, positives := 0, 0
	for _, v := range verdicts(t) {
		switch {
		case v.known && v.bad:
			negatives++
		case v.known:
			positives++
		}
	}
	m := regexp.MustCompile(`Known gaps: (\d+) false negatives?, (\d+) false positives?`).FindSubmatch(readme)
	if m == nil {
		t.Fatalf("README.md has no line %q", "Known gaps: "+strconv.Itoa(negatives)+" false negatives, "+strconv.Itoa(positives)+" false positives")
	}
	if string(m[1]) != strconv.Itoa(negatives) || string(m[2]) != strconv.Itoa(positives) {
		t.Errorf("README.md says %q; testdata has %d false negatives, %d false positives", m[0], negatives, positives)
	}
}
