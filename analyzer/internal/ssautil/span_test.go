package ssautil

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	build "golang.org/x/tools/go/ssa/ssautil"
)

// Spans hold each other exactly where blocks dominate each other, and tell which blocks dominate all returns.
func TestSpans(t *testing.T) {
	const src = `package p
func some() bool
func f(n int) int {
	if some() {
		return 1
	}
	for i := range n {
		if some() {
			continue
		}
		println(i)
	}
	defer println()
	switch {
	case some():
		panic("")
	case some():
		return 2
	}
	return 3
}
func g() {
	defer func() { recover() }()
	println(f(1))
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := build.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	fn := pkg.Func("f")
	spans := NewSpans(fn)
	for _, x := range fn.Blocks {
		always := true
		for _, y := range fn.Blocks {
			known := x != fn.Recover && y != fn.Recover
			if holds := spans.Of(x).Holds(spans.Of(y)); holds != (known && x.Dominates(y)) {
				t.Errorf("block %d holds %d: %t", x.Index, y.Index, holds)
			}
			if _, returns := y.Instrs[len(y.Instrs)-1].(*ssa.Return); returns && y != fn.Recover {
				always = always && x.Dominates(y)
			}
		}
		if x != fn.Recover && spans.Always(x) != always {
			t.Errorf("block %d dominates all returns: %t", x.Index, !always)
		}
	}
	if g := pkg.Func("g"); NewSpans(g).Always(g.Blocks[0]) {
		t.Error("a function that recovers does nothing in any case")
	}
}
