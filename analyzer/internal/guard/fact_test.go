package guard

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
)

const source = `package p

type mutex struct{}

func (*mutex) Lock()   {}
func (*mutex) Unlock() {}

type Store struct {
	Mu    mutex // protects Plans
	Plans map[string]int

	jobsMu mutex
	Jobs   map[string]int

	other mutex
	Rows  map[string]int // guarded by other

	Free map[string]int
}

var (
	enginesMu mutex
	Engines   = map[string]int{}
)
`

type unit struct {
	pkg *types.Package
	idx *role.Index
}

func newUnit(t *testing.T, src string) *unit {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: make(map[*ast.Ident]types.Object)}
	pkg, err := new(types.Config).Check("example.org/p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return &unit{pkg: pkg, idx: role.NewIndex(fset, []*ast.File{file}, info, "")}
}

func (u *unit) field(t *testing.T, typ, name string) *types.Var {
	t.Helper()
	obj, _, _ := types.LookupFieldOrMethod(u.pkg.Scope().Lookup(typ).Type(), true, u.pkg, name)
	v, ok := obj.(*types.Var)
	if !ok {
		t.Fatalf("no field %s.%s", typ, name)
	}
	return v
}

// fact is what the package tells its importers when nothing in it uses its
// maps but a shared, unguarded one.
func (u *unit) fact(t *testing.T) *Fact {
	t.Helper()
	places := []*infer.Place{{Loc: accesspath.Location{Var: u.field(t, "Store", "Free")}}}
	shared := func(pl *infer.Place) string { return "it is a cache in disguise" }
	return Export(Infer(places, u.idx, &Import{names: newNames()}, nil, func(*types.Var) bool { return false }), places, shared, func(accesspath.Location) bool { return false }, u.pkg)
}

func encode(t *testing.T, f *Fact) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFactRoundTrip(t *testing.T) {
	from, to := newUnit(t, source), newUnit(t, source)
	fact := from.fact(t)
	want := "Engines by enginesMu 0/0; Store.Free shared; Store.Jobs by Store.jobsMu 0/0; Store.Plans by Store.Mu 0/0; Store.Rows by Store.other 0/0"
	if got := fact.String(); got != want {
		t.Errorf("fact is\n%s\nwant\n%s", got, want)
	}
	read := new(Fact)
	if err := gob.NewDecoder(bytes.NewReader(encode(t, fact))).Decode(read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read, fact) {
		t.Errorf("gob changes the fact:\n%+v\n%+v", fact, read)
	}

	im := &Import{facts: map[string]*Fact{"example.org/p": read}, names: newNames()}
	g := im.Guard(to.field(t, "Store", "Rows"))
	if g == nil || g.Lock != to.field(t, "Store", "other") || g.How != Declared {
		t.Errorf("the importer's guard of Rows is %+v", g)
	}
	if g := im.Guard(to.field(t, "Store", "Plans")); g == nil || g.How != Prose {
		t.Errorf("the importer's guard of Plans is %+v", g)
	}
	if g := im.Guard(to.field(t, "Store", "Free")); g != nil {
		t.Errorf("an unguarded map gets the guard %+v", g)
	}
	if why := im.Shared(to.field(t, "Store", "Free")); why == "" {
		t.Error("the importer does not learn why Free is shared")
	}
}

func TestFactDeterministic(t *testing.T) {
	first := encode(t, newUnit(t, source).fact(t))
	for range 5 {
		if !bytes.Equal(encode(t, newUnit(t, source).fact(t)), first) {
			t.Fatal("the same package writes other bytes")
		}
	}
}

// A package's fact grows with its guarded maps, by less than 100 bytes each.
func TestFactSize(t *testing.T) {
	size := func(maps int) int {
		var b strings.Builder
		b.WriteString("package p\n\ntype mutex struct{}\n\nfunc (*mutex) Lock() {}\nfunc (*mutex) Unlock() {}\n\ntype Store struct {\n\tFree map[string]int\n")
		for i := range maps {
			fmt.Fprintf(&b, "\n\tmu%d mutex\n\tEntries%d map[string]int // guarded by mu%d\n", i, i, i)
		}
		b.WriteString("}\n")
		return len(encode(t, newUnit(t, b.String()).fact(t)))
	}
	few, many := size(1), size(101)
	if few > 512 {
		t.Errorf("one guarded map takes %d bytes", few)
	}
	if each := (many - few) / 100; each > 100 {
		t.Errorf("each guarded map takes %d bytes", each)
	}
}
