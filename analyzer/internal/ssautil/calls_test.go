package ssautil

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	build "golang.org/x/tools/go/ssa/ssautil"
)

const literals = `package p

type T struct{}

func (*T) Run() { func() { func() {}() }() }
`

// A literal in a literal is one of the declared function.
func TestName(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", literals, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := build.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	fn := pkg.Prog.LookupMethod(types.NewPointer(pkg.Type("T").Type()), pkg.Pkg, "Run")
	for _, want := range []string{"T.Run", "T.Run (func literal)", "T.Run (func literal)"} {
		if got := Name(fn); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if len(fn.AnonFuncs) > 0 {
			fn = fn.AnonFuncs[0]
		}
	}
}
