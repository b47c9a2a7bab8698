package accesspath

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// A world is a table with some roots and fields to build paths from.
type world struct {
	Table
	global     *types.Var
	mu, m, sub *types.Var
}

func newWorld() *world {
	pkg := types.NewPackage("example.org/p", "p")
	field := func(name string) *types.Var { return types.NewField(0, pkg, name, types.Typ[types.Int], false) }
	return &world{global: types.NewVar(0, pkg, "registry", types.Typ[types.Int]), mu: field("mu"), m: field("m"), sub: field("sub")}
}

func (w *world) param(i int) Path    { return w.Root(Root{Kind: Param, Fn: "f", Index: i}) }
func (w *world) konst(s string) Path { return w.Root(Root{Kind: Const, Const: s}) }
func (w *world) registry() Path      { return w.Root(Root{Kind: Global, Obj: w.global}) }

// deep returns p with n steps.
func (w *world) deep(p Path, n int) Path {
	for range n {
		p = w.Field(p, w.sub)
	}
	return p
}

func TestInterning(t *testing.T) {
	w := newWorld()
	c := w.param(0)
	for _, tc := range []struct {
		name string
		a, b Path
		same bool
	}{
		{"one root", w.param(0), c, true},
		{"two parameters", w.param(1), c, false},
		{"parameters of two functions", w.Root(Root{Kind: Param, Fn: "g"}), c, false},
		{"one field", w.Field(c, w.mu), w.Field(w.param(0), w.mu), true},
		{"two fields", w.Field(c, w.mu), w.Field(c, w.m), false},
		{"fields of two objects", w.Field(c, w.mu), w.Field(w.param(1), w.mu), false},
		{"one element", w.Elem(c, w.konst("1")), w.Elem(c, w.konst("1")), true},
		{"two elements", w.Elem(c, w.konst("1")), w.Elem(c, w.konst("2")), false},
		{"some element and a known one", w.Elem(c, Path{}), w.Elem(c, w.konst("1")), false},
		{"field and element", w.Field(c, w.m), w.Elem(c, Path{}), false},
	} {
		if (tc.a == tc.b) != tc.same {
			t.Errorf("%s: equal is %v, want %v", tc.name, tc.a == tc.b, tc.same)
		}
		if (tc.a.ID() == tc.b.ID()) != tc.same {
			t.Errorf("%s: IDs %d and %d", tc.name, tc.a.ID(), tc.b.ID())
		}
	}
}

func TestUnknownPath(t *testing.T) {
	w := newWorld()
	var none Path
	if none.Known() || none.ID() != 0 || none.Depth() != 0 || none.String() != "?" {
		t.Errorf("the zero Path is %v, id %d, depth %d", none, none.ID(), none.Depth())
	}
	for name, p := range map[string]Path{
		"Field":  w.Field(none, w.m),
		"Elem":   w.Elem(none, none),
		"Parent": none.Parent(),
		"Key":    none.Key(),
		"Base":   none.Base(),
		"Trunk":  none.Trunk(),
		"root":   w.param(0).Parent(),
	} {
		if p.Known() {
			t.Errorf("%s of the unknown path is %v", name, p)
		}
	}
	if none.Location().Valid() || none.IsElem() || none.LastField() != nil || none.Root() != (Root{}) {
		t.Error("the unknown path denotes something")
	}
}

func TestSteps(t *testing.T) {
	w := newWorld()
	k := w.konst(`"k"`)
	p := w.Elem(w.Field(w.Field(w.param(0), w.sub), w.m), k)
	if got, want := p.String(), `arg.sub.m["k"]`; got != want {
		t.Errorf("String is %q, want %q", got, want)
	}
	if p.Depth() != 3 || !p.IsElem() || p.Key() != k || p.LastField() != nil {
		t.Errorf("%v: depth %d, elem %v, key %v", p, p.Depth(), p.IsElem(), p.Key())
	}
	m := p.Parent()
	if m.LastField() != w.m || m.IsElem() || m.Key().Known() || p.Trunk() != m || m.Trunk() != m {
		t.Errorf("%v: field %v, trunk %v", m, m.LastField(), p.Trunk())
	}
	for q := p; q.Known(); q = q.Parent() {
		if !p.HasPrefix(q) {
			t.Errorf("%v is no prefix of %v", q, p)
		}
		if q.Root() != w.param(0).Root() {
			t.Errorf("%v has another root", q)
		}
	}
	if m.HasPrefix(p) || p.HasPrefix(w.param(1)) {
		t.Error("HasPrefix accepts what is no ancestor")
	}
	if w.param(0).Parent().Known() {
		t.Error("a root has a parent")
	}
}

func TestLocationAndBase(t *testing.T) {
	w := newWorld()
	c := w.param(0)
	key := w.konst("1")
	value := w.Root(Root{Kind: Value})
	for _, tc := range []struct {
		name string
		path Path
		loc  Location
		base Path
	}{
		{"field", w.Field(c, w.m), Location{w.m, 0}, c},
		{"inner map", w.Elem(w.Field(c, w.m), key), Location{w.m, 1}, c},
		{"two levels", w.Elem(w.Elem(w.Field(c, w.m), key), Path{}), Location{w.m, 2}, c},
		{"field of an element", w.Field(w.Elem(w.Field(c, w.sub), key), w.m), Location{w.m, 0}, w.Elem(w.Field(c, w.sub), key)},
		{"package-level", w.registry(), Location{w.global, 0}, Path{}},
		{"element of a package-level", w.Elem(w.registry(), key), Location{w.global, 1}, Path{}},
		{"field of a package-level", w.Field(w.registry(), w.m), Location{w.m, 0}, w.registry()},
		{"some instance of a field", w.Root(Root{Kind: Place, Obj: w.mu}), Location{w.mu, 0}, Path{}},
		{"parameter", c, Location{}, Path{}},
		{"element of a local", w.Elem(value, key), Location{}, Path{}},
		{"field of a local", w.Field(value, w.m), Location{w.m, 0}, value},
	} {
		if got := tc.path.Location(); got != tc.loc {
			t.Errorf("%s: location of %v is %v, want %v", tc.name, tc.path, got, tc.loc)
		}
		if got := tc.path.Base(); got != tc.base {
			t.Errorf("%s: base of %v is %v, want %v", tc.name, tc.path, got, tc.base)
		}
	}
}

// Two instances of one location: the two equalities differ.
func TestSameLocationOtherInstance(t *testing.T) {
	w := newWorld()
	a, b := w.Field(w.param(0), w.m), w.Field(w.param(1), w.m)
	if a == b || a.Location() != b.Location() {
		t.Errorf("%v and %v: equal %v, locations %v and %v", a, b, a == b, a.Location(), b.Location())
	}
}

func TestDepthBound(t *testing.T) {
	w := newWorld()
	p := w.deep(w.param(0), MaxSteps)
	if !p.Known() || p.Depth() != MaxSteps {
		t.Fatalf("a path of %d steps is %v", MaxSteps, p)
	}
	if q := w.Field(p, w.m); q.Known() {
		t.Errorf("one step more gives %v", q)
	}
	if q := w.Elem(p, w.konst("1")); q.Known() {
		t.Errorf("one element more gives %v", q)
	}
	// A long path has no long key either: keys are paths of their own.
	if q := w.Elem(w.param(0), p); q.Depth() != 1 {
		t.Errorf("the key counts: depth %d", q.Depth())
	}
}

func TestSubstitute(t *testing.T) {
	w := newWorld()
	c, k := w.param(0), w.param(1)
	arg, argKey := w.Field(w.registry(), w.sub), w.konst("7")
	subst := func(r Root) (Path, bool) {
		switch r {
		case c.Root():
			return arg, true
		case k.Root():
			return argKey, true
		case w.registry().Root():
			return w.registry(), true
		}
		return Path{}, false
	}
	unknown := w.param(2)
	fallback := w.konst("some")
	for _, tc := range []struct {
		name     string
		p        Path
		fallback Path
		want     Path
	}{
		{"root", c, Path{}, arg},
		{"field", w.Field(c, w.m), Path{}, w.Field(arg, w.m)},
		{"key", w.Elem(w.Field(c, w.m), k), Path{}, w.Elem(w.Field(arg, w.m), argKey)},
		{"package-level stays", w.Elem(w.registry(), k), Path{}, w.Elem(w.registry(), argKey)},
		{"unknown root", w.Field(unknown, w.m), Path{}, Path{}},
		{"unknown key", w.Elem(w.Field(c, w.m), unknown), Path{}, w.Elem(w.Field(arg, w.m), Path{})},
		{"unknown key with fallback", w.Elem(w.Field(c, w.m), unknown), fallback, w.Elem(w.Field(arg, w.m), fallback)},
		{"unknown path", Path{}, fallback, Path{}},
		{"too deep", w.deep(c, MaxSteps), Path{}, Path{}},
		{"as deep as can be", w.deep(c, MaxSteps-1), Path{}, w.deep(arg, MaxSteps-1)},
	} {
		if got := w.Substitute(tc.p, tc.fallback, subst); got != tc.want {
			t.Errorf("%s: %v becomes %v, want %v", tc.name, tc.p, got, tc.want)
		}
	}
}

func TestRebase(t *testing.T) {
	w := newWorld()
	c, d := w.param(0), w.param(1)
	entries := w.Elem(w.Field(c, w.m), w.konst("1"))
	for _, tc := range []struct {
		name        string
		p, from, to Path
		want        Path
	}{
		{"whole", c, c, d, d},
		{"prefix", entries, c, d, w.Elem(w.Field(d, w.m), w.konst("1"))},
		{"longer prefix", entries, w.Field(c, w.m), w.registry(), w.Elem(w.registry(), w.konst("1"))},
		{"no prefix", entries, d, c, Path{}},
		{"longer than the path", c, entries, d, Path{}},
		{"too deep", w.deep(c, MaxSteps), c, w.Field(d, w.sub), Path{}},
		{"to itself", entries, c, c, entries},
	} {
		if got := w.Rebase(tc.p, tc.from, tc.to); got != tc.want {
			t.Errorf("%s: %v becomes %v, want %v", tc.name, tc.p, got, tc.want)
		}
	}
}

// FuzzSubstitute builds a path from the input and checks what substitution
// must keep whatever the path is. Each byte is one step.
func FuzzSubstitute(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{0, 1, 2}, []byte{3})
	f.Add([]byte{4, 4, 9, 14}, []byte{1, 2, 3, 4, 5})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8}, []byte{0})
	f.Add([]byte{255, 254, 4, 3}, []byte{255})
	f.Fuzz(func(t *testing.T, steps, arg []byte) {
		w := newWorld()
		p, to := w.build(steps), w.build(arg)
		id := func(r Root) (Path, bool) { return w.Root(r), true }
		if got := w.Substitute(p, Path{}, id); got != p {
			t.Fatalf("the identity changes %v to %v", p, got)
		}
		swap := func(r Root) (Path, bool) {
			if r == w.param(0).Root() {
				return to, to.Known()
			}
			return w.Root(r), true
		}
		got := w.Substitute(p, Path{}, swap)
		if got != w.Substitute(p, Path{}, swap) {
			t.Fatalf("substitution in %v is not deterministic", p)
		}
		if got.Depth() > MaxSteps {
			t.Fatalf("%v has %d steps", got, got.Depth())
		}
		if !got.Known() {
			return
		}
		if p.Root() == w.param(0).Root() {
			if got.Depth() != p.Depth()+to.Depth() || got.Root() != to.Root() || !got.HasPrefix(to) {
				t.Fatalf("%v with %v becomes %v", p, to, got)
			}
			if p.Location().Valid() && got.Location() != p.Location() {
				t.Fatalf("%v and %v are different locations", p, got)
			}
		} else if got.Depth() != p.Depth() || got.Root() != p.Root() {
			t.Fatalf("%v with %v becomes %v", p, to, got)
		}
		none := func(Root) (Path, bool) { return Path{}, false }
		if q := w.Substitute(p, w.konst("k"), none); q.Known() {
			t.Fatalf("nothing can be expressed, yet %v becomes %v", p, q)
		}
		if q := w.Rebase(p, w.root(p), w.root(p)); q != p {
			t.Fatalf("Rebase to itself changes %v to %v", p, q)
		}
	})
}

func (w *world) root(p Path) Path {
	for p.Parent().Known() {
		p = p.Parent()
	}
	return p
}

// build makes the path that the bytes describe; it never makes an unknown one.
func (w *world) build(steps []byte) Path {
	p := w.param(0)
	if len(steps) > 0 && steps[0] > 200 {
		p = w.registry()
	}
	for _, b := range steps {
		var q Path
		switch b % 5 {
		case 0:
			q = w.Field(p, w.m)
		case 1:
			q = w.Field(p, w.sub)
		case 2:
			q = w.Elem(p, Path{})
		case 3:
			q = w.Elem(p, w.konst(string('a'+rune(b%7))))
		case 4:
			q = w.Elem(p, w.param(int(b%3)))
		}
		if !q.Known() {
			return p
		}
		p = q
	}
	return p
}

const source = `package p

type inner struct{ m map[string]int }
type shard struct{ entries map[string]int }
type box[T any] struct{ items map[string]T }
type named map[string]int
type cache struct {
	engines map[string]int
	in      inner
	ptr     *inner
	shards  []shard
	nested  map[string]map[string]int
	anon    struct{ m map[string]int }
	named   named
	inner
}

var registry = map[string]int{}
var state struct{ byID map[string]int }

func field(c *cache)               { _ = c.engines["x"] }
func nestedField(c *cache)         { _ = c.in.m["x"] }
func throughPointer(c *cache)      { _ = c.ptr.m["x"] }
func embedded(c *cache)            { _ = c.m["x"] }
func anonymous(c *cache)           { _ = c.anon.m["x"] }
func element(c *cache, i int)      { _ = c.shards[i].entries["x"] }
func innerMap(c *cache, k string)  { _ = c.nested[k]["x"] }
func global()                      { _ = registry["x"] }
func globalStruct()                { _ = state.byID["x"] }
func parameter(m map[string]int)   { _ = m["x"] }
func alias(c *cache)               { m := c.engines; _ = m["x"] }
func aliasOfOwner(c *cache)        { d := c; _ = d.engines["x"] }
func convert(c *cache)             { _ = map[string]int(c.named)["x"] }
func (b *box[T]) generic()         { _ = b.items["x"] }
func (n named) method()            { _ = n["x"] }
func literal(c *cache)             { func() { _ = c.engines["x"] }() }
func rangeValue(c *cache)          { for _, v := range c.nested { _ = v["x"] } }
func sameBranches(c *cache, b bool) {
	m := c.engines
	if b { m = c.engines }
	_ = m["x"]
}
func lazy(c *cache, k string) {
	v := c.nested[k]
	if v == nil { v = map[string]int{}; c.nested[k] = v }
	_ = v["x"]
}
`

// TestOf builds the path of the map that each function looks "x" up in.
func TestOf(t *testing.T) {
	pkg := buildSSA(t, source)
	want := map[string]string{
		"field": "c.engines", "nestedField": "c.in.m", "throughPointer": "c.ptr.m", "embedded": "c.inner.m",
		"anonymous": "c.anon.m", "element": "c.shards[…].entries", "innerMap": "c.nested[…]", "global": "registry",
		"globalStruct": "state.byID", "parameter": "m", "alias": "c.engines", "aliasOfOwner": "c.engines",
		"convert": "c.named", "generic": "b.items", "method": "n", "literal": "c.engines",
		"rangeValue": "c.nested[…]", "sameBranches": "c.engines", "lazy": "c.nested[…]",
	}
	got := make(map[string]string)
	b := NewBuilder()
	var visit func(name string, fn *ssa.Function)
	visit = func(name string, fn *ssa.Function) {
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				if l, ok := instr.(*ssa.Lookup); ok && isX(l.Index) {
					got[name] = b.Of(l.X).String()
				}
			}
		}
		for _, lit := range fn.AnonFuncs {
			visit(name, lit)
		}
	}
	for _, fn := range declared(pkg) {
		visit(fn.Name(), fn)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: path is %q, want %q", name, got[name], want[name])
		}
	}
}

// declared returns the package's functions and methods.
func declared(pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	for _, name := range pkg.Pkg.Scope().Names() {
		switch obj := pkg.Pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			out = append(out, pkg.Prog.FuncValue(obj))
		case *types.TypeName:
			if n, ok := obj.Type().(*types.Named); ok {
				for m := range n.Methods() {
					out = append(out, pkg.Prog.FuncValue(m))
				}
			}
		}
	}
	return out
}

func isX(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() == `"x"`
}

func buildSSA(t *testing.T, src string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("example.org/p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestExpress(t *testing.T) {
	w := newWorld()
	c, k, other := w.param(0), w.param(1), w.param(2)
	args := []Path{w.Field(w.registry(), w.sub), other}
	param := func(i int) Path { return w.Root(Root{Kind: Param, Fn: "g", Index: i}) }
	for _, tc := range []struct {
		name    string
		p, want Path
	}{
		{"an argument", args[0], param(0)},
		{"below an argument", w.Field(args[0], w.mu), w.Field(param(0), w.mu)},
		{"a key", w.Elem(args[0], other), w.Elem(param(0), param(1))},
		{"a computed key", w.Elem(args[0], w.Apply(other, "index", Path{})), w.Elem(param(0), w.Apply(param(1), "index", Path{}))},
		{"the caller's key", w.Elem(args[0], k), w.Elem(param(0), k)},
		{"a constant key", w.Elem(args[0], w.konst("1")), w.Elem(param(0), w.konst("1"))},
		{"below no argument", w.Field(c, w.mu), Path{}},
		{"unknown", Path{}, Path{}},
	} {
		if got := w.Express(tc.p, args, param); got != tc.want {
			t.Errorf("%s: %v becomes %v, want %v", tc.name, tc.p, got, tc.want)
		}
	}
}

func TestApply(t *testing.T) {
	w := newWorld()
	k, l := w.param(1), w.param(2)
	subst := func(r Root) (Path, bool) { return l, r == k.Root() }
	index := w.Apply(k, "index", Path{})
	for _, tc := range []struct {
		name string
		a, b Path
		same bool
	}{
		{"one computation", w.Apply(k, "index", Path{}), index, true},
		{"two functions", w.Apply(k, "hash", Path{}), index, false},
		{"two arguments", w.Apply(l, "index", Path{}), index, false},
		{"no element", w.Elem(k, Path{}), index, false},
		{"substituted", w.Substitute(index, Path{}, subst), w.Apply(l, "index", Path{}), true},
		{"unknown in its caller", w.Substitute(w.Apply(k, "+", w.param(3)), w.konst("some"), subst), Path{}, true},
	} {
		if (tc.a == tc.b) != tc.same {
			t.Errorf("%s: %v and %v", tc.name, tc.a, tc.b)
		}
	}
	if index.IsElem() || !index.IsComputed() || w.Elem(k, Path{}).IsComputed() {
		t.Error("a computation is no element")
	}
}
