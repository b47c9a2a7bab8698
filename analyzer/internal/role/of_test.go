package role

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const routerSource = `package p

import "net/http"

type R struct{}

func (R) HandleBoth(path string, h http.Handler)                              {}
func (R) HandleFunc(path string, h func(http.ResponseWriter, *http.Request))   {}
func (R) HandleErr(h http.HandlerFunc) error                                   { return nil }
func (R) Wrap(h http.Handler) http.Handler                                     { return h }
func (R) Next(w http.ResponseWriter, r *http.Request, next http.Handler)       {}
func (R) Each(f func(string))                                                  {}
func Plain(h http.Handler)                                                     {}
`

// TestRegistersByHandler asks which methods register by what they get, whatever their names are.
func TestRegistersByHandler(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", routerSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("example.org/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := new(Index)
	for name, want := range map[string]bool{
		"HandleBoth": true, "HandleFunc": true, "HandleErr": true,
		"Wrap": false, "Next": false, "Each": false,
	} {
		fn, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup("R").Type(), true, pkg, name)
		if got := x.Of(fn.(*types.Func)).Has(Registration | Setter); got != want {
			t.Errorf("%s registers: %v, want %v", name, got, want)
		}
	}
	if x.Of(pkg.Scope().Lookup("Plain").(*types.Func)).Has(Registration) {
		t.Error("a function that is no method registers with nothing that it shows")
	}
}
