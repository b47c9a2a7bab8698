package analyzer_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

var update = flag.Bool("update", false, "rewrite the golden files of messages and fixes, and docs/rules.md")

// TestMessages compares the diagnostics of one package word by word: what is
// said, where, with which evidence, and the related positions.
func TestMessages(t *testing.T) {
	var got strings.Builder
	for _, r := range analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{}), root+"messages") {
		found := r.Action.Result.(*finding.Result).Findings
		if len(found) != len(r.Action.Diagnostics) {
			t.Fatalf("%d findings as data, %d diagnostics", len(found), len(r.Action.Diagnostics))
		}
		for i, d := range r.Action.Diagnostics {
			writeDiagnostic(&got, r.Action.Package.Fset, d)
			writeTrace(&got, found[i])
		}
	}
	golden := filepath.Join(testdata(t), "messages.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("messages differ from %s (run with -update if they are meant to):\n%s", filepath.Base(golden), firstDifference(string(want), got.String()))
	}
}

func writeDiagnostic(b *strings.Builder, fset *token.FileSet, d analysis.Diagnostic) {
	p := fset.Position(d.Pos)
	fmt.Fprintf(b, "%s:%d:%d: %s: %s\n", filepath.Base(p.Filename), p.Line, p.Column, d.Category, d.Message)
	for _, rel := range d.Related {
		p := fset.Position(rel.Pos)
		fmt.Fprintf(b, "\t%s:%d:%d: %s\n", filepath.Base(p.Filename), p.Line, p.Column, rel.Message)
	}
}

// writeTrace writes the interleaving, one step a line, and the facts about the
// map that the message leaves out.
func writeTrace(b *strings.Builder, f finding.Finding) {
	fmt.Fprintf(b, "\tin %s of %s, on %s", f.Function, f.Package, f.Location)
	if g := f.Guard; g != nil {
		fmt.Fprintf(b, ", guard %s (%s, %d/%d)", g.Lock, g.How, g.Held, g.Total)
	}
	b.WriteString("\n")
	for _, s := range f.Trace {
		fmt.Fprintf(b, "\t%s %d: %s", s.Goroutine, s.Pos.Line, s.Action)
		if len(s.Locks) > 0 {
			fmt.Fprintf(b, " {%s}", strings.Join(s.Locks, ", "))
		}
		if s.Lost {
			b.WriteString(" LOST")
		}
		if s.Note != "" {
			fmt.Fprintf(b, " (%s)", s.Note)
		}
		fmt.Fprintf(b, " | %s\n", s.Source)
	}
}

// Every finding of the rules about atomicity shows two goroutines, each step at
// a line that can be read.
func TestEveryFindingHasAnInterleaving(t *testing.T) {
	needed := []string{"check-then-act", "split-lock", "sync-map", "map-escape", "goroutine-race", "rlock-write"}
	seen := make(map[string]int)
	for _, r := range analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{Confidence: "low"}), root+"...") {
		for _, f := range r.Action.Result.(*finding.Result).Findings {
			if !slices.Contains(needed, f.Category) {
				continue
			}
			seen[f.Category]++
			who := make(map[string]bool)
			for _, s := range f.Trace {
				who[s.Goroutine] = true
				if s.Source == "" || s.Action == "" || s.Pos.Line == 0 {
					t.Errorf("%s:%d: %s: a step without place or words: %+v", f.Pos.File, f.Pos.Line, f.Category, s)
				}
			}
			if !who["A"] || !who["B"] || len(who) != 2 {
				t.Errorf("%s:%d: %s: the interleaving has the goroutines %v", f.Pos.File, f.Pos.Line, f.Category, who)
			}
		}
	}
	for _, c := range needed {
		if seen[c] == 0 {
			t.Errorf("no finding of %s at all", c)
		}
	}
}

// TestStyleOfMessages holds all messages of all features to one line of plain
// words with a category and a place.
func TestStyleOfMessages(t *testing.T) {
	categories := []string{
		"check-then-act", "split-lock", "sync-map", "unguarded-access", "rlock-write", "map-escape", "goroutine-race", "directive",
	}
	for _, r := range analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{Confidence: "low"}), root+"...") {
		fset := r.Action.Package.Fset
		for _, d := range r.Action.Diagnostics {
			if strings.Contains(d.Message, "\n") || strings.HasSuffix(d.Message, ".") {
				t.Errorf("%v: not one line without a full stop: %q", fset.Position(d.Pos), d.Message)
			}
			if !slices.Contains(categories, d.Category) {
				t.Errorf("%v: unknown category %q", fset.Position(d.Pos), d.Category)
			}
			for _, rel := range d.Related {
				if !rel.Pos.IsValid() || rel.Message == "" {
					t.Errorf("%v: a related position without place or words", fset.Position(d.Pos))
				}
			}
		}
	}
}

// TestOneFindingAPlace: a location has at most one finding of a category on a
// line, and findings come in order.
func TestOneFindingAPlace(t *testing.T) {
	for _, r := range analysistest.Run(ignore{t}, testdata(t), analyzer.New(analyzer.Config{Confidence: "low"}), root+"checkthenact", root+"splitlock", root+"unguarded") {
		ds := r.Action.Diagnostics
		fset := r.Action.Package.Fset
		if !slices.IsSortedFunc(ds, func(a, b analysis.Diagnostic) int {
			x, y := fset.Position(a.Pos), fset.Position(b.Pos)
			return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Offset, y.Offset))
		}) {
			t.Errorf("%s: findings are out of order", r.Action.Package.PkgPath)
		}
		seen := make(map[string]bool)
		for _, d := range ds {
			key := fmt.Sprint(d.Pos, d.Category, d.Message)
			if seen[key] {
				t.Errorf("%v: reported twice: %s", r.Action.Package.Fset.Position(d.Pos), d.Message)
			}
			seen[key] = true
		}
	}
}

func TestConfiguration(t *testing.T) {
	for _, a := range []*analysis.Analyzer{analyzer.Analyzer, analyzer.New(analyzer.Config{Confidence: "low"})} {
		if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
			t.Error(err)
		}
	}
	a := analyzer.New(analyzer.Config{})
	if got := a.Flags.Lookup("confidence").DefValue; got != "medium" {
		t.Errorf("the default confidence is %q", got)
	}
	if err := a.Flags.Set("confidence", "low"); err != nil {
		t.Error(err)
	}
	if got := analyzer.New(analyzer.Config{}).Flags.Lookup("confidence").Value.String(); got != "medium" {
		t.Errorf("a flag of one analyzer set another's to %q", got)
	}
	if _, err := analyzer.New(analyzer.Config{Confidence: "certain"}).Run(&analysis.Pass{}); err == nil || !strings.Contains(err.Error(), "certain") {
		t.Errorf("an unknown confidence gives the error %v", err)
	}
}
