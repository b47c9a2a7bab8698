package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestContents looks for the types that an encoder finds in values of other types.
func TestContents(t *testing.T) {
	const src = `package a
type leaf int
type hidden int
type embedded struct{ Leaf leaf }
type box struct {
	Leaf leaf
	hidden hidden
	embedded
}
type ring struct{ Next *ring; Leaves map[leaf][]hidden }
type held interface{ M() }
type holder struct{ Held held; Ch chan leaf; F func(leaf) }
type pair[T any] struct{ A T }
var (
	plain leaf
	boxed box
	pointer *box
	list []*leaf
	round ring
	opaque holder
	generic pair[leaf]
	nested struct{ P pair[*box] }
)`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("a", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"plain": "", "boxed": "leaf embedded", "pointer": "leaf embedded", "list": "leaf", "round": "leaf hidden",
		"opaque": "", "generic": "leaf", "nested": "box leaf embedded pair",
	} {
		var got []string
		for _, n := range Contents(pkg.Scope().Lookup(name).Type(), func(p *types.Package) bool { return p == pkg }) {
			got = append(got, n.Obj().Name())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := Contents(pkg.Scope().Lookup("boxed").Type(), func(*types.Package) bool { return false }); len(got) > 0 {
		t.Errorf("%v in a package that is not entered", got)
	}
}

func TestWalked(t *testing.T) {
	for _, c := range []struct {
		name            string
		params, results int
		want            bool
	}{
		{"MarshalJSON", 0, 2, true}, {"MarshalJSON", 1, 2, false}, {"String", 0, 1, true}, {"Close", 0, 1, false}, {"Marshal", 0, 2, false}, {"GobEncode", 0, 2, true},
	} {
		if got := Walked(function("example.org/a", c.name, true, c.params, c.results)); got != c.want {
			t.Errorf("%s/%d/%d: %v, want %v", c.name, c.params, c.results, got, c.want)
		}
	}
}
