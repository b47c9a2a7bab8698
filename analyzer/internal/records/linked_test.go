package records

import (
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// What the linker names is called from elsewhere.
func TestLinkedNames(t *testing.T) {
	const src = `package p

import _ "unsafe"

//export goTick
func goTick() {}

//go:linkname count x/c.count
func count() int { return 0 }

// said is exported in a sentence only: "//export said".
func said() {}

//go:wasmexport run
func inside() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	g := &gatherer{pkg: types.NewPackage("x/p", "p"), rec: new(outside.Record), refs: make(map[outside.Ref]bool)}
	got := slices.Sorted(maps.Keys(g.linkedNames(file)))
	if want := []string{"count", "goTick", "inside"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := []outside.Ref{{To: "x/c.count", Loose: true}}; !slices.Equal(g.rec.Refs, want) {
		t.Errorf("the other package: %v, want %v", g.rec.Refs, want)
	}
}
