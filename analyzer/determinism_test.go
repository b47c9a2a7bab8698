package analyzer_test

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/mapguard/mapguard/analyzer"
)

// TestDeterminism analyses packages several times and compares the diagnostics,
// related positions included, and the encoded facts byte for byte.
func TestDeterminism(t *testing.T) {
	for _, name := range []string{"locks", "summaries", "guards", "crosspkg/...", "paths/..."} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := outcome(t, name)
			if len(first) == 0 {
				t.Fatal("nothing to compare")
			}
			for range 3 {
				if again := outcome(t, name); again != first {
					t.Fatalf("two runs differ:\n%s", firstDifference(first, again))
				}
			}
		})
	}
}

// outcome renders all that an analysis of the packages gives.
func outcome(t *testing.T, name string) string {
	t.Helper()
	results := analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{Confidence: "low"}), root+name)
	slices.SortFunc(results, func(a, b *analysistest.Result) int {
		return cmp.Compare(a.Action.Package.PkgPath, b.Action.Package.PkgPath)
	})
	var out strings.Builder
	for _, r := range results {
		fset := r.Action.Package.Fset
		fmt.Fprintf(&out, "package %s\n", r.Action.Package.PkgPath)
		var ds []string // files are parsed in any order, so positions sort in any order
		for _, d := range r.Action.Diagnostics {
			var b strings.Builder
			writeDiagnostic(&b, fset, d)
			ds = append(ds, b.String())
		}
		slices.Sort(ds)
		out.WriteString(strings.Join(ds, ""))
		out.WriteString(facts(t, r))
	}
	return out.String()
}

// facts renders the encoded facts of one package, by object.
func facts(t *testing.T, r *analysistest.Result) string {
	t.Helper()
	var lines []string
	for obj, fs := range r.Facts {
		for _, f := range fs {
			lines = append(lines, fmt.Sprintf("%s %T %x\n", objectName(t, obj), f, encode(t, f)))
		}
	}
	slices.Sort(lines)
	return fmt.Sprint(lines)
}

func objectName(t *testing.T, obj types.Object) string {
	t.Helper()
	if obj == nil {
		return "(package)"
	}
	path, err := objectpath.For(obj)
	if err != nil {
		t.Errorf("%v has a fact that cannot travel: %v", obj, err)
	}
	return string(path)
}

func encode(t *testing.T, f analysis.Fact) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Error(err)
	}
	return buf.Bytes()
}

func firstDifference(a, b string) string {
	as, bs := bytes.Split([]byte(a), []byte("\n")), bytes.Split([]byte(b), []byte("\n"))
	for i := range min(len(as), len(bs)) {
		if !bytes.Equal(as[i], bs[i]) {
			return fmt.Sprintf("%s\n%s", as[i], bs[i])
		}
	}
	return "one is longer"
}
