package transfer_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/trial"
)

var update = flag.Bool("update", false, "rewrite testdata/summaries.golden")

// The summaries of a program's functions, as people read them.
func TestSummaries(t *testing.T) {
	src, err := os.ReadFile("testdata/summaries.go")
	if err != nil {
		t.Fatal(err)
	}
	p := trial.Run(t, string(src))
	var b strings.Builder
	for _, f := range p.Pkg.Funcs {
		b.WriteString(f.String() + "\n")
	}
	if *update {
		if err := os.WriteFile("testdata/summaries.golden", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("testdata/summaries.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(golden), "\n\n")
	got := strings.Split(b.String(), "\n\n")
	for i := range max(len(got), len(want)) {
		g, w := at(got, i), at(want, i)
		if g != w {
			t.Errorf("got\n%s\nwant\n%s", g, w)
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}
