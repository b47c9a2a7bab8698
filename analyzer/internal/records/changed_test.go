package records

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"
)

// TestChanged: the results that a package changes are known by the name of the
// function and the type of the map; those that it only reads are not.
func TestChanged(t *testing.T) {
	const text = `package p

type call interface {
	Set() map[string]int
	Dropped() map[string]int
	Counted() map[string]int
	Cleared() map[string]int
	Held() (map[string]int, error)
	Read() map[string]int
	List() []int
}

func f(c call) int {
	c.Set()["a"] = 1
	delete(c.Dropped(), "a")
	(c.Counted())["a"]++
	clear(c.Cleared())
	held, _ := c.Held()
	held["a"] = 2
	read := c.Read()
	c.List()[0] = 1
	own := make(map[string]int)
	own["a"] = read["a"]
	return len(own)
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	g := newGatherer(pkg, info, func(string) bool { return true })
	g.changed([]*ast.File{file})
	got := slices.Sorted(maps.Keys(g.rec.Changed))
	want := []string{"Cleared map[string]int", "Counted map[string]int", "Dropped map[string]int", "Held map[string]int", "Set map[string]int"}
	if !slices.Equal(got, want) {
		t.Errorf("changed are %q, want %q", got, want)
	}
}
