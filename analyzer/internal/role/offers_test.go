package role

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestSupportUnread(t *testing.T) {
	const imports = "package p\nimport \"testing\"\n"
	for src, want := range map[string]bool{
		imports + "func Check(t *testing.T) {}":                                      true,
		imports + "func Check(b testing.TB) {}\nfunc helper() {}":                    true,
		imports + "type Frame struct{ t *testing.T }\nfunc (f *Frame) Check() {}":    true,
		imports + "type Frame struct{ *testing.B }\nfunc New(b *testing.B) *Frame\n": true,
		"package p\nimport tt \"testing\"\nfunc Check(t *tt.F) {}":                   true,
		"package p":                      false,
		"package p\nfunc Check(t *T) {}": false,
		"package pmock":                  true,
		"package main\nimport \"testing\"\nfunc Check(t *testing.T) {}":                        false,
		imports + "func Cost() int64 { return testing.Benchmark(run).NsPerOp() }":              false,
		imports + "func run(b *testing.B) {}":                                                  false,
		imports + "func Check(t *testing.T) {}\nfunc Purge() {}":                               false,
		imports + "func Check(t *testing.T) {}\nfunc init() { purge() }":                       false,
		imports + "type Pool struct{}\nfunc Check(t *testing.T) {}\nfunc (p *Pool) Purge() {}": false,
		imports + "func Check(r testing.BenchmarkResult) {}":                                   false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := SupportUnread(f, "x"); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
		if !SupportUnread(f, "x/tests") {
			t.Errorf("%s: false in a directory of tests", src)
		}
	}
}
