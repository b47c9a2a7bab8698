package generate_test

import (
	"go/format"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/explore/generate"
	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// A seed gives one program, always, and it is printed as gofmt would.
func TestProgram(t *testing.T) {
	different := make(map[string]bool)
	for seed := range int64(200) {
		first, err := program.Print(generate.Program(seed), "p")
		if err != nil {
			t.Fatal(err)
		}
		again, err := program.Print(generate.Program(seed), "p")
		if err != nil {
			t.Fatal(err)
		}
		if first.Text != again.Text {
			t.Errorf("seed %d gives two programs", seed)
		}
		formatted, err := format.Source([]byte(first.Text))
		if err != nil || string(formatted) != first.Text {
			t.Errorf("seed %d: not formatted (%v)", seed, err)
		}
		different[first.Text] = true
	}
	if len(different) < 200 {
		t.Errorf("%d different programs of 200", len(different))
	}
}

// All of a program's statements have lines, inside their function.
func TestLines(t *testing.T) {
	for seed := range int64(50) {
		p := generate.Program(seed)
		src, err := program.Print(p, "p")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Funcs {
			at := src.Funcs[f]
			program.Each(f.Body, func(s program.Stmt) {
				if line := src.Lines[s]; line <= at[0] || line >= at[1] {
					t.Errorf("seed %d, %s: line %d of a statement is not in %v", seed, f.Name, line, at)
				}
			})
		}
	}
}
