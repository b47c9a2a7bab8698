package analyzer_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapguard/mapguard/analyzer"
)

// notInTestdata are the rows that no case of testdata has.
var notInTestdata = []string{
	// These take the whole module, which the command's scripts callers.txt, threads.txt, start.txt, shown.txt, enclosed.txt, keys.txt, opening.txt and ahead.txt have.
	"no request that the application serves leads here, and the harm or the evidence is doubtful already",
	"it is done while the object is being opened: no thread has begun by then that comes to it, but those that wait for work",
	"the module calls this only ahead of what brings the object into service: later calls are an assumption",
	"nothing in the program calls this function",
	"no call in the module leaves room for it; callers in other modules are an assumption",
	"one goroutine of the module at a time comes to the map, as far as the module shows",
	"nothing in the module changes the map but the program's start; that others do so later is an assumption",
	"the module shows no goroutine but the main one that comes to the map: others are an assumption",
	"the module comes here with a lock held, whatever it protects: callers without it are an assumption",
	"nothing in the module calls it, and nothing else can, or the module is an application",
	// Where the key is chosen, so is most often what is stored; no program is
	// known in which it is not.
	"the act updates the entry that was chosen: nothing is lost",
}

// TestWhyAgrees asks, in all of testdata, whether -why shows each finding of a
// rule as reported, with its category and confidence, and nothing else as
// reported; and whether each silence has its reason.
func TestWhyAgrees(t *testing.T) {
	t.Parallel()
	pkgs := loadTestdata(t, root+"...")
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Agreement(analyzer.Config{})}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, reasons, grades := 0, make(map[string]bool), make(map[string]bool)
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act, act.Err)
		}
		a := act.Result.(*analyzer.Agreed)
		found += len(a.Found)
		maps.Copy(reasons, a.Reasons)
		maps.Copy(grades, a.Grades)
		line := func(r analyzer.Reported) string {
			p := act.Package.Fset.Position(r.Pos)
			return fmt.Sprintf("%s:%d: %s %s", filepath.Base(p.Filename), p.Line, r.Category, r.Confidence)
		}
		for _, r := range a.Found {
			if !slices.Contains(a.Why, r) {
				t.Errorf("%s: reported, and -why does not say so", line(r))
			}
		}
		for _, r := range a.Why {
			if !slices.Contains(a.Found, r) {
				t.Errorf("%s: -why says so, and it is not reported", line(r))
			}
		}
		for _, s := range a.Unsaid {
			t.Errorf("%s: silent without a reason", s)
		}
	}
	if found < 500 {
		t.Errorf("only %d findings compared", found)
	}
	// Each row of the two tables is there for some case.
	allReasons, allGrades := analyzer.Texts()
	for _, text := range allReasons {
		if !reasons[text] && !slices.Contains(notInTestdata, text) {
			t.Errorf("no case is silent because %s", text)
		}
	}
	for _, text := range allGrades {
		if !grades[text] && !slices.Contains(notInTestdata, text) {
			t.Errorf("no case has the grade %q", text)
		}
	}
}
