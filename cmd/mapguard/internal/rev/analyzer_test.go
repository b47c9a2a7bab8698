package rev_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/rev"
)

// analyse runs the analyzer as it is.
func analyse(dir string) ([]finding.Finding, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Env: append(os.Environ(), "PWD="+dir, "GOFLAGS=")}, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			return nil, e
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	var out []finding.Finding
	for act := range graph.All() {
		if act.Err != nil {
			return nil, act.Err
		}
		if act.IsRoot {
			out = append(out, act.Result.(*finding.Result).Findings...)
		}
	}
	return out, nil
}

const (
	list = `package list

type List struct{ seen map[string]*int }

func (l *List) Add(s string) *int {
	if n, ok := l.seen[s]; ok {
		return n
	}
	n := new(int)
	l.seen[s] = n
	return n
}
`
	use = `package list

func AddAll(l *List, all []string) {
	for _, s := range all {
		go l.Add(s)
	}
}
`
)

// A list that one goroutine uses is right; a new file that starts goroutines
// makes a finding on a line that was not touched.
func TestAnalyzer(t *testing.T) {
	r := newRepo(t, map[string]string{"go.mod": mod, "list/list.go": list})
	if was, err := analyse(r.dir); err != nil || len(was) > 0 {
		t.Fatalf("%v, %v", was, err)
	}
	r.write(map[string]string{"list/use.go": use})
	now, err := analyse(r.dir)
	if err != nil || len(now) == 0 {
		t.Fatalf("%v, %v", now, err)
	}
	got, err := rev.New(context.Background(), r.dir, "HEAD", analyse, now)
	if err != nil || len(got) != len(now) {
		t.Errorf("%v, %v; want %v", got, err, now)
	}
	if !slices.ContainsFunc(got, func(f finding.Finding) bool { return filepath.Base(f.Pos.File) == "list.go" }) {
		t.Errorf("no new finding in the file that did not change: %v", got)
	}
	r.commit()
	if got, err := rev.New(context.Background(), r.dir, "HEAD", analyse, now); err != nil || len(got) > 0 {
		t.Errorf("after the commit: %v, %v", got, err)
	}

	r.write(map[string]string{"list/use.go": use + "\nfunc ("})
	r.commit()
	r.write(map[string]string{"list/use.go": use})
	_, err = rev.New(context.Background(), r.dir, "HEAD", analyse, now)
	says(t, err, "the tree of HEAD cannot be analysed: ", "HEAD:"+filepath.Join("list", "use.go")+":9:")
	if e := (packages.Error{}); !errors.As(err, &e) {
		t.Errorf("%v does not wrap the loader's error", err)
	}
}
