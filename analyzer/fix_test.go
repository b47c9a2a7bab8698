package analyzer_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

// fixed are the packages of which every finding has a fix.
var fixed = []string{"fix/rlockwrite", "fix/syncmap", "fix/deletes", "fix/guards", "fix/again", "fix/onward", "fix/infront", "fix/composed", "fix/copies", "fix/locals", "fix/newmutex", "fix/program", "fix/statements", "fix/flights", "fix/takenout", "fix/slow", "fix/created", "fix/turns", "fix/putback", "fix/looks", "fix/goesback", "fix/beside", "fix/stale"}

// needs are packages that a folder imports, and that a copy of it takes along.
var needs = map[string]string{"fix/flights": "golang.org/x/sync/singleflight", "fix/slow": "github.com/coreos/go-iptables/iptables", "fix/beside": "mapguard.test/fix/beside/unit"}

// leaves are packages in which a fix leaves a finding of low confidence: the race is over, and what two
// sections of a lock make possible is not worth one at the default.
var leaves = map[string]bool{"fix/looks": true, "fix/stale": true}

// TestFixes compares what the fixes make of a file with the golden file beside
// it, and the want comments in the file with the findings.
func TestFixes(t *testing.T) {
	for _, name := range append(slices.Clone(fixed), "fix/sources") { // which imports a package that a copy lacks
		t.Run(name, func(t *testing.T) {
			a := withCategory(analyzer.New(analyzer.Config{Confidence: "low"}))
			analysistest.RunWithSuggestedFixes(withoutFacts{t}, testdata(t), a, root+name)
		})
	}
}

// TestFixesHold applies the fixes as they stand in the plain data. The result
// is that of the golden files; it compiles, has no finding (of those that leave one, at the default confidence), and a second run
// edits nothing.
func TestFixesHold(t *testing.T) {
	for _, name := range fixed {
		t.Run(name, func(t *testing.T) {
			a := analyzer.New(analyzer.Config{Confidence: "low"})
			files := make(map[string]string)
			edits := make(map[string][]finding.Edit)
			for _, f := range findings(ignore{t}, testdata(t), a, name) {
				if len(f.Fixes) != 1 {
					t.Errorf("%s:%d: %d fixes: %s", f.Pos.File, f.Pos.Line, len(f.Fixes), f.Message)
					continue
				}
				for i, e := range f.Fixes[0].Edits {
					if slices.Contains(f.Fixes[0].Edits[:i], e) {
						t.Errorf("%s:%d: an edit is there twice: %q", f.Pos.File, f.Pos.Line, e.New)
					}
					edits[e.File] = append(edits[e.File], e)
				}
			}
			for file, es := range edits {
				// Nothing is wanted any more.
				files[root+name+"/"+filepath.Base(file)] = strings.ReplaceAll(apply(t, file, es), "// want", "// was")
			}
			if len(files) == 0 {
				t.Fatal("nothing is fixed")
			}
			if pkg := needs[name]; pkg != "" {
				file := pkg + "/" + filepath.Base(pkg) + ".go"
				text, err := os.ReadFile(filepath.Join(testdata(t), "src", file))
				if err != nil {
					t.Fatal(err)
				}
				files[file] = string(text)
			}
			dir, clean, err := analysistest.WriteFiles(files)
			if err != nil {
				t.Fatal(err)
			}
			defer clean()
			if leaves[name] {
				a = analyzer.New(analyzer.Config{Confidence: "medium"})
			}
			for _, f := range findings(withoutFacts{t}, dir, a, name) {
				t.Errorf("%s:%d: after the fixes: %s", filepath.Base(f.Pos.File), f.Pos.Line, f.Message)
			}
		})
	}
}

func findings(t analysistest.Testing, dir string, a *analysis.Analyzer, name string) []finding.Finding {
	var out []finding.Finding
	for _, r := range analysistest.Run(t, dir, a, root+name) {
		if res, ok := r.Action.Result.(*finding.Result); ok {
			out = append(out, res.Findings...)
		}
	}
	return out
}

// apply makes the edits of a file, each once, and compares the result with the
// golden file.
func apply(t *testing.T, file string, edits []finding.Edit) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(edits, func(a, b finding.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.New, b.New))
	})
	edits = slices.Compact(edits)
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start < at {
			t.Fatalf("%s: two edits overlap at byte %d", file, e.Start)
		}
		out.Write(text[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(text[at:])
	if *update {
		if err := os.WriteFile(file+".golden", []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(file + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(golden) {
		t.Errorf("%s: plain edits differ from the golden file:\n%s", filepath.Base(file), firstDifference(string(golden), got))
	}
	return out.String()
}

// TestNoFix: where a shape is not known to be safe, there is no fix.
func TestNoFix(t *testing.T) {
	a := withCategory(analyzer.New(analyzer.Config{Confidence: "low"}))
	seen := make(map[string]int)
	for _, r := range analysistest.Run(withoutFacts{t}, testdata(t), a, root+"fix/refused") {
		for _, f := range r.Action.Result.(*finding.Result).Findings {
			seen[f.Category]++
			for _, fix := range f.Fixes {
				t.Errorf("%s:%d: %s: a fix is offered: %s", filepath.Base(f.Pos.File), f.Pos.Line, f.Function, fix.Message)
			}
		}
	}
	for _, c := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%s: %d refused", c, seen[c])
	}
	if seen["rlock-write"] == 0 || seen["sync-map"] == 0 {
		t.Errorf("nothing to refuse: %v", seen)
	}
}

// TestFixesOldGo: where the language has no package maps, copies that are walked are made entry by entry.
func TestFixesOldGo(t *testing.T) {
	dir := filepath.Join(testdata(t), "oldgo")
	a := withCategory(analyzer.New(analyzer.Config{Confidence: "low"}))
	analysistest.RunWithSuggestedFixes(withoutFacts{t}, dir, a, "./...")
}

// handComment is a comment above a finding: a pattern for what is advised or offered there.
var handComment = regexp.MustCompile("// hand `(.*)`$")

// TestAdvice compares what is said of the findings without a fix with the comments above them.
func TestAdvice(t *testing.T) {
	a := withCategory(analyzer.New(analyzer.Config{Confidence: "low"}))
	advised(t, analysistest.Run(withoutFacts{t}, testdata(t), a, root+"fix/refused"))
	advised(t, analysistest.Run(withoutFacts{t}, filepath.Join(testdata(t), "oldergo"), a, "./..."))
}

// advised asks each pattern for a finding on the next line whose advice it matches.
func advised(t *testing.T, results []*analysistest.Result) {
	t.Helper()
	said := make(map[string][]string)
	for _, r := range results {
		for _, f := range r.Action.Result.(*finding.Result).Findings {
			at := fmt.Sprintf("%s:%d", f.Pos.File, f.Pos.Line)
			said[at] = append(said[at], f.NoFix)
			for _, fix := range f.Fixes {
				said[at] = append(said[at], fix.Message)
			}
		}
	}
	asked := 0
	for _, r := range results {
		for _, file := range r.Action.Package.GoFiles {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				m := handComment.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				asked++
				matches := regexp.MustCompile(m[1]).MatchString
				if got := said[fmt.Sprintf("%s:%d", file, i+2)]; !slices.ContainsFunc(got, matches) {
					t.Errorf("%s:%d: no advice matches %q: %q", filepath.Base(file), i+2, m[1], got)
				}
			}
		}
	}
	if asked == 0 {
		t.Error("no comment asks for advice")
	}
}
