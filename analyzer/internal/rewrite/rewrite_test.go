package rewrite

import (
	"flag"
	"go/ast"
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
	"github.com/mapguard/mapguard/analyzer/finding"
)

var (
	full   = flag.Bool("full", false, "analyse all programs, not a sample of them")
	update = flag.Bool("update", false, "write testdata/known.golden; implies -full")
	keep   = flag.String("keep", "", "leave the programs in this directory")
)

const (
	// pairStride makes the full set about 2,500 wrong and as many right
	// programs.
	pairStride = 50
	// sampleStride chooses the programs of an ordinary run.
	sampleStride = 11
)

// golden lists the programs that are judged wrongly today.
const golden = "testdata/known.golden"

// TestRewritesDoNotChangeTheVerdict analyses the programs: each wrong one must
// have a finding in its bug, and each right one must have none. A program that
// is listed as an exception must be one.
func TestRewritesDoNotChangeTheVerdict(t *testing.T) {
	programs := sample(Programs(pairStride))
	failed := judge(t, programs)
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(failed, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	known := knownFailures(t)
	for _, name := range failed {
		if _, found := slices.BinarySearch(known, name); !found {
			t.Errorf("%s: %s", name, complaint(name))
		}
	}
	for _, p := range programs {
		_, listed := slices.BinarySearch(known, p.Name())
		if _, fails := slices.BinarySearch(failed, p.Name()); listed && !fails {
			t.Errorf("%s: is judged rightly now; delete its line in %s", p.Name(), golden)
		}
	}
	if *full {
		noStrangers(t, known, programs)
	}
	report(t, programs, failed)
}

// noStrangers checks that each exception is a program's name.
func noStrangers(t *testing.T, known []string, programs []*Program) {
	t.Helper()
	names := make(map[string]bool)
	for _, p := range programs {
		names[p.Name()] = true
	}
	for _, name := range known {
		if !names[name] {
			t.Errorf("%s: there is no such program; delete its line in %s", name, golden)
		}
	}
}

func complaint(name string) string {
	if strings.HasPrefix(name, "wrong") {
		return "the bug is not found"
	}
	return "there is a finding"
}

// sample returns the programs to analyse.
func sample(all []*Program) []*Program {
	if *full || *update {
		return all
	}
	var out []*Program
	for i, p := range all {
		if i%sampleStride == 0 {
			out = append(out, p)
		}
	}
	return out
}

// report logs the figures.
func report(t *testing.T, programs []*Program, failed []string) {
	t.Helper()
	total, bad := make(map[string]int), make(map[string]int)
	for _, p := range programs {
		total[strings.Fields(p.Name())[0]]++
	}
	for _, name := range failed {
		bad[strings.Fields(name)[0]]++
	}
	t.Logf("found %d of %d wrong programs; %d of %d right programs have a finding",
		total["wrong"]-bad["wrong"], total["wrong"], bad["right"], total["right"])
}

// knownFailures reads the exceptions, which are sorted.
func knownFailures(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return line == "" })
	if !slices.IsSorted(lines) {
		t.Fatalf("%s is not sorted", golden)
	}
	return lines
}

// A form's name is made of its options' names, so each name is that of one.
func TestOptionsHaveNamesOfTheirOwn(t *testing.T) {
	seen := make(map[string]bool)
	for _, axis := range axes() {
		for _, o := range axis {
			if seen[o.name] {
				t.Errorf("two options are called %s", o.name)
			}
			seen[o.name] = true
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d options; want 100", len(seen))
	}
}

// judge writes, loads and analyses the programs, and returns the names of
// those that are judged wrongly, sorted.
func judge(t *testing.T, programs []*Program) []string {
	t.Helper()
	dir := t.TempDir()
	if *keep != "" {
		dir = *keep
	}
	if err := Write(dir, programs); err != nil {
		t.Fatal(err)
	}
	outcomes := analyse(t, dir)
	var failed []string
	for _, p := range programs {
		var o outcome
		for _, f := range p.Files {
			o.add(outcomes[filepath.Join(dir, p.Dir(), filepath.Dir(f.Name))])
		}
		if o.found(p) != p.Wrong {
			failed = append(failed, p.Name())
		}
	}
	slices.Sort(failed)
	return failed
}

// An outcome is what the analysis of a program gave.
type outcome struct {
	findings []finding.Finding
	funcs    []span
}

// A span is where a function lies.
type span struct {
	name       string
	start, end token.Position
}

func (o *outcome) add(other *outcome) {
	if other != nil {
		o.findings = append(o.findings, other.findings...)
		o.funcs = append(o.funcs, other.funcs...)
	}
}

// found reports whether a right program has a finding, or whether each bug of
// a wrong one has one in its functions.
func (o *outcome) found(p *Program) bool {
	if !p.Wrong {
		return len(o.findings) > 0
	}
	for _, bug := range p.Bugs {
		if !o.hits(bug) {
			return false
		}
	}
	return true
}

// hits reports whether a finding, or a place that belongs to it, lies in one
// of the functions.
func (o *outcome) hits(names []string) bool {
	for _, f := range o.findings {
		places := []finding.Position{f.Pos}
		for _, r := range f.Related {
			places = append(places, r.Pos)
		}
		for _, pos := range places {
			for _, fn := range o.funcs {
				if slices.Contains(names, fn.name) && fn.holds(pos) {
					return true
				}
			}
		}
	}
	return false
}

func (s span) holds(pos finding.Position) bool {
	return pos.File == s.start.Filename && s.start.Offset <= pos.Offset && pos.Offset < s.end.Offset
}

// analyse returns the outcomes of the packages by their directories.
func analyse(t *testing.T, dir string) map[string]*outcome {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		for _, err := range pkg.Errors {
			t.Error(err)
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(analyzer.Config{})}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]*outcome)
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("%s: %v", act.Package.PkgPath, act.Err)
			continue
		}
		out[act.Package.Dir] = &outcome{act.Result.(*finding.Result).Findings, spans(act.Package)}
	}
	return out
}

// spans returns where a package's functions lie.
func spans(pkg *packages.Package) []span {
	var out []span
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				out = append(out, span{fn.Name.Name, pkg.Fset.Position(fn.Pos()), pkg.Fset.Position(fn.End())})
			}
		}
	}
	return out
}
