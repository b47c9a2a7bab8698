package model

import (
	"go/importer"
	"go/token"
	"go/types"
	"testing"
)

// The functions exist, and their first arguments have the methods.
func TestMethodsExist(t *testing.T) {
	found := 0
	for path := range methodPackages {
		pkg, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			fn, ok := pkg.Scope().Lookup(name).(*types.Func)
			if !ok {
				continue
			}
			for i, m := range Methods(fn) {
				if i == 0 {
					found++
				}
				arg := fn.Signature().Params().At(0).Type()
				if obj, _, _ := types.LookupFieldOrMethod(arg, false, pkg, m); obj == nil {
					t.Errorf("%s: its argument has no method %s", fn.FullName(), m)
				}
			}
		}
	}
	if found != len(methods) {
		t.Errorf("%d of %d functions exist", found, len(methods))
	}
}
